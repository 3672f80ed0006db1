import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable, type Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { entryIn } from '../../common/records.ts'
import type { Account, Accounts, Person } from '../accounts/accounts.ts'
import { background, toProcess } from '../../common/background.ts'
import { tooManyAttempts } from '../accounts/attempts.ts'
import { notAllowed, plain, type Answer } from './answer.ts'
import { seenBy, type Database } from '../database.ts'
import { describeFields, readFields } from './fields.ts'
import { filesAnswer } from '../files/files-answer.ts'
import type { PackageFiles } from '../files/package-files.ts'
import { listingOf, recordOf, recordsOf, sendListing } from './lists.ts'
import { readBody } from './read-body.ts'
import { find, findOne, SearchTooLong } from '../search/find.ts'
import { readQuery } from '../search/read-query.ts'
import { resources } from '../resources/index.ts'
import { isOutOfSpace, isSystemError } from '../system-error.ts'
import { enterRecord, type RequestContext, type Resource } from '../resources/resource.ts'

/**
 * A page of another site could reach a loopback server under a name of its own; only our own names are
 * answered.
 */
const isOurName = (host: string | undefined) =>
  /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host ?? '') && URL.canParse(`http://${host}`)

/** A client resolves these before it asks (RFC 3986 5.2.4); what leads out of a package leads nowhere. */
const hasDotSegment = (target: string) =>
  /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i.test(target.replace(/\?.*/s, ''))

const sessionOf = (request: IncomingMessage) =>
  /(?:^|;\s*)lectern_session=([0-9a-f-]{1,200})/.exec(request.headers.cookie ?? '')?.[1]

const tooMany: Answer = {
  ...plain(429, 'Too many attempts to sign in. Try again in a moment.'),
  headers: { 'Retry-After': '5' },
}

const tokenOf = (request: IncomingMessage) =>
  /^token\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]

interface Caller {
  account: Account
  byBasic: boolean
}

/**
 * Who is calling, by the first scheme that brings its own credentials (specification 5): a wrong one is not
 * passed over.
 * @returns the caller, or why that is not known
 */
const whoCalls = async (
  request: IncomingMessage,
  accounts: Accounts,
): Promise<Caller | string | typeof tooManyAttempts> => {
  const [scheme = '', credentials = ''] = (request.headers.authorization ?? '').split(/\s+/, 2)
  if (/^token$/i.test(scheme)) {
    const account = accounts.byToken(credentials)
    return account ? { account, byBasic: false } : 'Invalid token.'
  }
  if (/^basic$/i.test(scheme)) {
    const [, username = '', password = ''] =
      /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8')) ?? []
    const account = await accounts.byPassword(username, password)
    if (account === tooManyAttempts) return account
    return account ? { account, byBasic: true } : 'Invalid username/password.'
  }
  const account = accounts.bySession(sessionOf(request) ?? '')
  return account ? { account, byBasic: false } : 'Authentication credentials were not provided.'
}

const mayCreate = ({ fields, make, isOpen }: Resource, { role }: Account) =>
  fields !== undefined && make !== undefined && (isOpen === true || role !== 'reader')

const reading = 'GET, HEAD, OPTIONS'
/** What may be done with a list. */
const methodsOf = (resource: Resource, account: Account) =>
  mayCreate(resource, account) ? 'GET, POST, HEAD, OPTIONS' : reading

const create = async (
  resource: Resource,
  request: IncomingMessage,
  database: Database,
  asking: RequestContext,
): Promise<Answer> => {
  const { fields, make, check } = resource
  if (!fields || !make) return notAllowed(request, reading)
  if (!mayCreate(resource, asking.account))
    return plain(403, 'You do not have permission to perform this action.')
  const sent = await readBody(request)
  if ('refusal' in sent) return sent.refusal
  return database.transaction(() => {
    const read = readFields(fields, sent.body, database, resource.kind)
    const messages = 'messages' in read ? read.messages : check?.(read.values, database)
    if (messages || 'messages' in read) return { status: 400, body: messages }
    const made = enterRecord(resource, read.values, database, asking)
    return { status: 201, listing: recordOf(resource, made, database, asking) }
  })
}

/** What may be done with a list, and the fields of a POST for those who may send one. */
const describe = (name: string, resource: Resource, account: Account): Answer => {
  const canCreate = mayCreate(resource, account)
  return {
    status: 200,
    headers: { Allow: methodsOf(resource, account) },
    body: {
      name: name.replaceAll('-', ' '),
      renders: ['application/json'],
      parses: ['application/json'],
      ...(canCreate ? { actions: { POST: describeFields(resource.fields ?? {}) } } : {}),
    },
  }
}

/** A token for who proves a name by its password (specification 5). */
export const signIn = async (request: IncomingMessage, accounts: Accounts): Promise<Answer> => {
  if (request.method !== 'POST') return notAllowed(request, 'POST')
  const sent = await readBody(request)
  if ('refusal' in sent) return sent.refusal
  const { body } = sent
  const missing = ['username', 'password'].filter((name) => typeof body[name] !== 'string')
  if (missing.length > 0)
    return {
      status: 400,
      body: Object.fromEntries(missing.map((name) => [name, ['This field is required.']])),
    }
  const account = await accounts.byPassword(String(body['username']), String(body['password']))
  if (account === tooManyAttempts) return tooMany
  if (!account)
    return { status: 400, body: { non_field_errors: ['Unable to log in with provided credentials.'] } }
  return { status: 200, body: accounts.newToken(account) }
}

/** Ends the token that the request carries, or every token of its owner (as ESSArch names these paths). */
const signOut = (request: IncomingMessage, path: string, accounts: Accounts, { account }: Caller): Answer => {
  if (request.method !== 'POST') return notAllowed(request, 'POST')
  const token = tokenOf(request)
  if (path === 'auth/token_logoutall') accounts.forgetTokens(account)
  else if (token !== undefined) accounts.forgetToken(token)
  return { status: 204 }
}

/** What another way to speak is given of a request. */
export interface Asked {
  request: IncomingMessage
  /** The path below /api/, part by part. */
  parts: string[]
  url: URL
  database: Database
  accounts: Accounts
  now: Date
  /** Who calls, or why that is not known. */
  caller: Account | string
}

/**
 * Another way to speak of the same holdings, as other archives do: it answers by itself, or gives `undefined`
 * and lets the archive answer as the specification says.
 */
export interface Dialect {
  answer: (asked: Asked) => Promise<Answer | undefined>
  /** Whether what is laid into the ingest folder is taken in. */
  isWatchingIngest: boolean
  /** Who works there beside those whom every archive has. */
  people: Person[]
  /** A channel of its own that a client asks to open, where it has one. */
  upgrade?: (request: IncomingMessage, socket: Duplex, database: Database) => void
}

interface Parts {
  database: Database
  accounts: Accounts
  files: PackageFiles
  now: () => Date
  dialect?: Dialect | undefined
}

const answer = async (
  request: IncomingMessage,
  { database, accounts, files, now, dialect }: Parts,
): Promise<Answer> => {
  if (!isOurName(request.headers.host))
    return plain(421, 'This archive answers on the loopback address only.')
  if (hasDotSegment(request.url ?? '/')) return plain(404, 'Not found.')
  const url = URL.parse(request.url ?? '/', 'http://127.0.0.1')
  if (!url) return plain(400, 'The address cannot be read.')
  const [api, ...parts] = url.pathname.split('/').filter((part) => part !== '')
  if (api !== 'api') return plain(404, 'Not found.')
  const path = parts.join('/')
  if (path === 'auth/token_login' && !dialect) return signIn(request, accounts)
  const caller = await whoCalls(request, accounts)
  if (caller === tooManyAttempts) return tooMany
  if (dialect) {
    const said = await dialect.answer({
      request,
      parts,
      url,
      database,
      accounts,
      now: now(),
      caller: typeof caller === 'string' ? caller : caller.account,
    })
    if (said) return said
  }
  if (typeof caller === 'string') return { ...plain(401, caller), headers: { 'WWW-Authenticate': 'Token' } }
  if (path === 'auth/token_logout' || path === 'auth/token_logoutall')
    return signOut(request, path, accounts, caller)
  const { account, byBasic } = caller
  const headers: Record<string, string> = byBasic
    ? { 'Set-Cookie': `lectern_session=${accounts.sessionFor(account)}; HttpOnly; SameSite=Strict; Path=/` }
    : {}
  const said = await resourceAnswer({
    request,
    parts,
    url,
    database: seenBy(database, account),
    files,
    asking: { account, now: now() },
  })
  return { ...said, headers: { ...headers, ...said.headers } }
}

interface Question {
  request: IncomingMessage
  /** The path below /api/, part by part. */
  parts: string[]
  url: URL
  database: Database
  files: PackageFiles
  asking: RequestContext
}

const decoded = (part: string) => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * A search, its filters after the path or as a query string or both; or one indexed object by its id
 * (specification 4.3). Of a filter that stands in both, the path's counts.
 */
const searchAnswer = async (url: URL, database: Database, { account }: RequestContext): Promise<Answer> => {
  const below = url.pathname.replace(/^\/+api\/+search\/*/, '')
  // Backwards, as an expression for slashes at the end would begin anew at each slash.
  let end = below.length
  while (below.charAt(end - 1) === '/') end -= 1
  const asked = below.slice(0, end)
  const isReader = account.role === 'reader'
  if (asked !== '' && !asked.includes('=')) {
    const found = findOne(database, decoded(asked))
    return found ? { status: 200, body: found } : plain(404, 'Not found.')
  }
  const query = readQuery(new URLSearchParams([...new URLSearchParams(asked), ...url.searchParams]))
  if ('detail' in query) return plain(query.status, query.detail)
  const found = await find(database, query, isReader).catch((error: unknown) => {
    if (error instanceof SearchTooLong) return error
    throw error
  })
  if (found instanceof SearchTooLong)
    return plain(503, 'The search took too long. Ask for rarer words, or for fewer of them.')
  return found
    ? { status: 200, body: found.answer, headers: { Count: String(found.total) } }
    : plain(404, 'Invalid page.')
}

const resourceAnswer = async ({
  request,
  parts,
  url,
  database,
  files,
  asking,
}: Question): Promise<Answer> => {
  const isReading = request.method === 'GET' || request.method === 'HEAD'
  const [name, id, ...rest] =
    parts[0] === 'me' && parts[1] === 'searches' ? ['me/searches', ...parts.slice(2)] : parts
  if (name === 'me' && id === undefined)
    return isReading
      ? { status: 200, body: { ...asking.account.user, role: asking.account.role } }
      : notAllowed(request, 'GET, HEAD')
  if (name === 'search')
    return isReading || request.method === 'OPTIONS'
      ? searchAnswer(url, database, asking)
      : notAllowed(request, reading)
  if (name === 'information-packages' && id !== undefined && rest[0] === 'files')
    return filesAnswer(decoded(id), { request, url, database, files, now: asking.now })
  const resource = name === undefined ? undefined : entryIn(resources, name)
  if (!resource || name === undefined || rest.length > 0) return plain(404, 'Not found.')
  if (request.method === 'OPTIONS') return describe(name, resource, asking.account)
  if (request.method === 'POST' && id === undefined) return create(resource, request, database, asking)
  if (isReading) return readResource(resource, id, { request, url, database, asking })
  return notAllowed(request, id === undefined ? methodsOf(resource, asking.account) : reading)
}

/** The list of a resource, those of its records that a filter in the path names, or one of them. */
const readResource = (
  resource: Resource,
  id: string | undefined,
  { request, url, database, asking }: Pick<Question, 'request' | 'url' | 'database' | 'asking'>,
): Answer => {
  if (id === undefined) {
    const host = request.headers.host ?? '127.0.0.1'
    return { status: 200, listing: listingOf(resource, database, asking, url, host) }
  }
  const { filtered } = resource
  if (filtered && id.includes('=')) {
    const read = () => filtered(new URLSearchParams(id), database)
    return { status: 200, listing: recordsOf(resource, read, database, asking) }
  }
  const body = database.one(resource.kind, decoded(id))
  if (!body) return plain(404, 'Not found.')
  return { status: 200, listing: recordOf(resource, body, database, asking) }
}

const send = async (
  response: ServerResponse,
  method: string | undefined,
  { status, body, listing, bytes, stream, headers }: Answer,
) => {
  const general = {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  }
  if (listing) {
    response.writeHead(status, { ...general, ...listing.headers })
    if (method !== 'HEAD') return sendListing(response, listing)
    response.end()
    return
  }
  if (stream) {
    const length = stream.bytes === undefined ? {} : { 'Content-Length': stream.bytes }
    response.writeHead(status, { ...general, ...length })
    // Who leaves ends the reading; what cannot be read to its end breaks off the answer.
    if (method !== 'HEAD') return pipeline(Readable.from(stream.chunks), response)
    response.end()
    return
  }
  if (status === 304) {
    const { 'Content-Type': _, ...known } = general
    response.writeHead(status, known).end()
    return
  }
  const whole = bytes ?? Buffer.from(body === undefined ? '' : JSON.stringify(body))
  response.writeHead(status, { ...general, 'Content-Length': whole.length })
  response.end(method === 'HEAD' ? undefined : whole)
}

/** A trouble of the computer, which passes: 507 where the disk is full (RFC 4918 11.5), else 503. */
const troubleOf = (error: Error): Answer => ({
  ...(isOutOfSpace(error)
    ? plain(507, 'There is no room left on the disk of the archive. Nothing was changed.')
    : plain(503, `The archive cannot use its files at the moment: ${error.message}. Nothing was changed.`)),
  headers: { 'Retry-After': '30' },
})

/**
 * Lets the requests of one connection be answered one after the other: what is made for one that was sent
 * before the answer to the last one was read (RFC 9112 9.3.2) would wait in memory.
 */
const openTurns = () => {
  const ended = new WeakMap<Socket, Promise<void>>()
  return ({ socket }: IncomingMessage, response: ServerResponse, respond: () => Promise<unknown>): void => {
    const before = ended.get(socket) ?? Promise.resolve()
    ended.set(socket, new Promise((done) => response.once('close', done)))
    const respondNow = async () => {
      await before
      if (!socket.destroyed) await respond()
    }
    background(respondNow(), toProcess)
  }
}

/**
 * Serves the REST interface on the loopback address.
 * @param port 0 takes any free port
 * @param parts what it serves, and by which dialect; none is the specification
 * @returns the address that clients use, and how to stop
 */
export const serve = async (port: number, parts: Parts) => {
  const inTurn = openTurns()
  const respond = (request: IncomingMessage, response: ServerResponse) =>
    answer(request, parts)
      .catch((error: unknown): Answer => {
        // Who left in the middle of a body hears no answer.
        if (request.destroyed && !request.complete) return plain(400, 'The body was cut off.')
        console.error(error)
        if (isSystemError(error)) return troubleOf(error)
        return plain(500, 'The archive met an error of its own; its log says more.')
      })
      .then((said) => send(response, request.method, said))
      .catch(() => response.destroy())
  const server = createServer((request, response) =>
    inTurn(request, response, () => respond(request, response)),
  )
  const { dialect, database } = parts
  const channels = new Set<Duplex>()
  if (dialect?.upgrade)
    server.on('upgrade', (request, socket) => {
      channels.add(socket)
      socket.once('close', () => channels.delete(socket))
      dialect.upgrade?.(request, socket, database)
    })
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', listening)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The archive has no address.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise<void>((stopped) => {
        server.close(() => stopped())
        // A channel is no connection of the server's any more, and would be waited for.
        for (const socket of channels) socket.destroy()
        server.closeAllConnections()
      }),
  }
}
