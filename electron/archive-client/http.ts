import type { Dispatcher } from 'undici'
import { Failed, type Failure } from '../contract/failure.ts'
import { badAnswer, parseJson, readBody, splitFailure } from './answers.ts'
import { longMs, openExchange, usualAnswerMs, type Authorization, type Exchange } from './exchange.ts'
import { countOf, methodsIn } from './headers.ts'
import type { Conventions } from './conventions.ts'
import { openConcurrency } from './concurrency.ts'
import { pageOpener, type OpenPage } from './pages.ts'
import { fixedRouting, type Routing } from './routes.ts'
import { SplitError } from './split-array.ts'
import {
  openFile,
  openPart,
  type IncomingFile,
  type IncomingPart,
  type ByteRange,
  type Resumption,
} from './download.ts'
import { readWholeList, recordReader, type Ask, type ListReader, type Wholeness } from './whole-list.ts'

/** What a list that is held in memory may come to; longer ones are read element by element. */
const longestListBytes = 64 * 1024 * 1024

/** Nobody waits for longer to have signed out. */
const leavingMs = 10_000

/** So many bytes a slow line brings in a millisecond: what is sent waits in buffers on its way. */
const slowLine = 50

/** What a person signs in with. */
export interface Credentials {
  username: string
  password: string
}

/** Where an archive is, and what proves who asks. */
export interface Access {
  url: string
  authorization: Authorization
  /** The cookies of the session that began with the sign-in; empty where there is none. */
  cookie: string
}

/** Speaks HTTP with an archive. Paths are below the base of its conventions, without a leading slash. */
export interface Client {
  url: string
  get: (path: string) => Promise<unknown>
  /** A body with how many there are in all (a header), where the archive says it. */
  answer: (path: string) => Promise<{ body: unknown; count: number | null }>
  /**
   * Looks at a body as it arrives, and lets go of the rest once `see` answers false; nothing of it is kept.
   * An archive that knows no
   * pages gives the whole of a long list, whatever was asked.
   */
  stream: (path: string, see: (part: Buffer) => boolean) => Promise<{ count: number | null }>
  /**
   * Every record of a short list, however the archive cuts it into pages; it may lack some where the list
   * changed meanwhile.
   * @throws Failed server-broke too-long where it is not short
   */
  list: (path: string) => Promise<unknown[]>
  /** The same, with how whole it is. */
  listed: (path: string) => Promise<{ records: unknown[]; wholeness: Wholeness }>
  /** @param answerMs how long the archive may take to answer, where that is longer than usual */
  post: (path: string, body: unknown, answerMs?: number) => Promise<unknown>
  patch: (path: string, body: unknown) => Promise<unknown>
  delete: (path: string) => Promise<unknown>
  /** The status of an answer that is no error, and nothing of its body. */
  status: (path: string) => Promise<number>
  /**
   * Sends a file among the fields of a form (RFC 7578), from memory.
   * @param file its bytes, under the name of their field
   */
  upload: (
    path: string,
    fields: Record<string, string>,
    file: { field: string; name: string; bytes: Uint8Array<ArrayBuffer> },
    stop?: AbortSignal,
  ) => Promise<void>
  /** Signs in: the answer, and the cookies that came with it. */
  enter: (path: string, body: unknown) => Promise<{ body: unknown; cookie: string }>
  /** Ends what a sign-in began, a session by its cookies too; given up soon where nobody answers. */
  leave: (path: string, cookie: string) => Promise<void>
  /** What OPTIONS says of a path, with the methods that it takes (Allow, RFC 9110 10.2.1). */
  described: (path: string) => Promise<{ allow: string[]; body: unknown }>
  /**
   * A file as it arrives; from the middle, where the archive can go on from there (RFC 9110 14.2, 13.1.5).
   */
  bytes: (path: string, part?: Resumption, stop?: AbortSignal) => Promise<IncomingFile>
  /** A part of a file, or the whole where the archive gives no parts (RFC 9110 14.2). */
  part: (path: string, range: ByteRange, stop?: AbortSignal) => Promise<IncomingPart>
  /** Waits until the archive has begun to answer all that it was asked so far. */
  answered: () => Promise<void>
  /** Takes no more requests, and lets go of the connections when those under way are answered. */
  close: () => Promise<void>
  /** Breaks off what is under way, and asks nothing more. */
  stop: () => Promise<void>
}

/** Reads whole lists too, which takes as long as they are: for threads that hold nobody up by it. */
export interface ListClient extends Client {
  /**
   * Every record of a list that may not fit into memory: each element as it arrives, and at the end how whole
   * the list is.
   * @param order parameters to ask for pages with, where the archive gives the list in pages
   */
  elements: (path: string, reader: ListReader, order?: Readonly<Record<string, string>>) => Promise<Wholeness>
}

/** Opens a client for an archive, by the routes that lead there. */
export type Connect = (url: string, authorization: () => Authorization, conventions: Conventions) => Client

/** What an archive says of parameters that it does not take, or of a page that is not there. */
export const isRefusedQuery = (failure: Failure) =>
  failure.kind === 'refused' ||
  failure.kind === 'not-found' ||
  (failure.kind === 'server-broke' && [400, 404, 422].includes(failure.status))

/** The lists of an archive: element by element, or whole in memory. */
const listReader = (base: string, openPage: OpenPage, conventions: Conventions) => {
  const concurrency = openConcurrency()
  const askIn =
    (path: string): Ask =>
    (what) => {
      if ('address' in what) return openPage(what.address)
      const address = new URL(base + path)
      for (const [name, value] of Object.entries(what.parameters)) address.searchParams.set(name, value)
      const isPlain = Object.keys(what.parameters).length === 0
      return openPage(address.href, what.isHeld).catch((error: unknown) => {
        if (!isPlain && error instanceof Failed && isRefusedQuery(error.failure)) return undefined
        throw error
      })
    }
  const elements: ListClient['elements'] = (path, reader, order) =>
    readWholeList({ name: path, order, ask: askIn(path), concurrency, conventions }, reader).catch(
      (error: unknown) => {
        throw error instanceof SplitError ? splitFailure(error, { address: base + path, status: 200 }) : error
      },
    )

  const listed: Client['listed'] = async (path) => {
    const found = new Map<string, { record: unknown; pass: number }>()
    const reader = recordReader((record, key, pass) => found.set(key, { record, pass }))
    let length = 0
    const take: ListReader['take'] = (element, pass) => {
      length += element.length
      if (length > longestListBytes)
        throw badAnswer({ address: base + path, status: 200 }, 'too-long', element.toString('utf8'))
      return reader.take(element, pass)
    }
    const wholeness = await elements(path, { take })
    const records = [...found.values()]
      .filter(({ pass }) => wholeness.pass === null || pass === wholeness.pass)
      .map(({ record }) => record)
    return { records, wholeness }
  }

  return { elements, listed, list: async (path: string) => (await listed(path)).records }
}

/** Sends name and password. The answer may hold a token, readable or not: no failure quotes it. */
const enter = async ({ open }: Exchange, address: string, sent: unknown) => {
  const { type, headers, body, source } = await open('POST', address, { body: sent })
  try {
    return { body: parseJson(await readBody(body, source), type, source), headers }
  } catch (error) {
    const failure = error instanceof Failed ? error.failure : undefined
    const isQuoted = failure?.kind === 'server-broke' && failure.detail !== 'html'
    throw isQuoted ? new Failed({ ...failure, excerpt: '' }) : error
  }
}

/** Shows a body part by part as it arrives, until whoever sees it has seen enough. */
const stream = async ({ open }: Exchange, address: string, see: (part: Buffer) => boolean) => {
  const { type, headers, body, source } = await open('GET', address)
  let isFirst = true
  // Leaving the loop closes the connection, so that what nobody reads is not sent either.
  for await (const part of body) {
    const excerpt = isFirst ? part.toString('utf8', 0, 600) : ''
    isFirst = false
    if (/html/i.test(type) || /^\s*<(!doctype|html)/i.test(excerpt)) throw badAnswer(source, 'html', excerpt)
    if (!see(part)) break
  }
  return headers
}

/** Speaks to one archive; every endpoint goes through here. */
export const openClient = (
  url: string,
  authorization: Authorization | (() => Authorization),
  language: () => string,
  conventions: Conventions,
  routing: Routing = fixedRouting(),
): ListClient => {
  const base = `${url.replace(/\/+$/, '')}/${conventions.base}`
  const exchange = openExchange({
    url,
    base,
    authorization: typeof authorization === 'function' ? authorization : () => authorization,
    language,
    routing,
  })
  const answer = (method: Dispatcher.HttpMethod, path: string, body?: unknown) =>
    exchange.answer(method, base + path, body)
  const ask = async (method: Dispatcher.HttpMethod, path: string, body?: unknown) =>
    (await answer(method, path, body)).body
  const { elements, listed, list } = listReader(
    base,
    pageOpener({ exchange, conventions, base }),
    conventions,
  )

  return {
    url,
    get: (path) => ask('GET', path),
    answer: async (path) => {
      const { body, headers } = await answer('GET', path)
      return { body, count: countOf(headers[conventions.countHeader]) }
    },
    post: async (path, body, answerMs) => (await exchange.answer('POST', base + path, body, answerMs)).body,
    patch: (path, body) => ask('PATCH', path, body),
    delete: (path) => ask('DELETE', path),
    status: async (path) => {
      const { status, body } = await exchange.open('GET', base + path)
      for await (const _part of body);
      return status
    },
    upload: async (path, fields, { field, name, bytes }, stop) => {
      const { FormData } = await import('./network.ts')
      const form = new FormData()
      for (const [key, value] of Object.entries(fields)) form.set(key, value)
      form.set(field, new Blob([bytes]), name)
      const answerMs = usualAnswerMs + Math.ceil(bytes.length / slowLine)
      const { body } = await exchange.open('POST', base + path, { form, stop, answerMs, patienceMs: longMs })
      for await (const _part of body);
    },
    enter: async (path, sent) => {
      const { body, headers } = await enter(exchange, base + path, sent)
      const cookies = [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.replace(/;.*/s, ''))
      return { body, cookie: cookies.join('; ') }
    },
    leave: async (path, cookie) => {
      const headers = cookie === '' ? {} : { cookie }
      const { body } = await exchange.open('POST', base + path, { headers, patienceMs: leavingMs })
      for await (const _part of body);
    },
    described: async (path) => {
      const { body, headers } = await answer('OPTIONS', path)
      return { allow: methodsIn(headers['allow']), body }
    },
    stream: async (path, see) => {
      const headers = await stream(exchange, base + path, see)
      return { count: countOf(headers[conventions.countHeader]) }
    },
    elements,
    listed,
    list,
    bytes: (path, part, stop) => openFile(exchange, base + path, part, stop),
    part: (path, range, stop) => openPart(exchange, base + path, range, stop),
    answered: exchange.answered,
    close: exchange.close,
    stop: exchange.stop,
  }
}
