import { createHash } from 'node:crypto'
import { readAddress } from '../archive-client/check-address.ts'
import { reach, type Access, type Authorization, type Reach } from '../archive-client/http.ts'
import { obtainToken, readMe } from '../archive-client/session.ts'
import { Failed, type Failure, type Unreadable } from '../contract/failure.ts'
import type { Account, Connection, KeptIn, SessionStatus, Shrunk } from '../contract/session.ts'
import type { DeskStore, KnownArchive } from '../store/desk.ts'
import type { Vault } from '../vault/vault.ts'

/** The archive on this computer, as the process that serves it said when it was ready. */
export interface LocalArchive {
  url: string
  username: string
  password: string
}

export type StartLocalArchive = (sample: boolean) => Promise<LocalArchive>

export type Session = ReturnType<typeof openSession>

const idOf = (url: string, username: string) => createHash('sha256').update(`${url}\n${username}`).digest('hex').slice(0, 16)

interface Parts {
  store: DeskStore
  vault: Vault
  startLocalArchive: StartLocalArchive
  language: () => string
  now: () => Date
  asOf: (archive: string) => string | null
  unreadable: (archive: string) => Unreadable[]
  shrunk: (archive: string) => Shrunk[]
  changed: (status: SessionStatus) => void
}

/** Who is at the desk. One person and one archive at a time; the secret stays between here and the vault. */
export const openSession = ({ store, vault, startLocalArchive, language, now, asOf, unreadable, shrunk, changed }: Parts) => {
  let account: Account | null = null
  let archive: Reach | null = null
  let access: Access | null = null
  let known: KnownArchive | undefined = store.archives()[0]
  let state: Connection['state'] = 'signed-out'
  let refreshing = false
  let failure: Failure | null = null

  const status = (): SessionStatus => ({
    account,
    connection: {
      ...{ state, refreshing, failure, asOf: account && asOf(account.archive) },
      ...{ unreadable: account ? unreadable(account.archive) : [], shrunk: account ? shrunk(account.archive) : [] },
    },
    lastUrl: known && !known.isHere ? known.url : '',
    lastUsername: known && !known.isHere ? known.username : '',
  })
  const say = () => {
    const it = status()
    changed(it)
    return it
  }

  const accountOf = ({ id, name, url, isHere, username, fullName, scheme }: KnownArchive, keptIn: KeptIn): Account => ({ archive: id, name, url, isHere, username, fullName, scheme, keptIn })

  const take = (it: KnownArchive, authorization: Authorization, keptIn: KeptIn) => {
    void archive?.close()
    archive = reach(it.url, authorization, language)
    access = { url: it.url, authorization }
    known = it
    store.keepArchive(it, now().toISOString())
    account = accountOf(it, keptIn)
    state = 'online'
    failure = null
  }

  /** Proves name and password by token, else by Basic, and keeps what proves them. */
  const prove = async (it: Pick<KnownArchive, 'id' | 'name' | 'url' | 'isHere' | 'isSample'>, username: string, password: string) => {
    const asking = reach(it.url, undefined, language)
    const token = await obtainToken(asking, username, password).finally(() => asking.close())
    const scheme = token === undefined ? 'Basic' : 'Token'
    const secret = token ?? Buffer.from(`${username}:${password}`).toString('base64')
    const trying = reach(it.url, `${scheme} ${secret}`, language)
    const me = await readMe(trying)
      .catch((error: unknown) => {
        throw error instanceof Failed && error.failure.kind === 'signed-out' ? new Failed({ kind: 'wrong-password' }) : error
      })
      .finally(() => trying.close())
    const keptIn = await vault.keep(it.id, secret)
    take({ ...it, ...me, scheme, isSignedIn: true }, `${scheme} ${secret}`, keptIn)
    return say()
  }

  const signInHere = async (sample: boolean) => {
    const here = await startLocalArchive(sample)
    return prove({ id: sample ? 'practice' : 'here', name: '', url: here.url, isHere: true, isSample: sample }, here.username, here.password)
  }

  return {
    status,
    /** Whose local copy and drafts are shown; there may be no connection. */
    account: (): Account => {
      if (!account) throw new Failed({ kind: 'signed-out' })
      return account
    },
    /** The archive to speak with now, or a failure that says it cannot be reached. */
    archive: (): Reach => {
      if (account && !archive) throw new Failed({ kind: 'offline', address: account.url, detail: '' })
      if (!archive) throw new Failed({ kind: 'signed-out' })
      return archive
    },
    /** The archive, once it was reached, and how it is reached: a secret that stays in main and its threads. */
    reached: () => (account && archive && access ? { account, archive, access } : undefined),
    signIn: async (typed: string, username: string, password: string) => {
      const url = readAddress(typed)
      if (!url) throw new Failed({ kind: 'offline', address: typed, detail: 'ERR_INVALID_URL' })
      const address = url.href.replace(/\/+$/, '')
      return prove({ id: idOf(address, username), name: url.host, url: address, isHere: false, isSample: false }, username, password)
    },
    signInAgain: async (password: string) => {
      if (!known) throw new Failed({ kind: 'signed-out' })
      const { id, name, url, isHere, isSample, username } = known
      return prove({ id, name, url, isHere, isSample }, username, password)
    },
    signInHere,
    signOut: async () => {
      if (account) await vault.forget(account.archive)
      if (known) store.keepArchive({ ...known, isSignedIn: false }, now().toISOString())
      await archive?.close()
      ;[account, archive, access, state, failure] = [null, null, null, 'signed-out', null]
      return say()
    },
    /**
     * Goes on as the person who was here last. What is held is shown at once; the connection follows, or the reason why
     * there is none.
     */
    resume: async () => {
      if (!known?.isSignedIn) return
      account = accountOf(known, 'this session')
      state = 'connecting'
      say()
      if (known.isHere) {
        await signInHere(known.isSample)
        return
      }
      const kept = await vault.read(known.id)
      if (kept) take(known, `${known.scheme} ${kept.secret}`, kept.keptIn)
      else [state, failure] = ['signed-out', { kind: 'signed-out' }]
      say()
    },
    /** Starts the archive on this computer again after it ended by itself. */
    revive: async () => {
      if (account?.isHere) await signInHere(known?.isSample ?? false)
    },
    /** What the last talk with the archive showed. */
    met: (trouble: Failure | null) => {
      failure = trouble
      if (trouble === null) state = account ? 'online' : 'signed-out'
      else if (trouble.kind === 'signed-out') state = 'signed-out'
      else state = 'offline'
      say()
    },
    refreshing: (is: boolean) => {
      refreshing = is
      say()
    },
  }
}
