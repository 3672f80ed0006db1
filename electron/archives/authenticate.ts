import { isUnencrypted } from '../archive-client/address.ts'
import type { Access, Connect, Credentials } from '../archive-client/http.ts'
import { background, toProcess } from '../common/background.ts'
import { Failed, unauthenticated } from '../contract/failure.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Dialects } from '../dialects/dialects.ts'
import type { KnownArchive } from '../store/desk/desk-store.ts'

/** A password goes unencrypted to another computer only if somebody agreed. @throws Failed unencrypted */
export const checkEncryption = ({ url, mayBeRead }: Pick<KnownArchive, 'url' | 'mayBeRead'>) => {
  if (mayBeRead !== true && isUnencrypted(new URL(url)))
    throw new Failed({ kind: 'unencrypted', address: url })
}

/** Who is signed in to an archive, and what proves that from now on. */
export interface Authenticated {
  known: KnownArchive
  secret: string
  cookie: string
}

type Unauthenticated = Omit<
  KnownArchive,
  'username' | 'fullName' | 'dialect' | 'scheme' | 'since' | 'ends' | 'isSignedIn'
>

/** What goes with each request of whoever was authenticated. */
export const accessOf = ({ known: { url, scheme }, secret, cookie }: Authenticated): Access => ({
  url,
  authorization: authorizationOf(scheme, secret),
  cookie,
})

/** How a request says who sends it. */
export const authorizationOf = (scheme: KnownArchive['scheme'], secret: string) => `${scheme} ${secret}`

/**
 * Ends a token at the archive, which may not answer: then it ends by itself, some hours later. Where name and
 * password go with each request there is none.
 */
export const endToken = async (
  { url, authorization, cookie }: Access,
  dialect: Dialect,
  connect: Connect,
) => {
  if (authorization?.startsWith('Token ') !== true) return
  const client = connect(url, () => authorization, dialect.conventions)
  try {
    await dialect.session.endToken?.(client, cookie)
  } catch (error) {
    if (!(error instanceof Failed)) throw error
  } finally {
    await client.close()
  }
}

interface AuthenticationParts {
  connect: Connect
  dialects: Dialects
  now: () => Date
}

/** What an archive does not know that speaks otherwise. */
const isUnknown = (error: unknown) =>
  error instanceof Failed &&
  (error.failure.kind === 'not-found' ||
    (error.failure.kind === 'server-broke' && [404, 405].includes(error.failure.status)))

/** What an archive answers that looks at no password any more (RFC 6585 4). */
const asShutOut = (error: unknown): unknown =>
  error instanceof Failed && error.failure.kind === 'server-broke' && error.failure.status === 429
    ? new Failed({ kind: 'shut-out', detail: error.failure.excerpt }, { cause: error })
    : error

/**
 * Why name and password were not taken with a request.
 * @param refusal what was said where a token was refused before: that is a scheme that is off, or an account
 * that is locked, which an archive does not tell apart by its status
 */
const whyNot = (error: unknown, refusal: string | undefined): unknown => {
  const failure = error instanceof Failed ? error.failure : undefined
  if (refusal !== undefined && (failure?.kind === 'signed-out' || failure?.kind === 'not-allowed'))
    return new Failed({ kind: 'shut-out', detail: refusal }, { cause: error })
  return failure?.kind === 'signed-out' ? new Failed(unauthenticated(failure)) : asShutOut(error)
}

/**
 * Signs in with name and password: by a token, else by Basic authentication, in the first dialect in which
 * the archive knows of accounts.
 * @throws Failed wrong-password, shut-out, or how the archive could not be reached
 */
export const authenticate = async (
  archive: Unauthenticated,
  credentials: Credentials,
  { connect, dialects, now }: AuthenticationParts,
): Promise<Authenticated> => {
  const [first, ...others] = dialects.all
  let found = authenticateIn(first, archive, credentials, { connect, now })
  for (const other of others)
    found = found.catch((error: unknown) => {
      if (!isUnknown(error)) throw error
      return authenticateIn(other, archive, credentials, { connect, now })
    })
  return found
}

const authenticateIn = async (
  spoken: Dialect,
  archive: Unauthenticated,
  credentials: Credentials,
  { connect, now }: Pick<AuthenticationParts, 'connect' | 'now'>,
): Promise<Authenticated> => {
  const { name: dialect, conventions, session } = spoken
  const { username, password } = credentials
  const asking = connect(archive.url, () => undefined, conventions)
  let refusal: string | undefined
  const obtained = await session
    .obtainToken(asking, credentials)
    .catch((error: unknown) => {
      if (!(error instanceof Failed) || error.failure.kind !== 'not-allowed') throw asShutOut(error)
      refusal = error.failure.detail
      return undefined
    })
    .finally(() => asking.close())
  const scheme = obtained === undefined ? 'Basic' : 'Token'
  const secret = obtained?.token ?? Buffer.from(`${username}:${password}`).toString('base64')
  const authorization = authorizationOf(scheme, secret)
  const trying = connect(archive.url, () => authorization, conventions)
  const account = await session
    .account(trying)
    .catch((error: unknown) => {
      const { cookie = '' } = obtained ?? {}
      background(endToken({ url: archive.url, authorization, cookie }, spoken, connect), toProcess)
      throw whyNot(error, refusal)
    })
    .finally(() => trying.close())
  const known: KnownArchive = {
    ...archive,
    // An archive that has no name for an account was told one at least.
    username: account.username || username,
    fullName: account.fullName || username,
    dialect,
    scheme,
    since: now().toISOString(),
    ends: obtained?.ends ?? null,
    isSignedIn: true,
  }
  return { known, secret, cookie: obtained?.cookie ?? '' }
}
