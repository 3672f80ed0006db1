import { request, type Dispatcher } from 'undici'
import { Failed, type Failure } from '../contract/failure.ts'
import {
  badAnswer,
  networkTrouble,
  parseJson,
  readBody,
  readErrorBody,
  refusalOf,
  retryAfter,
  splitFailure,
  type Source,
  unsure,
} from './answers.ts'
import { dispatcherOf, fixedRouting, isFromProxy, NoConnection, proxyName, proxyRefusal } from './routes.ts'
import type { Route, Routing } from './routes.ts'
import { readElements, SplitError, type ElementReader } from './split-array.ts'
import { readWholeList, recordReader, type ListReader, type Page, type Wholeness } from './whole-list.ts'

const answerMs = 30_000
const wholeMs = 120_000
/** A long list may take its time, as long as it goes on. */
const longListMs = 3_600_000
/** What a list that is held in memory may come to; longer ones are read element by element. */
const longestListBytes = 64 * 1024 * 1024

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
  /**
   * Every record of a list, however the archive cuts it into pages.
   * @param mustBeSure a list that may lack records is none: who asks concludes something from what is not in it
   * @throws Failed server-broke unexpected where it must be sure and is not
   */
  list: (path: string, mustBeSure?: boolean) => Promise<unknown[]>
  /** The same for lists that do not fit into memory: each element as it arrives, and at the end how whole the list is. */
  elements: (path: string, reader: ListReader) => Promise<Wholeness>
  post: (path: string, body: unknown) => Promise<unknown>
  patch: (path: string, body: unknown) => Promise<unknown>
  /** Signs in: the answer, and the cookies that came with it. */
  enter: (path: string, body: unknown) => Promise<{ body: unknown; cookie: string }>
  /** What OPTIONS says of a path, with the methods that it takes (Allow, RFC 9110 10.2.1). */
  described: (path: string) => Promise<{ allow: string[]; body: unknown }>
  /** A file as it arrives; from the middle, where the archive can go on from there (RFC 9110 14.2, 13.1.5). */
  bytes: (path: string, part?: { from: number; mark: string }, stop?: AbortSignal) => Promise<Arriving>
  /** Takes no more requests, and lets go of the connections when those under way are answered. */
  close: () => Promise<void>
  /** Breaks off what is under way, and asks nothing more. */
  stop: () => Promise<void>
}

/** Opens a client for an archive, by the routes that lead there. */
export type Connect = (url: string, authorization: () => Authorization) => Reach

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
  /<([^<>]+)>\s*;[^,<]*\brel="?next"?/i.exec([link].flat().join(','))?.[1]

type Headers = Record<string, string | string[] | undefined>

/** What a strong validator tells from any other content (RFC 9110 8.8): weak ones do not say that each byte is the same. */
const markOf = ({ etag, 'last-modified': modified, date }: Headers): string => {
  if (etag !== undefined) return /^"[^"]*"$/.test(String(etag)) ? String(etag) : ''
  // A time is strong once the answer is a second younger (8.8.2.2).
  return Date.parse(String(date)) - Date.parse(String(modified)) >= 1_000 ? String(modified) : ''
}

/** Which bytes came, of how many (RFC 9110 14.4); undefined where the header does not say both. */
const contentRange = (header: string | string[] | undefined): { from: number; total: number } | undefined => {
  const [from, to, total] = (/^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(String(header)) ?? [])
    .slice(1)
    .map(Number)
  if (from === undefined || to === undefined || total === undefined) return undefined
  return from <= to && to < total ? { from, total } : undefined
}

/** The whole of a file from an answer of 200. */
const wholeOf = ({ headers, body }: { headers: Headers; body: AsyncIterable<Buffer> }): Arriving => ({
  from: 0,
  total: countOf(headers['content-length']),
  mark: markOf(headers),
  body,
})

/** Where a redirection leads (Location, RFC 9110 10.2.2); undefined where that is no address. */
const redirection = (location: string | string[] | undefined, address: string) =>
  location === undefined ? undefined : URL.parse(String(location), address)?.href

/**
 * Speaks to one archive; every endpoint goes through here, and here alone a status becomes a failure. Redirections are not
 * followed, so that credentials go to the archive that they belong to and nowhere else.
 */
export const reach = (
  url: string,
  authorization: Authorization | (() => Authorization),
  language: () => string,
  routing: Routing = fixedRouting(),
): Reach => {
  const base = `${url.replace(/\/+$/, '')}/api/`
  const dispatchers = new Map<string, Dispatcher>()
  let isStopped = false
  const dispatcherFor = (route: Route): Dispatcher => {
    if (isStopped) throw new Failed({ kind: 'offline', address: base, detail: 'UND_ERR_DESTROYED' })
    const key = JSON.stringify(route)
    const dispatcher = dispatchers.get(key) ?? dispatcherOf(route, base)
    dispatchers.set(key, dispatcher)
    return dispatcher
  }

  /** What a failed request, or an answer that broke off, is to a person. What is no matter of the network stays what it is. */
  const asFailure = (error: unknown, source: Source, route: Route): unknown => {
    if (error instanceof Failed) return error
    const { trouble, code } = networkTrouble(error)
    const detail = code || (error as Error).message
    if (error instanceof NoConnection && error.end === 'proxy')
      return new Failed(
        { kind: 'proxy', proxy: proxyName(route), trouble: 'unreachable', detail },
        { cause: error },
      )
    if (code.startsWith('UND_ERR_SOCKS5'))
      return new Failed(
        { kind: 'proxy', proxy: proxyName(route), trouble: 'refused', detail },
        { cause: error },
      )
    if (error instanceof NoConnection || (trouble === 'cut-off' && source.status === 0))
      return new Failed(
        { kind: 'offline', address: url, detail, isUnsent: error instanceof NoConnection },
        { cause: error },
      )
    if (trouble === undefined) return error
    const excerpt = trouble === 'unexpected' ? `${code}: ${(error as Error).message}` : ''
    return badAnswer(source, trouble, excerpt, { cause: error })
  }

  /** Sends a request by the first route that leads to the archive. */
  const send = async (address: string, options: Omit<Parameters<typeof request>[1], 'dispatcher'>) => {
    const routes = await routing.to(base)
    let failure: unknown
    for (const route of routes) {
      try {
        const response = await request(address, { ...options, dispatcher: dispatcherFor(route) })
        return { route, response }
      } catch (error) {
        failure ??= asFailure(error, { address, status: 0 }, route)
        if (!(error instanceof NoConnection)) throw asFailure(error, { address, status: 0 }, route)
        routing.failed(base, route)
      }
    }
    throw failure
  }

  /** The bytes of a body as they arrive; where it breaks off, a failure says so. */
  async function* arriving(body: AsyncIterable<Buffer>, source: Source, route: Route) {
    try {
      yield* body
    } catch (error) {
      throw asFailure(error, source, route)
    }
  }

  /** An answer that is an error, as the failure that it is. */
  const refused = async (source: Source, headers: Headers, body: AsyncIterable<Buffer>): Promise<Failed> => {
    const { status } = source
    const type = String(headers['content-type'] ?? '')
    const { text, isWhole } = await readErrorBody(body)
    const retryAfterS = retryAfter(headers['retry-after'])
    const isJson = /json/i.test(type)
    if (!isJson && (status === 404 || status >= 500 || status === 400))
      return badAnswer(source, /html/i.test(type) ? 'html' : 'error', text, { retryAfterS })
    return refusalOf(isJson && isWhole ? parseJson(text, type, source) : text, source, retryAfterS)
  }

  /** Sends a request and gives the answer to one that succeeded; whatever else comes of it is a failure. */
  const open = async (
    method: Dispatcher.HttpMethod,
    address: string,
    body?: unknown,
    patienceMs = wholeMs,
    more: { headers?: Record<string, string>; stop?: AbortSignal | undefined; taken?: number } = {},
  ) => {
    const proof = typeof authorization === 'function' ? authorization() : authorization
    const { route, response } = await send(address, {
      method,
      headersTimeout: answerMs,
      bodyTimeout: answerMs,
      signal: AbortSignal.any([AbortSignal.timeout(patienceMs), ...(more.stop ? [more.stop] : [])]),
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'accept-language': language(),
        ...(proof === undefined ? {} : { authorization: proof }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...more.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { statusCode: status, headers } = response
    const source = { address, status }
    const bytes = arriving(response.body as AsyncIterable<Buffer>, source, route)
    const turnDown = async (failure: Failed) => {
      await bytes.return(undefined)
      response.body.on('error', () => undefined).destroy()
      return failure
    }
    if (isFromProxy(route, address, status, headers))
      throw await turnDown(proxyRefusal(route, status, headers))
    if (status >= 300 && status < 400) {
      const target = redirection(headers['location'], address)
      throw await turnDown(
        target === undefined
          ? badAnswer(source, 'unexpected', `Location: ${String(headers['location'] ?? '')}`)
          : badAnswer(source, 'redirect', target),
      )
    }
    const encoding = String(headers['content-encoding'] ?? 'identity')
    if (encoding.toLowerCase() !== 'identity')
      throw await turnDown(badAnswer(source, 'unexpected', `Content-Encoding: ${encoding}`))
    if (status >= 400 && status !== more.taken) throw await refused(source, headers, bytes)
    return { status, type: String(headers['content-type'] ?? ''), headers, body: bytes, source, turnDown }
  }

  const answer = async (method: Dispatcher.HttpMethod, address: string, body?: unknown) => {
    const { type, headers, body: bytes, source } = await open(method, address, body)
    const text = await readBody(bytes, source)
    return { body: parseJson(text, type, source), count: countOf(headers['count']), headers }
  }

  const ask = async (method: Dispatcher.HttpMethod, address: string, body?: unknown) =>
    (await answer(method, address, body)).body

  /** One page of a list, its elements as they arrive. */
  const openPage = async (address: string): Promise<Page> => {
    const { type, headers, body, source, turnDown } = await open('GET', address, undefined, longListMs)
    const link = nextPage(headers['link'])
    const next = link === undefined ? null : URL.parse(link, address)
    if (link !== undefined && next === null)
      throw await turnDown(badAnswer(source, 'unexpected', `Link: ${String(headers['link'])}`))
    const read = async (reader: ElementReader) => {
      try {
        if (/html/i.test(type)) throw badAnswer(source, 'html', (await readErrorBody(body)).text)
        await readElements(body, reader)
      } catch (error) {
        throw error instanceof SplitError ? splitFailure(error, source) : error
      }
    }
    return {
      read,
      count: countOf(headers['count']),
      next: next?.href.startsWith(base) === true ? next.href : null,
    }
  }

  const skim: Reach['skim'] = async (path, see) => {
    const address = base + path
    const { type, headers, body, source } = await open('GET', address)
    let isFirst = true
    // Leaving the loop closes the connection, so that what nobody reads is not sent either.
    for await (const part of body) {
      const excerpt = isFirst ? part.toString('utf8', 0, 600) : ''
      isFirst = false
      if (/html/i.test(type) || /^\s*<(!doctype|html)/i.test(excerpt))
        throw badAnswer(source, 'html', excerpt)
      if (!see(part)) break
    }
    return { count: countOf(headers['count']) }
  }

  /** Goes on in the middle of a file; undefined where the archive answers with anything but the bytes that were asked for. */
  const rest = async (
    address: string,
    { from, mark }: { from: number; mark: string },
    stop?: AbortSignal,
  ): Promise<Arriving | undefined> => {
    const headers = { accept: '*/*', range: `bytes=${from}-`, 'if-range': mark }
    const answered = await open('GET', address, undefined, longListMs, { headers, stop, taken: 416 })
    if (answered.status === 200) return wholeOf(answered)
    const range = contentRange(answered.headers['content-range'])
    const found = markOf(answered.headers)
    if (answered.status === 206 && range?.from === from && (found === '' || found === mark))
      return { from, total: range.total, mark, body: answered.body }
    await answered.turnDown(badAnswer(answered.source, 'unexpected', 'Content-Range'))
    return undefined
  }

  const bytes: Reach['bytes'] = async (path, part, stop) => {
    const address = base + path
    const found =
      part !== undefined && part.from > 0 && part.mark !== '' ? await rest(address, part, stop) : undefined
    if (found) return found
    const answered = await open('GET', address, undefined, longListMs, { headers: { accept: '*/*' }, stop })
    if (answered.status === 200) return wholeOf(answered)
    throw await answered.turnDown(
      badAnswer(answered.source, 'unexpected', `Content-Range: ${String(answered.headers['content-range'])}`),
    )
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
      throw error instanceof SplitError ? splitFailure(error, { address: base + path, status: 200 }) : error
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
    list: async (path, mustBeSure = false) => {
      const found = new Map<string, { record: unknown; pass: number }>()
      const reader = recordReader((record, key, pass) => found.set(key, { record, pass }))
      let length = 0
      const take: ListReader['take'] = (element, pass) => {
        length += element.length
        if (length > longestListBytes)
          throw badAnswer({ address: base + path, status: 200 }, 'too-long', element.toString('utf8'))
        return reader.take(element, pass)
      }
      const { pass: last, isSure } = await elements(path, { take })
      if (mustBeSure && !isSure) throw unsure(base + path)
      return [...found.values()]
        .filter(({ pass }) => last === null || pass === last)
        .map(({ record }) => record)
    },
    close: async () => {
      if (isStopped) return
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.close()))
    },
    stop: async () => {
      isStopped = true
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()))
    },
  }
}
