import tls from 'node:tls'
import { Agent, request, type Dispatcher } from 'undici'
import { Failed, type ServerTrouble } from '../contract/failure.ts'

const longestBytes = 256 * 1024 * 1024
const connectMs = 10_000
const answerMs = 30_000
const wholeMs = 120_000

/** How a request proves who sends it: the value of the Authorization header (specification 5), or none. */
export type Authorization = string | undefined

/** The archive as the endpoints see it. Paths are below /api/, without a leading slash. */
export interface Reach {
  url: string
  get: (path: string) => Promise<unknown>
  /** Every row of a list: an array, or its pages where the answer names a next one (Link, RFC 8288). */
  list: (path: string) => Promise<unknown[]>
  post: (path: string, body: unknown) => Promise<unknown>
  options: (path: string) => Promise<unknown>
  close: () => Promise<void>
}

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return ''
  const { code, cause } = error as Error & { code?: unknown }
  return typeof code === 'string' ? code : codeOf(cause)
}

const troubleOf = (code: string): ServerTrouble | undefined => {
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT' || code === 'ABORT_ERR' || code === 'UND_ERR_ABORTED') return 'too-slow'
  if (code === 'UND_ERR_SOCKET' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' || code === 'ECONNRESET') return 'cut-off'
  return code.startsWith('HPE_') ? 'unexpected' : undefined
}

const readBody = async (body: AsyncIterable<Buffer>, address: string, status: number) => {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body) {
    parts.push(part)
    length += part.length
    if (length > longestBytes) throw new Failed({ kind: 'server-broke', address, status, detail: 'too-long', excerpt: '' })
  }
  return Buffer.concat(parts).toString('utf8')
}

const parsed = (text: string, type: string, address: string, status: number): unknown => {
  const excerpt = text.slice(0, 600)
  if (/html/i.test(type) || /^\s*<(!doctype|html)/i.test(text)) throw new Failed({ kind: 'server-broke', address, status, detail: 'html', excerpt })
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    const isCut = /Unexpected end|Unterminated/.test((error as Error).message)
    throw new Failed({ kind: 'server-broke', address, status, detail: isCut ? 'cut-off' : 'not-json', excerpt }, { cause: error })
  }
}

/** The messages of a 400 by field. Those of nested rows mirror the input and stand under "names.0.main"; a bare text stands under no field. */
const messagesOf = (body: unknown): Record<string, string[]> => {
  const messages: Record<string, string[]> = {}
  const collect = (value: unknown, at: string[]) => {
    if (typeof value === 'string') (messages[at.join('.')] ??= []).push(value)
    else if (Array.isArray(value)) value.forEach((it, index) => collect(it, typeof it === 'string' ? at : [...at, String(index)]))
    else if (typeof value === 'object' && value !== null) for (const [key, it] of Object.entries(value)) collect(it, [...at, key])
  }
  collect(body, [])
  return messages
}

const detailOf = (body: unknown) => messagesOf(body)['detail']?.join(' ') ?? ''

const failureOf = (status: number, body: unknown, address: string): Failed => {
  if (status === 400 || status === 422) return new Failed({ kind: 'refused', fields: messagesOf(body) })
  if (status === 401) return new Failed({ kind: 'signed-out' })
  if (status === 403) return new Failed({ kind: 'not-allowed', detail: detailOf(body) })
  if (status === 404) return new Failed({ kind: 'not-found', what: address })
  if (status === 409) return new Failed({ kind: 'conflict', detail: detailOf(body) })
  return new Failed({ kind: 'server-broke', address, status, detail: 'error', excerpt: JSON.stringify(body ?? '').slice(0, 600) })
}

const nextPage = (link: string | string[] | undefined) => /<([^>]+)>\s*;[^,]*\brel="?next"?/i.exec([link].flat().join(','))?.[1]

/** Certificates that Node ships and those the operating system trusts, since an archive's own authority is known only there. */
export const trustedCertificates = () => [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])]

/** Speaks to one archive; every endpoint goes through here, and here alone a status becomes a failure. */
export const reach = (url: string, authorization: Authorization, language: () => string): Reach => {
  const base = `${url.replace(/\/+$/, '')}/api/`
  const agent = new Agent({
    connect: { timeout: connectMs, ca: trustedCertificates() },
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
    keepAliveTimeout: 4_000,
  })

  const ask = async (method: Dispatcher.HttpMethod, address: string, body?: unknown) => {
    let status = 0
    try {
      const response = await request(address, {
        dispatcher: agent,
        method,
        signal: AbortSignal.timeout(wholeMs),
        headers: {
          accept: 'application/json',
          'accept-language': language(),
          ...(authorization === undefined ? {} : { authorization }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      status = response.statusCode
      const text = await readBody(response.body, address, status)
      const type = String(response.headers['content-type'] ?? '')
      if (status >= 300 && status < 400) throw new Failed({ kind: 'server-broke', address, status, detail: 'unexpected', excerpt: String(response.headers['location'] ?? '') })
      if (status >= 400) {
        const isReadable = /json/i.test(type)
        if (!isReadable && (status === 404 || status >= 500 || status === 400))
          throw new Failed({ kind: 'server-broke', address, status, detail: /html/i.test(type) ? 'html' : 'error', excerpt: text.slice(0, 600) })
        throw failureOf(status, isReadable ? parsed(text, type, address, status) : text, address)
      }
      return { body: parsed(text, type, address, status), link: response.headers['link'] }
    } catch (error) {
      if (error instanceof Failed) throw error
      const code = codeOf(error)
      const trouble = troubleOf(code)
      if (trouble && (status > 0 || trouble !== 'cut-off')) throw new Failed({ kind: 'server-broke', address, status, detail: trouble, excerpt: '' }, { cause: error })
      throw new Failed({ kind: 'offline', address: url, detail: code || (error as Error).message }, { cause: error })
    }
  }

  return {
    url,
    get: async (path) => (await ask('GET', base + path)).body,
    post: async (path, body) => (await ask('POST', base + path, body)).body,
    options: async (path) => (await ask('OPTIONS', base + path)).body,
    list: async (path) => {
      const rows: unknown[] = []
      const seen = new Set<string>()
      for (let address: string | undefined = base + path; address !== undefined && !seen.has(address);) {
        seen.add(address)
        const { body, link } = await ask('GET', address)
        if (!Array.isArray(body)) throw new Failed({ kind: 'server-broke', address, status: 200, detail: 'unexpected', excerpt: JSON.stringify(body ?? '').slice(0, 600) })
        rows.push(...(body as unknown[]))
        const next = nextPage(link)
        address = next === undefined ? undefined : new URL(next, address).href
        // Credentials go to the archive that they belong to and nowhere else.
        if (address !== undefined && !address.startsWith(base)) break
      }
      return rows
    },
    close: () => agent.destroy(),
  }
}
