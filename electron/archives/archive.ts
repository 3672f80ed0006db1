import { isUnencrypted } from '../archive-client/address.ts'
import type { Access, Authorization, Connect, Reach } from '../archive-client/http.ts'
import { obtainToken, readMe } from '../archive-client/session.ts'
import { Failed, type Failure } from '../contract/failure.ts'
import type { Account, Connection, KeptIn } from '../contract/session.ts'
import type { KnownArchive } from '../store/desk.ts'
import type { Vault } from '../vault/vault.ts'

/** The archive on this computer, as the process that serves it said when it was ready. */
export interface LocalArchive {
  url: string
  username: string
  password: string
}

export type StartLocalArchive = (sample: boolean) => Promise<LocalArchive>

/** How long a token lives where the archive does not say (ESSArch: ten hours). */
const tokenMs = 10 * 3_600_000
/** A short answer that takes longer than this is late. */
const lateMs = 3_000

/** Codes of a network that does not lead to the archive; by others somebody is there and refuses. */
const isRefusal = (code: string) =>
  /^(ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET|EPROTO)$|CERT|TLS|SSL/.test(code)

const stateAfter = (failure: Failure | null, tookMs: number): Connection['state'] => {
  if (failure === null) return tookMs > lateMs ? 'slow' : 'online'
  if (failure.kind === 'signed-out' || failure.kind === 'unencrypted') return 'signed-out'
  if (failure.kind === 'proxy') return 'offline'
  if (failure.kind === 'offline') return isRefusal(failure.detail) ? 'refused' : 'offline'
  return failure.kind === 'server-broke' && failure.detail === 'too-slow' ? 'slow' : 'refused'
}

/** Under what the cookie of a session is kept, beside the token. */
const cookieOf = (archive: string) => `${archive} cookie`

/** A password goes unencrypted to another computer only if somebody agreed. @throws Failed unencrypted */
export const checkEncryption = ({ url, mayBeRead }: Pick<KnownArchive, 'url' | 'mayBeRead'>) => {
  if (mayBeRead !== true && isUnencrypted(new URL(url)))
    throw new Failed({ kind: 'unencrypted', address: url })
}

/** Who proved to be somebody at an archive, and how that is proved from now on. */
export interface Proof {
  known: KnownArchive
  secret: string
  cookie: string
}

interface ProofParts {
  connect: Connect
  now: () => Date
}

/**
 * Proves name and password by a token, else by Basic authentication (specification 1.2).
 * @throws Failed wrong-password, or how the archive could not be reached
 */
export const prove = async (
  archive: Omit<KnownArchive, 'username' | 'fullName' | 'scheme' | 'since' | 'ends' | 'isSignedIn'>,
  username: string,
  password: string,
  { connect, now }: ProofParts,
): Promise<Proof> => {
  const asking = connect(archive.url, () => undefined)
  const obtained = await obtainToken(asking, username, password).finally(() => asking.close())
  const scheme = obtained === undefined ? 'Basic' : 'Token'
  const secret = obtained?.token ?? Buffer.from(`${username}:${password}`).toString('base64')
  const trying = connect(archive.url, () => `${scheme} ${secret}`)
  const me = await readMe(trying)
    .catch((error: unknown) => {
      throw error instanceof Failed && error.failure.kind === 'signed-out'
        ? new Failed({ kind: 'wrong-password' })
        : error
    })
    .finally(() => trying.close())
  const known: KnownArchive = {
    ...archive,
    ...me,
    scheme,
    since: now().toISOString(),
    ends: obtained?.ends ?? null,
    isSignedIn: true,
  }
  return { known, secret, cookie: obtained?.cookie ?? '' }
}

interface Parts {
  vault: Vault
  connect: Connect
  startLocalArchive: StartLocalArchive
  now: () => Date
  /** Keeps what is known of the archive. */
  keep: (known: KnownArchive) => void
  /** What is held of it: its age, and what is wrong with its lists. */
  held: () => Pick<Connection, 'asOf' | 'unreadable' | 'shrunk'>
  /** Keeps an unexpected error, and gives what a person is told. */
  failureOf: (error: unknown) => Failure
  changed: () => void
}

export type Archive = ReturnType<typeof openArchive>

/**
 * One archive that somebody is signed in to: who that is, how it is spoken with, and how the connection stands.
 * Showing another one changes nothing here, and a sign-in that is renewed breaks nothing off.
 */
export const openArchive = (
  first: KnownArchive & { colour: number },
  { vault, connect, startLocalArchive, now, keep, held, failureOf, changed }: Parts,
) => {
  let known: KnownArchive & { colour: number } = first
  let keptIn: KeptIn = 'this session'
  let reached: { url: string; reach: Reach } | undefined
  let authorization: Authorization
  let cookie = ''
  let state: Connection['state'] = 'signed-out'
  let failure: Failure | null = null
  let isRefreshing = false
  let connecting: Promise<void> | undefined
  /** Somebody signed out: what was under way then signs nobody in again, and keeps no secret. */
  let isLeft = false
  const checkStay = () => {
    if (isLeft) throw new Failed({ kind: 'signed-out' })
  }

  const open = () => {
    checkStay()
    // The archive on this computer may have another port each time.
    if (reached?.url !== known.url) {
      void reached?.reach.close()
      reached = { url: known.url, reach: connect(known.url, () => authorization) }
    }
    state = 'online'
    failure = null
    // Its lists are read next; nobody takes the time until then for the time after.
    isRefreshing = true
    changed()
  }
  const close = () => {
    void reached?.reach.close()
    reached = undefined
    authorization = undefined
    cookie = ''
  }
  const met = (trouble: Failure | null, tookMs = 0) => {
    failure = trouble
    state = stateAfter(trouble, tookMs)
    changed()
  }

  /** Goes on as the person who has just proved to be it. */
  const enter = async ({ known: proved, secret, cookie: session }: Proof) => {
    checkStay()
    keptIn = await vault.keep(proved.id, secret)
    checkStay()
    if (session !== '') await vault.keep(cookieOf(proved.id), session)
    checkStay()
    known = { ...proved, colour: known.colour }
    authorization = `${proved.scheme} ${secret}`
    cookie = session
    keep(known)
    open()
  }
  const enterLocal = async () => {
    const { url, username, password } = await startLocalArchive(known.isSample)
    await enter(await prove({ ...known, url }, username, password, { connect, now }))
  }
  const enterRemote = async () => {
    checkEncryption(known)
    const secret = await vault.read(known.id)
    if (!secret) throw new Failed({ kind: 'signed-out' })
    const session = await vault.read(cookieOf(known.id))
    keptIn = secret.keptIn
    authorization = `${known.scheme} ${secret.secret}`
    cookie = session?.secret ?? ''
    open()
  }
  const begin = async () => {
    state = 'connecting'
    failure = null
    changed()
    try {
      await (known.isHere ? enterLocal() : enterRemote())
    } catch (error) {
      if (!isLeft) met(failureOf(error))
    }
  }

  const account = (): Account => {
    const { id, name, url, isHere, username, fullName, scheme, since, ends, colour } = known
    const endsAt =
      scheme === 'Token' && !isHere && since !== undefined
        ? (ends ?? new Date(Date.parse(since) + tokenMs).toISOString())
        : null
    return { archive: id, name, url, isHere, username, fullName, scheme, keptIn, endsAt, colour }
  }

  return {
    id: first.id,
    account,
    known: () => known,
    connection: (): Connection => ({ state, refreshing: isRefreshing, failure, ...held() }),
    /** How it is spoken with. @throws Failed where it was not reached yet */
    reach: (): Reach => {
      if (!reached) throw new Failed({ kind: 'offline', address: known.url, detail: '' })
      return reached.reach
    },
    /** The same where it was reached; else undefined. */
    reached: (): Reach | undefined => reached?.reach,
    /** How it is reached: secrets that stay in main and its threads; undefined where it was not yet. */
    access: (): Access | undefined => (reached ? { url: known.url, authorization, cookie } : undefined),
    /** Connects by what is kept, or starts the archive on this computer; asked meanwhile, that is waited for. */
    connect: (): Promise<void> => (connecting ??= begin().finally(() => (connecting = undefined))),
    enter,
    /** What the last talk with the archive showed, and how long a short answer took, in milliseconds. */
    met,
    setRefreshing: (is: boolean) => {
      isRefreshing = is
      changed()
    },
    /** Forgets what proves who one is; what is held stays. */
    leave: async () => {
      isLeft = true
      await Promise.all([vault.forget(known.id), vault.forget(cookieOf(known.id))])
      known = { ...known, isSignedIn: false }
      keep(known)
      close()
    },
  }
}
