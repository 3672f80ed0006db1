import { withoutMark } from '../common/byte-order-mark.ts'
import { Failed, type ServerTrouble } from '../contract/failure.ts'
import { deepest, type SplitError } from './split-array.ts'
import { messageOf } from '../common/errors.ts'

/** No answer that is parsed whole may be longer: parsing stops everything else for as long as it takes. */
const longestBytes = 16 * 1024 * 1024
/** Of an error only the beginning is read. */
const longestErrorBytes = 256 * 1024
const excerptLength = 600
const longestMessage = 2_000
const mostMessages = 200

/** Where an answer came from. */
export interface Source {
  address: string
  status: number
}

/** An answer that is none, with what was wrong with it. */
export const badAnswer = (
  { address, status }: Source,
  detail: ServerTrouble,
  excerpt: string,
  options?: { cause?: unknown; retryAfterS?: number | undefined },
): Failed =>
  new Failed(
    {
      kind: 'server-broke',
      address,
      status,
      detail,
      excerpt: excerpt.slice(0, excerptLength),
      ...(options?.retryAfterS === undefined ? {} : { retryAfterS: options.retryAfterS }),
    },
    options?.cause === undefined ? undefined : { cause: options.cause },
  )

/**
 * A list that changed while it was read, so that it may lack records: nothing can be said of what is not in
 * it.
 */
export const unsure = (address: string) =>
  badAnswer({ address, status: 200 }, 'unexpected', 'The list changed while it was read.')

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return ''
  const { code, cause } = error as Error & { code?: unknown }
  if (typeof code === 'string') return code
  return error.name === 'HTTPParserError' ? 'HPE' : codeOf(cause)
}

const late = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
const lost = new Set(['UND_ERR_SOCKET', 'HPE_INVALID_EOF_STATE'])
const closed = new Set(['UND_ERR_CLOSED', 'UND_ERR_DESTROYED'])

/**
 * What went wrong between here and the archive, by the codes of undici, its HTTP parser, Node and OpenSSL.
 * @returns the code where one is known; no trouble where the error has nothing to do with the network
 */
export const networkTrouble = (
  error: unknown,
): { trouble: 'too-slow' | 'cut-off' | 'unexpected' | undefined; code: string } => {
  const code = codeOf(error)
  if (late.has(code) || (error instanceof Error && error.name === 'TimeoutError'))
    return { trouble: 'too-slow', code: code || 'ETIMEDOUT' }
  if (lost.has(code) || closed.has(code)) return { trouble: 'cut-off', code }
  if (code === 'UND_ERR_INVALID_ARG') return { trouble: undefined, code }
  if (/^(HPE|UND_ERR_|ERR_HTTP2_)/.test(code)) return { trouble: 'unexpected', code }
  // What the operating system or OpenSSL says of a connection: ECONNRESET, EPIPE, ERR_SSL_...
  return { trouble: /^(E[A-Z]+$|ERR_SSL_|ERR_TLS_)|CERT|SIGNATURE/.test(code) ? 'cut-off' : undefined, code }
}

/** The text of a body, up to a limit. */
const readText = async (body: AsyncIterable<Buffer>, limit: number) => {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body) {
    parts.push(part)
    length += part.length
    if (length > limit) break
  }
  const isWhole = length <= limit
  return { text: Buffer.concat(parts).subarray(0, limit).toString('utf8'), isWhole }
}

/** A body that is to be parsed whole. */
export const readBody = async (body: AsyncIterable<Buffer>, source: Source): Promise<string> => {
  const { text, isWhole } = await readText(body, longestBytes)
  if (!isWhole) throw badAnswer(source, 'too-long', text)
  return text
}

/** The beginning of an error, and whether it is the whole of it. */
export const readErrorBody = (body: AsyncIterable<Buffer>) => readText(body, longestErrorBytes)

/**
 * An answer that is parsed whole has at most so many values: each takes far more memory than the bytes that
 * say it.
 */
const mostValues = 500_000

/** What nobody can parse without harm: brackets nested deeper than any record's, or far too many values. */
const excessIn = (json: string): string | undefined => {
  let depth = 0
  let values = 0
  for (let index = 0; index < json.length; index += 1) {
    const sign = json.charCodeAt(index)
    if (sign === 0x22) {
      // On to the quotation mark that ends the text: one behind an even number of backslashes.
      for (index += 1; index < json.length && json.charCodeAt(index) !== 0x22; index += 1)
        if (json.charCodeAt(index) === 0x5c) index += 1
    } else if (sign === 0x5b || sign === 0x7b) {
      depth += 1
      values += 1
      if (depth > deepest) return `Nested deeper than ${deepest} levels`
    } else if (sign === 0x5d || sign === 0x7d) depth -= 1
    else if (sign === 0x2c) values += 1
    if (values > mostValues) return `More than ${mostValues} values`
  }
  return undefined
}

/** What the text of an answer says, as JSON (RFC 8259); undefined where it is empty. */
export const parseJson = (text: string, type: string, source: Source): unknown => {
  if (/html/i.test(type) || /^\s*<(!doctype|html)/i.test(text)) throw badAnswer(source, 'html', text)
  if (text.trim() === '') return undefined
  const excess = excessIn(text)
  if (excess !== undefined) throw badAnswer(source, 'unexpected', `${excess}: ${text}`)
  try {
    return JSON.parse(withoutMark(text))
  } catch (error) {
    const isCut = /Unexpected end|Unterminated/.test(messageOf(error))
    throw badAnswer(source, isCut ? 'cut-off' : 'not-json', text, { cause: error })
  }
}

/** What is wrong with an array that could not be split. */
export const splitFailure = (error: SplitError, source: Source): Failed => {
  const { trouble, excerpt } = error
  if (/^\s*<(!doctype|html)/i.test(excerpt)) return badAnswer(source, 'html', excerpt, { cause: error })
  if (trouble === 'not an array') return badAnswer(source, 'unexpected', excerpt, { cause: error })
  if (trouble === 'too deep')
    return badAnswer(source, 'unexpected', `Nested deeper than ${deepest} levels: ${excerpt}`, {
      cause: error,
    })
  return badAnswer(source, trouble === 'too many' ? 'too-long' : trouble, excerpt, { cause: error })
}

/**
 * The messages of a 400 by field. Those of nested rows mirror the input and stand under "names.0.main"; a
 * bare text stands under no field.
 */
const messagesOf = (body: unknown): Record<string, string[]> => {
  const messages = new Map<string, string[]>()
  let count = 0
  const collect = (value: unknown, path: string[]) => {
    if (count >= mostMessages) return
    if (typeof value === 'string') {
      count += 1
      const field = path.join('.')
      messages.set(field, [...(messages.get(field) ?? []), value.slice(0, longestMessage)])
    } else if (Array.isArray(value))
      value.forEach((element, index) =>
        collect(element, typeof element === 'string' ? path : [...path, String(index)]),
      )
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) collect(inner, [...path, key])
  }
  collect(body, [])
  return Object.fromEntries(messages)
}

/** What a refusal says, also as plain text; a page of HTML says nothing that can be shown. */
const detailOf = (body: unknown) => {
  const said = messagesOf(body)
  const plain = typeof body === 'string' && !/<\w/.test(body) ? (said['']?.join(' ').trim() ?? '') : ''
  return said['detail']?.join(' ') ?? plain
}

/** Retry-After: seconds, or a date (RFC 9110 10.2.3); an hour at most. */
export const retryAfter = (header: string | string[] | undefined): number | undefined => {
  const text = String(header ?? '').trim()
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return seconds > 0 ? Math.min(3600, Math.ceil(seconds)) : undefined
}

/** What an error of the archive’s interface is to a person. */
export const refusalOf = (body: unknown, source: Source, retryAfterS?: number): Failed => {
  const { status, address } = source
  if (status === 400 || status === 422) return new Failed({ kind: 'refused', fields: messagesOf(body) })
  if (status === 401) return new Failed({ kind: 'signed-out' })
  if (status === 403) return new Failed({ kind: 'not-allowed', detail: detailOf(body) })
  if (status === 404) return new Failed({ kind: 'not-found', what: address })
  if (status === 409) return new Failed({ kind: 'conflict', detail: detailOf(body) })
  const said = typeof body === 'string' ? body : JSON.stringify(body ?? '')
  return badAnswer(source, 'error', said, { retryAfterS })
}
