import type { Dispatcher, FormData, request } from 'undici'
import { Failed } from '../contract/failure.ts'
import {
  badAnswer,
  networkTrouble,
  parseJson,
  readBody,
  readErrorBody,
  refusalOf,
  retryAfter,
  type Source,
} from './answers.ts'
import { redirection, type Headers } from './headers.ts'
import { isFromProxy, NoConnection, proxyName, proxyRefusal, type Route, type Routing } from './routes.ts'
import { chunksOf } from '../common/chunks.ts'
import { openUnderWay } from '../common/under-way.ts'
import { messageOf } from '../common/errors.ts'

/** So long an archive may take to begin with its answer. */
export const usualAnswerMs = 30_000
const wholeMs = 120_000
/** A long list may take its time, as long as it goes on. */
export const longMs = 3_600_000

/** How a request proves who sends it: the value of the Authorization header (specification 5), or none. */
export type Authorization = string | undefined

/** The archive that requests go to, and what goes with each of them. */
export interface Archive {
  url: string
  /** Where its paths begin; with a slash at the end. */
  base: string
  authorization: () => Authorization
  /** For the Accept-Language header. */
  language: () => string
  routing: Routing
}

/** What one request says beside its method and address. */
export interface RequestOptions {
  /** Sent as JSON. */
  body?: unknown
  /** Sent as multipart/form-data (RFC 7578), in place of a body. */
  form?: FormData
  headers?: Record<string, string>
  /** How long the whole of the answer may take; null for as long as it goes on, as a large file does. */
  patienceMs?: number | null
  /** How long its beginning may take. */
  answerMs?: number
  stop?: AbortSignal | undefined
  /** A status of 400 or more that is an answer nevertheless. */
  acceptedStatus?: number
}

/** An answer that is no error; its body is on its way. */
export interface Answer {
  status: number
  type: string
  headers: Headers
  body: AsyncIterable<Buffer>
  source: Source
  /** Lets go of the rest of the body, and gives back the failure that is the reason. */
  turnDown: (failure: Failed) => Promise<Failed>
}

export type Exchange = ReturnType<typeof openExchange>

/** The connections to an archive, one dispatcher for each route there. */
const openDispatchers = (base: string) => {
  const dispatchers = new Map<string, Dispatcher>()
  let isStopped = false
  return {
    of: (route: Route, dispatcherOf: (route: Route, url: string) => Dispatcher): Dispatcher => {
      if (isStopped) throw new Failed({ kind: 'offline', address: base, detail: 'UND_ERR_DESTROYED' })
      const key = JSON.stringify(route)
      const dispatcher = dispatchers.get(key) ?? dispatcherOf(route, base)
      dispatchers.set(key, dispatcher)
      return dispatcher
    },
    /** Takes no more requests, and lets go of the connections when those under way are answered. */
    close: async () => {
      if (isStopped) return
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.close()))
    },
    /** Breaks off what is under way, and asks nothing more. */
    stop: async () => {
      isStopped = true
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()))
    },
  }
}

/**
 * What a failed request, or an answer that broke off, is to a person. What is no matter of the network stays
 * what it is.
 */
const asFailure = (error: unknown, source: Source, route: Route, url: string): unknown => {
  if (error instanceof Failed) return error
  const { trouble, code } = networkTrouble(error)
  const detail = code || messageOf(error)
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
  const excerpt = trouble === 'unexpected' ? `${code}: ${messageOf(error)}` : ''
  return badAnswer(source, trouble, excerpt, { cause: error })
}

/** What an answer says before its body is read. */
interface Head {
  route: Route
  source: Source
  headers: Headers
}

/** Why an answer is none that the archive gives; undefined where its status decides. */
const mismatch = ({ route, source, headers }: Head): Failed | undefined => {
  const { address, status } = source
  if (isFromProxy(route, address, status, headers)) return proxyRefusal(route, status, headers)
  if (status >= 300 && status < 400) {
    const target = redirection(headers['location'], address)
    return target === undefined
      ? badAnswer(source, 'unexpected', `Location: ${String(headers['location'] ?? '')}`)
      : badAnswer(source, 'redirect', target)
  }
  const encoding = String(headers['content-encoding'] ?? 'identity')
  return encoding.toLowerCase() === 'identity'
    ? undefined
    : badAnswer(source, 'unexpected', `Content-Encoding: ${encoding}`)
}

/** The ways of signing in that an answer asks for, where none of them is by name and password or a token. */
const otherWays = (headers: Headers): string | undefined => {
  const asked = [headers['www-authenticate'] ?? []].flat().join(', ')
  return asked === '' || /token|basic|session/i.test(asked) ? undefined : asked
}

/** An answer that is an error, as the failure that it is. */
const refused = async (source: Source, headers: Headers, body: AsyncIterable<Buffer>): Promise<Failed> => {
  const { status } = source
  const type = String(headers['content-type'] ?? '')
  const { text, isWhole } = await readErrorBody(body)
  const retryAfterS = retryAfter(headers['retry-after'])
  const wants = status === 401 ? otherWays(headers) : undefined
  if (wants !== undefined) return new Failed({ kind: 'signed-out', wants })
  const isJson = /json/i.test(type)
  if (!isJson && (status === 404 || status >= 500 || status === 400))
    return badAnswer(source, /html/i.test(type) ? 'html' : 'error', text, { retryAfterS })
  return refusalOf(isJson && isWhole ? parseJson(text, type, source) : text, source, retryAfterS)
}

/** What goes at the head of a request. @param more beside the usual, or in its place */
const headersOf = (said: {
  language: string
  proof: Authorization
  isJson: boolean
  more: Record<string, string> | undefined
}): Record<string, string> => ({
  accept: 'application/json',
  'accept-encoding': 'identity',
  'accept-language': said.language,
  ...(said.proof === undefined ? {} : { authorization: said.proof }),
  ...(said.isJson ? { 'content-type': 'application/json' } : {}),
  ...said.more,
})

/** Sends requests by the first route that leads to the archive. */
const openSending = ({ url, base, routing }: Pick<Archive, 'url' | 'base' | 'routing'>) => {
  const dispatchers = openDispatchers(base)

  const send = async (address: string, options: Omit<Parameters<typeof request>[1], 'dispatcher'>) => {
    const routes = await routing.to(base)
    const { request, dispatcherOf } = await import('./network.ts')
    let failure: unknown
    for (const route of routes) {
      try {
        const response = await request(address, {
          ...options,
          dispatcher: dispatchers.of(route, dispatcherOf),
        })
        return { route, response }
      } catch (error) {
        failure ??= asFailure(error, { address, status: 0 }, route, url)
        if (!(error instanceof NoConnection)) throw asFailure(error, { address, status: 0 }, route, url)
        routing.failed(base, route)
      }
    }
    throw failure
  }
  const asked = openUnderWay()
  return {
    send: (...sent: Parameters<typeof send>) => asked.note(send(...sent)),
    answered: asked.settled,
    close: dispatchers.close,
    stop: dispatchers.stop,
  }
}

/**
 * Sends requests to one archive, by the first route that leads there; here alone a status becomes a failure.
 * Redirections are not followed, so that credentials go to the archive that they belong to and nowhere else.
 */
export const openExchange = ({ url, base, authorization, language, routing }: Archive) => {
  const { send, answered, close, stop } = openSending({ url, base, routing })

  /** The bytes of a body as they arrive; where it breaks off, a failure says so. */
  async function* arriving(body: AsyncIterable<Buffer>, source: Source, route: Route) {
    try {
      yield* body
    } catch (error) {
      throw asFailure(error, source, route, url)
    }
  }

  /** Sends a request and gives the answer to one that succeeded; whatever else comes of it is a failure. */
  const open = async (
    method: Dispatcher.HttpMethod,
    address: string,
    {
      body,
      form,
      headers: more,
      patienceMs = wholeMs,
      answerMs = usualAnswerMs,
      stop,
      acceptedStatus,
    }: RequestOptions = {},
  ): Promise<Answer> => {
    const { route, response } = await send(address, {
      method,
      headersTimeout: answerMs,
      bodyTimeout: usualAnswerMs,
      signal: AbortSignal.any([
        ...(patienceMs === null ? [] : [AbortSignal.timeout(patienceMs)]),
        ...(stop ? [stop] : []),
      ]),
      headers: headersOf({ language: language(), proof: authorization(), isJson: body !== undefined, more }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: form }),
    })
    const { statusCode: status, headers } = response
    const source = { address, status }
    const bytes = arriving(chunksOf(response.body), source, route)
    const turnDown = async (failure: Failed) => {
      await bytes.return(undefined)
      response.body.on('error', () => undefined).destroy()
      return failure
    }
    const failure = mismatch({ route, source, headers })
    if (failure) throw await turnDown(failure)
    if (status >= 400 && status !== acceptedStatus) throw await refused(source, headers, bytes)
    return { status, type: String(headers['content-type'] ?? ''), headers, body: bytes, source, turnDown }
  }

  /** The same with a body that is read whole, as JSON. */
  const answer = async (
    method: Dispatcher.HttpMethod,
    address: string,
    sent?: unknown,
    answerMs = usualAnswerMs,
  ) => {
    const patienceMs = answerMs + wholeMs
    const { type, headers, body, source } = await open(method, address, { body: sent, answerMs, patienceMs })
    const text = await readBody(body, source)
    return { body: parseJson(text, type, source), headers }
  }

  return { open, answer, answered, close, stop }
}
