import { createHash } from 'node:crypto'
import type { Access, Authorization, Connect, Reach } from '../archive-client/http.ts'
import { obtainToken, readMe } from '../archive-client/session.ts'
import { isUnencrypted, readAddress } from '../archive-client/address.ts'
import { Failed, type Failure, type Unreadable } from '../contract/failure.ts'
import type { Archive } from '../archives/archive.ts'
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

/** How long a token lives where the archive does not say (ESSArch: ten hours). */
const tokenMs = 10 * 3_600_000
/** How many colours there are to tell archives apart by. */
const colours = 6

/** A short answer that takes longer than this is late. */
const lateMs = 3_000
/** Codes of a network that does not lead to the archive; by others somebody is there and refuses. */
const isRefusal = (code: string) =>
  /^(ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET|EPROTO)$|CERT|TLS|SSL/.test(code)

const stateAfter = (trouble: Failure | null, tookMs: number): Connection['state'] => {
  if (trouble === null) return tookMs > lateMs ? 'slow' : 'online'
  if (trouble.kind === 'signed-out') return 'signed-out'
  if (trouble.kind === 'proxy') return 'offline'
  if (trouble.kind === 'offline') return isRefusal(trouble.detail) ? 'refused' : 'offline'
  return trouble.kind === 'server-broke' && trouble.detail === 'too-slow' ? 'slow' : 'refused'
}

const idOf = (url: string, username: string) =>
  createHash('sha256').update(`${url}\n${username}`).digest('hex').slice(0, 16)

/** Under what the cookie of a session is kept, beside the token. */
const cookieOf = (archive: string) => `${archive} cookie`

interface Parts {
  store: DeskStore
  vault: Vault
  startLocalArchive: StartLocalArchive
  connect: Connect
  now: () => Date
  asOf: (archive: string) => string | null
  unreadable: (archive: string) => Unreadable[]
  shrunk: (archive: string) => Shrunk[]
  changed: (status: SessionStatus) => void
}

/** Who is at the desk. One archive is shown at a time, of those that one is signed in to; secrets stay between here and the vault. */
export const openSession = ({
  store,
  vault,
  startLocalArchive,
  connect,
  now,
  asOf,
  unreadable,
  shrunk,
  changed,
}: Parts) => {
  let account: Account | null = null
  let archive: Reach | null = null
  let access: Access | null = null
  let chosen: KnownArchive | undefined = store.archives()[0]
  let state: Connection['state'] = 'signed-out'
  const refreshing = new Set<string>()
  let failure: Failure | null = null

  /** The two archives of this computer have the first colours; each other one the first that is free when it comes. */
  const colourOf = ({ id, colour }: Pick<KnownArchive, 'id' | 'colour'>): number => {
    if (colour !== undefined) return colour
    if (id === 'here' || id === 'practice') return id === 'here' ? 0 : 1
    const taken = new Set([0, 1, ...store.archives().flatMap((it) => it.colour ?? [])])
    return (
      Array.from({ length: colours }, (_, index) => index).find((index) => !taken.has(index)) ??
      2 + (parseInt(id.slice(0, 4), 16) % (colours - 2))
    )
  }

  const status = (): SessionStatus => ({
    account,
    others: store
      .archives()
      .filter(({ id, isSignedIn }) => isSignedIn && id !== account?.archive)
      .map((it) => ({
        archive: it.id,
        name: it.name,
        isHere: it.isHere,
        fullName: it.fullName,
        username: it.username,
        colour: colourOf(it),
      })),
    connection: {
      ...{
        state,
        refreshing: account !== null && refreshing.has(account.archive),
        failure,
        asOf: account && asOf(account.archive),
      },
      ...{
        unreadable: account ? unreadable(account.archive) : [],
        shrunk: account ? shrunk(account.archive) : [],
      },
    },
    lastUrl: chosen && !chosen.isHere ? chosen.url : '',
    lastUsername: chosen && !chosen.isHere ? chosen.username : '',
  })
  const say = () => {
    const it = status()
    changed(it)
    return it
  }

  const accountOf = (it: KnownArchive, keptIn: KeptIn): Account => {
    const { id, name, url, isHere, username, fullName, scheme, since, ends } = it
    const endsAt =
      scheme === 'Token' && !isHere && since !== undefined
        ? (ends ?? new Date(Date.parse(since) + tokenMs).toISOString())
        : null
    return {
      archive: id,
      name,
      url,
      isHere,
      username,
      fullName,
      scheme,
      keptIn,
      endsAt,
      colour: colourOf(it),
    }
  }

  const take = (known: KnownArchive, authorization: Authorization, keptIn: KeptIn, cookie = '') => {
    const it = { ...known, colour: colourOf(known) }
    void archive?.close()
    archive = connect(it.url, authorization)
    access = { url: it.url, authorization, cookie }
    chosen = it
    store.keepArchive(it, now().toISOString())
    account = accountOf(it, keptIn)
    state = 'online'
    failure = null
    // Its lists are read next; nobody takes the time until then for the time after.
    refreshing.add(it.id)
  }

  /** A password goes unencrypted to another computer only if somebody said so. */
  const maySend = ({ url, mayBeRead }: Pick<KnownArchive, 'url' | 'mayBeRead'>) =>
    mayBeRead === true || !isUnencrypted(new URL(url))
  const checkEncryption = (url: string, mayBeRead: boolean) => {
    if (!maySend({ url, mayBeRead })) throw new Failed({ kind: 'unencrypted', address: url })
  }

  /** Proves name and password by token, else by Basic, and keeps what proves them. */
  const prove = async (
    it: Pick<KnownArchive, 'id' | 'name' | 'url' | 'isHere' | 'isSample' | 'colour' | 'mayBeRead'>,
    username: string,
    password: string,
    isWanted = () => true,
  ) => {
    const asking = connect(it.url, undefined)
    const obtained = await obtainToken(asking, username, password).finally(() => asking.close())
    const scheme = obtained === undefined ? 'Basic' : 'Token'
    const secret = obtained?.token ?? Buffer.from(`${username}:${password}`).toString('base64')
    const trying = connect(it.url, `${scheme} ${secret}`)
    const me = await readMe(trying)
      .catch((error: unknown) => {
        throw error instanceof Failed && error.failure.kind === 'signed-out'
          ? new Failed({ kind: 'wrong-password' })
          : error
      })
      .finally(() => trying.close())
    const keptIn = await vault.keep(it.id, secret)
    if (obtained?.cookie) await vault.keep(cookieOf(it.id), obtained.cookie)
    // Meanwhile somebody may have turned to another archive.
    if (!isWanted()) return status()
    take(
      { ...it, ...me, scheme, since: now().toISOString(), ends: obtained?.ends ?? null, isSignedIn: true },
      `${scheme} ${secret}`,
      keptIn,
      obtained?.cookie,
    )
    return say()
  }

  const signInHere = async (sample: boolean, isWanted = () => true) => {
    const here = await startLocalArchive(sample)
    return prove(
      { id: sample ? 'practice' : 'here', name: '', url: here.url, isHere: true, isSample: sample },
      here.username,
      here.password,
      isWanted,
    )
  }

  /** Lets go of the connection; what is held stays. */
  const disconnect = () => {
    void archive?.close()
    ;[archive, access, failure] = [null, null, null]
  }

  /** Goes on with an archive that one is signed in to: what is held is shown at once, the connection follows, or the reason why there is none. */
  const goOn = async (it: KnownArchive) => {
    disconnect()
    chosen = it
    account = accountOf(it, 'this session')
    state = 'connecting'
    say()
    const isWanted = () => account?.archive === it.id
    if (it.isHere) {
      await signInHere(it.isSample, isWanted)
      return
    }
    if (!maySend(it)) {
      ;[state, failure] = ['signed-out', { kind: 'unencrypted', address: it.url }]
      say()
      return
    }
    const kept = await vault.read(it.id)
    if (!isWanted()) return
    const cookie = await vault.read(cookieOf(it.id))
    if (!isWanted()) return
    if (kept) take(it, `${it.scheme} ${kept.secret}`, kept.keptIn, cookie?.secret)
    else [state, failure] = ['signed-out', { kind: 'signed-out' }]
    say()
  }

  return {
    status,
    /** The id of the archive that is shown, where there is one. */
    shown: () => account?.archive,
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
    /** An archive that somebody is signed in to; only the one that is shown can be reached so far. */
    of: (id: string): Archive => {
      const known = store.archives().find((it) => it.id === id && it.isSignedIn)
      if (!known) throw new Failed({ kind: 'signed-out' })
      const isShown = () => account?.archive === id
      return {
        id,
        reached: () => (isShown() ? (archive ?? undefined) : undefined),
        reach: () => {
          if (!isShown() || !archive) throw new Failed({ kind: 'offline', address: known.url, detail: '' })
          return archive
        },
      }
    },
    /** Others that one is signed in to and that need no process of this computer: how they are reached. */
    others: async () => {
      const known = store
        .archives()
        .filter((it) => it.isSignedIn && !it.isHere && it.id !== account?.archive && maySend(it))
      const found = await Promise.all(
        known.map(async ({ id, url, scheme }) => {
          const kept = await vault.read(id)
          return kept
            ? [{ archive: id, access: { url, authorization: `${scheme} ${kept.secret}`, cookie: '' } }]
            : []
        }),
      )
      return found.flat()
    },
    /** The archive, once it was reached, and how it is reached: a secret that stays in main and its threads. */
    reached: () => (account && archive && access ? { account, archive, access } : undefined),
    signIn: async (typed: string, username: string, password: string, mayBeRead = false) => {
      const url = readAddress(typed)
      if (!url) throw new Failed({ kind: 'offline', address: typed, detail: 'ERR_INVALID_URL' })
      const address = url.href.replace(/\/+$/, '')
      checkEncryption(address, mayBeRead)
      return prove(
        {
          id: idOf(address, username),
          name: url.host,
          url: address,
          isHere: false,
          isSample: false,
          mayBeRead,
        },
        username,
        password,
      )
    },
    signInAgain: async (password: string, agreed = false) => {
      if (!chosen) throw new Failed({ kind: 'signed-out' })
      const { id, name, url, isHere, isSample, username } = chosen
      const mayBeRead = agreed || chosen.mayBeRead === true
      checkEncryption(url, mayBeRead)
      return prove({ id, name, url, isHere, isSample, mayBeRead }, username, password)
    },
    signInHere,
    signOut: async () => {
      if (account) await Promise.all([vault.forget(account.archive), vault.forget(cookieOf(account.archive))])
      if (chosen) store.keepArchive({ ...chosen, isSignedIn: false }, now().toISOString())
      disconnect()
      ;[account, state] = [null, 'signed-out']
      return say()
    },
    /** Goes on as the person who was here last. */
    resume: async () => {
      if (chosen?.isSignedIn) await goOn(chosen)
    },
    /** Turns to another archive; the answer is how it stands at once, the promise in it is fulfilled when the connection is there. */
    switchTo: (id: string) => {
      const it = store.archives().find((known) => known.id === id && known.isSignedIn)
      if (!it) throw new Failed({ kind: 'not-found', what: id })
      store.keepArchive(it, now().toISOString())
      const connected = goOn(it)
      return { status: status(), connected }
    },
    /** Starts the archive on this computer again after it ended by itself. */
    revive: async () => {
      const it = account
      if (it?.isHere) await signInHere(chosen?.isSample ?? false, () => account?.archive === it.archive)
    },
    /**
     * What the last talk with the archive showed.
     * @param tookMs how long a short answer took
     */
    met: (trouble: Failure | null, from = account?.archive, tookMs = 0) => {
      // What comes late from one archive says nothing of another.
      if (from !== account?.archive) return
      failure = trouble
      state = account === null ? 'signed-out' : stateAfter(trouble, tookMs)
      say()
    },
    refreshing: (from: string, is: boolean) => {
      if (is) refreshing.add(from)
      else refreshing.delete(from)
      say()
    },
  }
}
