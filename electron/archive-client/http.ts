import tls from 'node:tls'
import { Agent, request, type Dispatcher } from 'undici'
import { Failed, type Failure, type ServerTrouble } from '../contract/failure.ts'
import { readElements, SplitError, type ElementReader } from './split-array.ts'
import { readWholeList, recordReader, type ListReader, type Page, type Wholeness } from './whole-list.ts'

const longestBytes = 256 * 1024 * 1024
const connectMs = 10_000
const answerMs = 30_000
const wholeMs = 120_000
/** A long list may take its time, as long as it goes on. */
const longListMs = 3_600_000

/** How a request proves who sends it: the value of the Authorization header (specification 5), or none. */
export type Authorization = string | undefined

/** Where an archive is, and what proves who asks. */
export interface Access {
  url: string
  authorization: Authorization
  /** The cookies of the session that began with the sign-in; empty where there is none. */
  cookie: string
}

/** The archive as the endpoints see it. Paths are below /api/, without a leading slash. */
export interface Reach {
  url: string
  get: (path: string) => Promise<unknown>
  /** A body with how many there are in all (the header Count), where the archive says it. */
  answer: (path: string) => Promise<{ body: unknown; count: number | null }>
  /**
   * Looks at a body as it arrives, and lets go of the rest once `see` answers false; nothing of it is kept. An archive that knows no
   * pages gives the whole of a long list, whatever was asked.
   */
  skim: (path: string, see: (part: Buffer) => boolean) => Promise<{ count: number | null }>
  /** Every record of a list, however the archive cuts it into pages. */
  list: (path: string) => Promise<unknown[]>
  /** The same for lists that do not fit into memory: each element as it arrives, and at the end how whole the list is. */
  elements: (path: string, reader: ListReader) => Promise<Wholeness>
  post: (path: string, body: unknown) => Promise<unknown>
  patch: (path: string, body: unknown) => Promise<unknown>
  /** Signs in: the answer, and the cookies that came with it. */
  enter: (path: string, body: unknown) => Promise<{ body: unknown; cookie: string }>
  /** What OPTIONS says of a path, with the methods that it takes (Allow, RFC 9110 10.2.1). */
  described: (path: string) => Promise<{ allow: string[]; body: unknown }>
  /** A file as it arrives; from where a part of it ends, where the archive can go on from there (RFC 9110 14.2, 13.1.5). */
  bytes: (path: string, part?: { from: number; mark: string }, stop?: AbortSignal) => Promise<Arriving>
  close: () => Promise<void>
}

/** A file on its way. */
export interface Arriving {
  /** The first byte that comes: 0 where the archive began anew. */
  from: number
  /** How long the whole is; null where the archive does not say. */
  total: number | null
  /** What tells this content from a later one; empty where the archive names nothing. */
  mark: string
  body: AsyncIterable<Buffer>
}

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return ''
  const { code, cause } = error as Error & { code?: unknown }
  return typeof code === 'string' ? code : codeOf(cause)
}

const troubleOf = (code: string): ServerTrouble | undefined => {
  if (
    code === 'UND_ERR_HEADERS_TIMEOUT' ||
    code === 'UND_ERR_BODY_TIMEOUT' ||
    code === 'ABORT_ERR' ||
    code === 'UND_ERR_ABORTED'
  )
    return 'too-slow'
  if (code === 'UND_ERR_SOCKET' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' || code === 'ECONNRESET')
    return 'cut-off'
  return code.startsWith('HPE_') ? 'unexpected' : undefined
}

const readBody = async (body: AsyncIterable<Buffer>, address: string, status: number) => {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body) {
    parts.push(part)
    length += part.length
    if (length > longestBytes)
      throw new Failed({ kind: 'server-broke', address, status, detail: 'too-long', excerpt: '' })
  }
  return Buffer.concat(parts).toString('utf8')
}

const parsed = (text: string, type: string, address: string, status: number): unknown => {
  const excerpt = text.slice(0, 600)
  if (/html/i.test(type) || /^\s*<(!doctype|html)/i.test(text))
    throw new Failed({ kind: 'server-broke', address, status, detail: 'html', excerpt })
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    const isCut = /Unexpected end|Unterminated/.test((error as Error).message)
    throw new Failed(
      { kind: 'server-broke', address, status, detail: isCut ? 'cut-off' : 'not-json', excerpt },
      { cause: error },
    )
  }
}

/** The messages of a 400 by field. Those of nested rows mirror the input and stand under "names.0.main"; a bare text stands under no field. */
const messagesOf = (body: unknown): Record<string, string[]> => {
  const messages: Record<string, string[]> = {}
  const collect = (value: unknown, at: string[]) => {
    if (typeof value === 'string') (messages[at.join('.')] ??= []).push(value)
    else if (Array.isArray(value))
      value.forEach((it, index) => collect(it, typeof it === 'string' ? at : [...at, String(index)]))
    else if (typeof value === 'object' && value !== null)
      for (const [key, it] of Object.entries(value)) collect(it, [...at, key])
  }
  collect(body, [])
  return messages
}

const detailOf = (body: unknown) => messagesOf(body)['detail']?.join(' ') ?? ''

/** Retry-After: seconds, or a date (RFC 9110 10.2.3); an hour at most. */
const secondsOf = (header: string | string[] | undefined): { retryAfterS?: number } => {
  const text = String(header ?? '').trim()
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return seconds > 0 ? { retryAfterS: Math.min(3600, Math.ceil(seconds)) } : {}
}

const failureOf = (
  status: number,
  body: unknown,
  address: string,
  wait: { retryAfterS?: number },
): Failed => {
  if (status === 400 || status === 422) return new Failed({ kind: 'refused', fields: messagesOf(body) })
  if (status === 401) return new Failed({ kind: 'signed-out' })
  if (status === 403) return new Failed({ kind: 'not-allowed', detail: detailOf(body) })
  if (status === 404) return new Failed({ kind: 'not-found', what: address })
  if (status === 409) return new Failed({ kind: 'conflict', detail: detailOf(body) })
  return new Failed({
    kind: 'server-broke',
    address,
    status,
    detail: 'error',
    excerpt: JSON.stringify(body ?? '').slice(0, 600),
    ...wait,
  })
}

/** What an archive says of parameters that it does not take, or of a page that is not there. */
const isRefusal = (failure: Failure) =>
  failure.kind === 'refused' ||
  failure.kind === 'not-found' ||
  (failure.kind === 'server-broke' && [400, 404, 422].includes(failure.status))

const countOf = (header: string | string[] | undefined) =>
  /^\d{1,15}$/.test(String(header ?? '')) ? Number(header) : null

const methodsIn = (header: string | string[] | undefined) =>
  String(header ?? '')
    .split(/\s*,\s*/)
    .filter(Boolean)

const nextPage = (link: string | string[] | undefined) =>
  /<([^>]+)>\s*;[^,]*\brel="?next"?/i.exec([link].flat().join(','))?.[1]

/** Certificates that Node ships and those the operating system trusts, since an archive's own authority is known only there. */
export const trustedCertificates = () => [
  ...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')]),
]

/** Speaks to one archive; every endpoint goes through here, and here alone a status becomes a failure. */
export const reach = (url: string, authorization: Authorization, language: () => string): Reach => {
  const base = `${url.replace(/\/+$/, '')}/api/`
  const agent = new Agent({
    connect: { timeout: connectMs, ca: trustedCertificates() },
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
    keepAliveTimeout: 4_000,
  })

  /** Sends a request and gives the answer to one that succeeded; whatever else comes of it is a failure. */
  const open = async (
    method: Dispatcher.HttpMethod,
    address: string,
    body?: unknown,
    patienceMs = wholeMs,
    more: { headers?: Record<string, string>; stop?: AbortSignal | undefined } = {},
  ) => {
    let status = 0
    try {
      const response = await request(address, {
        dispatcher: agent,
        method,
        signal: AbortSignal.any([AbortSignal.timeout(patienceMs), ...(more.stop ? [more.stop] : [])]),
        headers: {
          accept: 'application/json',
          'accept-language': language(),
          ...(authorization === undefined ? {} : { authorization }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...more.headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      status = response.statusCode
      const type = String(response.headers['content-type'] ?? '')
      if (status >= 300 && status < 400) {
        await response.body.dump()
        throw new Failed({
          kind: 'server-broke',
          address,
          status,
          detail: 'unexpected',
          excerpt: String(response.headers['location'] ?? ''),
        })
      }
      if (status >= 400) {
        const text = await readBody(response.body, address, status)
        const isReadable = /json/i.test(type)
        const wait = secondsOf(response.headers['retry-after'])
        if (!isReadable && (status === 404 || status >= 500 || status === 400))
          throw new Failed({
            kind: 'server-broke',
            address,
            status,
            detail: /html/i.test(type) ? 'html' : 'error',
            excerpt: text.slice(0, 600),
            ...wait,
          })
        throw failureOf(status, isReadable ? parsed(text, type, address, status) : text, address, wait)
      }
      return { status, type, headers: response.headers, body: response.body }
    } catch (error) {
      throw asFailure(error, address, status)
    }
  }

  /** What a broken connection or a broken answer is to a person. */
  const asFailure = (error: unknown, address: string, status: number): Failed => {
    if (error instanceof Failed) return error
    if (error instanceof SplitError) {
      const { trouble, excerpt } = error
      const isHtml = /^\s*<(!doctype|html)/i.test(excerpt)
      return new Failed(
        {
          kind: 'server-broke',
          address,
          status,
          detail: isHtml ? 'html' : trouble === 'not an array' ? 'unexpected' : trouble,
          excerpt,
        },
        { cause: error },
      )
    }
    const code = codeOf(error)
    const trouble = troubleOf(code)
    if (trouble && (status > 0 || trouble !== 'cut-off'))
      return new Failed(
        { kind: 'server-broke', address, status, detail: trouble, excerpt: '' },
        { cause: error },
      )
    return new Failed(
      { kind: 'offline', address: url, detail: code || (error as Error).message },
      { cause: error },
    )
  }

  const answer = async (method: Dispatcher.HttpMethod, address: string, body?: unknown) => {
    const { status, type, headers, body: arriving } = await open(method, address, body)
    try {
      return {
        body: parsed(await readBody(arriving, address, status), type, address, status),
        count: countOf(headers['count']),
        headers,
      }
    } catch (error) {
      throw asFailure(error, address, status)
    }
  }

  const ask = async (method: Dispatcher.HttpMethod, address: string, body?: unknown) =>
    (await answer(method, address, body)).body

  /** One page of a list, its elements as they arrive. */
  const openPage = async (address: string): Promise<Page> => {
    const { status, type, headers, body } = await open('GET', address, undefined, longListMs)
    const read = async (reader: ElementReader) => {
      try {
        if (/html/i.test(type))
          throw new Failed({
            kind: 'server-broke',
            address,
            status,
            detail: 'html',
            excerpt: (await readBody(body, address, status)).slice(0, 600),
          })
        await readElements(body as AsyncIterable<Buffer>, reader)
      } catch (error) {
        throw asFailure(error, address, status)
      }
    }
    const link = nextPage(headers['link'])
    const next = link === undefined ? null : new URL(link, address).href
    // Credentials go to the archive that they belong to and nowhere else.
    return { read, count: countOf(headers['count']), next: next?.startsWith(base) ? next : null }
  }

  const skim: Reach['skim'] = async (path, see) => {
    const address = base + path
    const { status, type, headers, body } = await open('GET', address)
    try {
      let isFirst = true
      // Leaving the loop closes the connection, so that what nobody reads is not sent either.
      for await (const part of body as AsyncIterable<Buffer>) {
        const excerpt = isFirst ? part.toString('utf8', 0, 600) : ''
        isFirst = false
        if (/html/i.test(type) || /^\s*<(!doctype|html)/i.test(excerpt))
          throw new Failed({ kind: 'server-broke', address, status, detail: 'html', excerpt })
        if (!see(part)) break
      }
    } catch (error) {
      throw asFailure(error, address, status)
    }
    return { count: countOf(headers['count']) }
  }

  const bytes: Reach['bytes'] = async (path, part, stop) => {
    const address = base + path
    const headers = {
      accept: '*/*',
      ...(part && part.from > 0 && part.mark !== ''
        ? { range: `bytes=${part.from}-`, 'if-range': part.mark }
        : {}),
    }
    const {
      status,
      headers: said,
      body,
    } = await open('GET', address, undefined, longListMs, { headers, stop })
    const [, from = '0', whole] =
      /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(said['content-range'] ?? '')) ?? []
    const length = /^\d+$/.test(String(said['content-length'] ?? '')) ? Number(said['content-length']) : null
    async function* arriving() {
      try {
        for await (const chunk of body) yield chunk as Buffer
      } catch (error) {
        throw asFailure(error, address, status)
      }
    }
    const total = status === 206 ? (whole === undefined || whole === '*' ? null : Number(whole)) : length
    return {
      from: status === 206 ? Number(from) : 0,
      total,
      mark: String(said['etag'] ?? said['last-modified'] ?? ''),
      body: arriving(),
    }
  }

  const elements = (path: string, reader: ListReader) =>
    readWholeList(async (what) => {
      if ('address' in what) return openPage(what.address)
      const address = new URL(base + path)
      for (const [name, value] of Object.entries(what.parameters)) address.searchParams.set(name, value)
      const isPlain = Object.keys(what.parameters).length === 0
      return openPage(address.href).catch((error: unknown) => {
        if (!isPlain && error instanceof Failed && isRefusal(error.failure)) return undefined
        throw error
      })
    }, reader).catch((error: unknown) => {
      throw asFailure(error, base + path, 200)
    })

  return {
    url,
    get: (path) => ask('GET', base + path),
    answer: (path) => answer('GET', base + path),
    post: (path, body) => ask('POST', base + path, body),
    patch: (path, body) => ask('PATCH', base + path, body),
    enter: async (path, sent) => {
      const { body, headers } = await answer('POST', base + path, sent)
      const cookies = [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.replace(/;.*/s, ''))
      return { body, cookie: cookies.join('; ') }
    },
    described: async (path) => {
      const { body, headers } = await answer('OPTIONS', base + path)
      return { allow: methodsIn(headers['allow']), body }
    },
    skim,
    elements,
    bytes,
    list: async (path) => {
      const found = new Map<string, { record: unknown; pass: number }>()
      const { pass: last } = await elements(
        path,
        recordReader((record, key, pass) => found.set(key, { record, pass })),
      )
      return [...found.values()]
        .filter(({ pass }) => last === null || pass === last)
        .map(({ record }) => record)
    },
    close: () => agent.destroy(),
  }
}
