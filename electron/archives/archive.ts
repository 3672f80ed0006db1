import { background, toProcess } from '../common/background.ts'
import { openUnderWay } from '../common/under-way.ts'
import type { Access, Connect } from '../archive-client/http.ts'
import { withDialect, type Dialect, type ArchiveClient } from '../dialects/dialect.ts'
import type { LookUp } from '../dialects/lookups.ts'
import type { Dialects } from '../dialects/dialects.ts'
import { Failed, type Failure } from '../contract/failure.ts'
import type { Account, Connection, KeptIn } from '../contract/session.ts'
import type { KnownArchive } from '../store/desk/desk-store.ts'
import type { Vault } from '../vault/vault.ts'
import { openConnectionState } from './connection-state.ts'
import {
  accessOf,
  authenticate,
  authorizationOf,
  checkEncryption,
  endToken,
  type Authenticated,
} from './authenticate.ts'

/** The archive on this computer, as the process that serves it said when it was ready. */
export interface LocalArchive {
  url: string
  username: string
  password: string
}

export type StartLocalArchive = (sample: boolean) => Promise<LocalArchive>

/** Looks things up in whole lists of an archive, by what proves who asks at that time. */
export type LookingUp = (dialect: Dialect, access: () => Access) => LookUp

/** How long a token lives where the archive does not say (ESSArch: ten hours). */
const tokenMs = 10 * 3_600_000
/** Under what the cookie of a session is kept, beside the token. */
const cookieOf = (archive: string) => `${archive} cookie`

interface Parts {
  vault: Vault
  connect: Connect
  lookingUp: LookingUp
  dialects: Dialects
  startLocalArchive: StartLocalArchive
  now: () => Date
  /** Sees to that what is held of it is as a dialect reads it. @throws Failed disk */
  prepare: (dialect: Dialect) => Promise<void>
  /** Keeps what is known of the archive. */
  keep: (known: KnownArchive) => void
  /** What is held of it: its age, and what is wrong with its lists. */
  held: () => Pick<Connection, 'asOf' | 'unreadable' | 'shrunk' | 'incomplete'>
  /** Keeps an unexpected error, and gives what a person is told. */
  failureOf: (error: unknown) => Failure
  changed: () => void
}

/** An archive with the colour that it is told apart by. */
type Coloured = KnownArchive & { colour: number }

/** The client of one archive, and the secrets that it sends. */
const openAuthorizedClient = ({ connect, lookingUp }: Pick<Parts, 'connect' | 'lookingUp'>) => {
  let current: { url: string; dialect: string; client: ArchiveClient } | undefined
  let authorization: Access['authorization']
  let cookie = ''
  const lookups = openUnderWay()
  /** A lookup goes on with what proved who asks when it began. */
  const noting =
    (lookUp: LookUp): LookUp =>
    (name, ...input) =>
      lookups.note(lookUp(name, ...input))
  return {
    use: (scheme: KnownArchive['scheme'], secret: string, session: string) => {
      authorization = authorizationOf(scheme, secret)
      cookie = session
    },
    /** Waits for what was asked so far. */
    settled: async () => void (await Promise.all([lookups.settled(), current?.client.answered()])),
    open: (url: string, dialect: Dialect) => {
      // The archive on this computer may have another port each time.
      if (current?.url === url && current.dialect === dialect.name) return
      background(current?.client.close(), toProcess)
      const client = connect(url, () => authorization, dialect.conventions)
      const lookUp = noting(lookingUp(dialect, () => ({ url, authorization, cookie })))
      current = { url, dialect: dialect.name, client: withDialect(client, dialect, lookUp) }
    },
    close: () => {
      background(current?.client.close(), toProcess)
      current = undefined
      authorization = undefined
      cookie = ''
    },
    current: (): ArchiveClient | undefined => current?.client,
    access: (url: string): Access | undefined => (current ? { url, authorization, cookie } : undefined),
    /** Whether it is asked with this: some archives give whoever signs in again the token that they had. */
    uses: (access: Access) => current !== undefined && access.authorization === authorization,
  }
}

const accountOf = (known: Coloured, keptIn: KeptIn): Account => {
  const { id, name, url, isHere, username, fullName, scheme, since, ends, colour } = known
  const endsAt =
    scheme === 'Token' && !isHere && since !== undefined
      ? (ends ?? new Date(Date.parse(since) + tokenMs).toISOString())
      : null
  return { archive: id, name, url, isHere, username, fullName, scheme, keptIn, endsAt, colour }
}

/** Who one is at an archive, and how that is proved, by what is kept or anew. */
const openSignIn = (
  first: Coloured,
  authorized: ReturnType<typeof openAuthorizedClient>,
  { vault, connect, dialects, startLocalArchive, now, prepare, keep }: Parts,
) => {
  let known = first
  let keptIn: KeptIn = 'this session'
  /** Somebody signed out: what was under way then signs nobody in again, and keeps no secret. */
  let isLeft = false
  const checkStay = () => {
    if (isLeft) throw new Failed({ kind: 'signed-out' })
  }
  /** Keeps what proves who one is; what is not kept, or forgotten again, is ended at the archive. */
  const keepSecret = async (authenticated: Authenticated) => {
    const { known: confirmed, secret } = authenticated
    const spoken = dialects.named(confirmed.dialect)
    try {
      checkStay()
      await prepare(spoken)
      checkStay()
      keptIn = await vault.keep(confirmed.id, secret)
      checkStay()
    } catch (error) {
      const access = accessOf(authenticated)
      if (!authorized.uses(access)) background(endToken(access, spoken, connect), toProcess)
      throw error
    }
  }
  /** Goes on as the person who has just been authenticated. */
  const enter = async (authenticated: Authenticated) => {
    const { known: confirmed, secret, cookie } = authenticated
    await keepSecret(authenticated)
    if (cookie !== '') await vault.keep(cookieOf(confirmed.id), cookie)
    checkStay()
    known = { ...confirmed, colour: known.colour }
    authorized.use(confirmed.scheme, secret, cookie)
    keep(known)
  }
  const enterLocal = async () => {
    const { url, username, password } = await startLocalArchive(known.isSample)
    await enter(await authenticate({ ...known, url }, { username, password }, { connect, dialects, now }))
  }
  const enterRemote = async () => {
    checkEncryption(known)
    const kept = await vault.read(known.id)
    if (!kept) throw new Failed({ kind: 'signed-out' })
    const session = await vault.read(cookieOf(known.id))
    keptIn = kept.keptIn
    authorized.use(known.scheme, kept.secret, session?.secret ?? '')
  }
  return {
    known: () => known,
    keptIn: () => keptIn,
    isLeft: () => isLeft,
    checkStay,
    enter,
    /** By what is kept, or by starting the archive on this computer. */
    enterAgain: () => (known.isHere ? enterLocal() : enterRemote()),
    leave: async () => {
      isLeft = true
      try {
        await Promise.all([vault.forget(known.id), vault.forget(cookieOf(known.id))])
      } finally {
        // Also where a secret stays: no later start goes on with it.
        known = { ...known, isSignedIn: false }
        keep(known)
      }
    },
  }
}

/** What proved who one is until the sign-in was renewed; what was begun with it may go on. */
const openFormer = (end: (access: Access) => void) => {
  let all: Access[] = []
  return {
    add: (access: Access) => void all.push(access),
    end: () => {
      all.forEach(end)
      all = []
    },
  }
}

export type Archive = ReturnType<typeof openArchive>

/**
 * One archive that somebody is signed in to: who that is, how it is spoken with, and how the connection
 * stands. Showing another one changes nothing of it, and a sign-in that is renewed breaks nothing off.
 */
export const openArchive = (first: Coloured, parts: Parts) => {
  const { dialects, held, failureOf, changed } = parts
  const authorized = openAuthorizedClient(parts)
  const signIn = openSignIn(first, authorized, parts)
  const connection = openConnectionState(changed)
  let connecting: Promise<void> | undefined

  const dialect = (): Dialect => dialects.named(signIn.known().dialect)
  const open = () => {
    signIn.checkStay()
    authorized.open(signIn.known().url, dialect())
    connection.opened()
  }
  const begin = async () => {
    connection.connecting()
    try {
      await signIn.enterAgain()
      open()
    } catch (error) {
      if (!signIn.isLeft()) connection.noteExchange(failureOf(error))
    }
  }

  const end = (access: Access) => background(endToken(access, dialect(), parts.connect), toProcess)
  const former = openFormer(end)

  return {
    id: first.id,
    account: (): Account => accountOf(signIn.known(), signIn.keptIn()),
    known: signIn.known,
    /** What it speaks. */
    dialect,
    connection: (): Connection => ({ ...connection.now(), ...held() }),
    /** @throws Failed offline where there was no connection yet */
    client: (): ArchiveClient => {
      const client = authorized.current()
      if (!client) throw new Failed({ kind: 'offline', address: signIn.known().url, detail: '' })
      return client
    },
    /** The same; undefined where there was no connection yet. */
    findClient: authorized.current,
    /** Where it is and who asks: secrets of main and its threads; undefined without a connection so far. */
    access: (): Access | undefined => authorized.access(signIn.known().url),
    /**
     * Connects by what is kept, or starts the archive on this computer; asked meanwhile, that is waited for.
     */
    connect: (): Promise<void> => (connecting ??= begin().finally(() => (connecting = undefined))),
    /** Goes on as the person who has just been authenticated. */
    enter: async (authenticated: Authenticated) => {
      const { url, isHere } = signIn.known()
      const before = authorized.access(url)
      await signIn.enter(authenticated)
      open()
      if (before && !authorized.uses(before) && !isHere) former.add(before)
    },
    /** Ends the tokens of earlier sign-ins at the archive, once what was asked with them is answered. */
    endFormer: async () => {
      await authorized.settled()
      former.end()
    },
    noteExchange: connection.noteExchange,
    setRefreshing: connection.setRefreshing,
    noteLooked: connection.noteLooked,
    /**
     * Forgets what proves who one is, here and, without waiting for it, at the archive; what is held stays.
     * @throws the system's error where a secret could not be let go of; nobody is signed in then either
     */
    leave: async () => {
      const { url, isHere } = signIn.known()
      const access = authorized.access(url)
      try {
        await signIn.leave()
      } finally {
        authorized.close()
        if (access && !isHere) end(access)
        former.end()
      }
    },
  }
}
