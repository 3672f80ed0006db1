import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Account, Accounts } from './accounts.ts'
import type { Body, Database } from './database.ts'
import { readFields } from './fields.ts'
import { resources, showRecord, type Resource } from './resources.ts'

interface Answer {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

const largestBody = 1024 * 1024
const plain = (status: number, detail: string): Answer => ({ status, body: { detail } })

/** A page of another site could reach a loopback server under a name of its own; only our own names are answered. */
const isOurName = (host: string | undefined) => /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host ?? '')

const readBody = async (request: IncomingMessage): Promise<Body | Answer> => {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return plain(415, `Unsupported media type "${request.headers['content-type'] ?? ''}" in request.`)
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > largestBody) return plain(413, 'The body is larger than 1 MiB.')
    parts.push(part)
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'))
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body
    return { status: 400, body: { non_field_errors: ['Invalid data. Expected a dictionary.'] } }
  } catch (error) {
    return plain(400, `JSON parse error - ${(error as Error).message}`)
  }
}

const isAnswer = (value: Body | Answer): value is Answer => typeof value['status'] === 'number' && 'body' in value

const sessionOf = (request: IncomingMessage) => /(?:^|;\s*)lectern_session=([0-9a-f]+)/.exec(request.headers.cookie ?? '')?.[1]

/** Who is calling, by the first scheme that brings its own credentials (specification 5): a wrong one is not passed over. */
const whoCalls = (request: IncomingMessage, accounts: Accounts): { account: Account; byBasic: boolean } | string => {
  const [scheme = '', credentials = ''] = (request.headers.authorization ?? '').split(/\s+/, 2)
  if (/^token$/i.test(scheme)) {
    const account = accounts.byToken(credentials)
    return account ? { account, byBasic: false } : 'Invalid token.'
  }
  if (/^basic$/i.test(scheme)) {
    const [, username = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8')) ?? []
    const account = accounts.byPassword(username, password)
    return account ? { account, byBasic: true } : 'Invalid username/password.'
  }
  const account = accounts.bySession(sessionOf(request) ?? '')
  return account ? { account, byBasic: false } : 'Authentication credentials were not provided.'
}

const listOf = (resource: Resource, database: Database, account: Account) => {
  const rows = database
    .list(resource.kind)
    .filter((body) => resource.top?.(body) ?? true)
    .filter((body) => resource.visible?.(body, account) ?? true)
    .map((body) => showRecord(resource, body, database))
  return resource.newestFirst ? rows.reverse() : rows
}

const create = async (resource: Resource, request: IncomingMessage, database: Database, account: Account, now: Date): Promise<Answer> => {
  const { fields, make } = resource
  if (!fields || !make) return plain(405, `Method "${request.method}" not allowed.`)
  const body = await readBody(request)
  if (isAnswer(body)) return body
  return database.together(() => {
    const read = readFields(fields, body, database)
    if ('messages' in read) return { status: 400, body: read.messages }
    const made = database.put(resource.kind, make(read.values, database, account, now))
    return { status: 201, body: showRecord(resource, made, database) }
  })
}

const signIn = async (request: IncomingMessage, accounts: Accounts): Promise<Answer> => {
  if (request.method !== 'POST') return plain(405, `Method "${request.method}" not allowed.`)
  const body = await readBody(request)
  if (isAnswer(body)) return body
  const missing = ['username', 'password'].filter((name) => typeof body[name] !== 'string')
  if (missing.length > 0) return { status: 400, body: Object.fromEntries(missing.map((name) => [name, ['This field is required.']])) }
  const account = accounts.byPassword(String(body['username']), String(body['password']))
  if (!account) return { status: 400, body: { non_field_errors: ['Unable to log in with provided credentials.'] } }
  return { status: 200, body: { expiry: null, token: accounts.tokenFor(account) } }
}

const answer = async (request: IncomingMessage, database: Database, accounts: Accounts, now: () => Date): Promise<Answer> => {
  if (!isOurName(request.headers.host)) return plain(421, 'This archive answers on the loopback address only.')
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const [api, name = '', id, ...rest] = pathname.split('/').filter((part) => part !== '')
  if (api !== 'api' || rest.length > 0) return plain(404, 'Not found.')
  if (name === 'auth' && id === 'token_login') return signIn(request, accounts)

  const caller = whoCalls(request, accounts)
  if (typeof caller === 'string') return { ...plain(401, caller), headers: { 'WWW-Authenticate': 'Token' } }
  const headers: Record<string, string> = caller.byBasic ? { 'Set-Cookie': `lectern_session=${accounts.sessionFor(caller.account)}; HttpOnly; SameSite=Strict; Path=/` } : {}

  if (name === 'me' && id === undefined) {
    if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, `Method "${request.method}" not allowed.`)
    return { status: 200, body: caller.account.user, headers }
  }
  const resource = Object.hasOwn(resources, name) ? resources[name] : undefined
  if (!resource) return { ...plain(404, 'Not found.'), headers }
  if (request.method === 'POST' && id === undefined) return { ...(await create(resource, request, database, caller.account, now())), headers }
  if (request.method !== 'GET' && request.method !== 'HEAD') return { ...plain(405, `Method "${request.method}" not allowed.`), headers }
  if (id === undefined) {
    const rows = listOf(resource, database, caller.account)
    return { status: 200, body: rows, headers: { ...headers, Count: String(rows.length) } }
  }
  const body = database.one(resource.kind, decodeURIComponent(id))
  if (!body || !(resource.visible?.(body, caller.account) ?? true)) return { ...plain(404, 'Not found.'), headers }
  return { status: 200, body: showRecord(resource, body, database), headers }
}

const send = (response: ServerResponse, method: string | undefined, { status, body, headers }: Answer) => {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  })
  response.end(method === 'HEAD' ? undefined : text)
}

/**
 * Serves the REST interface on the loopback address.
 * @param port 0 takes any free port
 * @returns the address that clients use, and how to stop
 */
export const serve = async ({ database, accounts, port, now }: { database: Database; accounts: Accounts; port: number; now: () => Date }) => {
  const server = createServer((request, response) => {
    answer(request, database, accounts, now)
      .catch((error: unknown): Answer => {
        console.error(error)
        return plain(500, 'The archive met an error of its own; its log says more.')
      })
      .then((said) => send(response, request.method, said))
      .catch(() => response.destroy())
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
        server.closeAllConnections()
      }),
  }
}
