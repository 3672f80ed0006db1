import type { IncomingHttpHeaders } from 'node:http'

/** What a file is known again by: a strong entity tag with its quotes, and the second of its last change. */
export interface Validators {
  etag: string
  /** In ms, of a whole second. */
  modifiedMs: number
}

const tagsIn = (header: string) =>
  [...header.matchAll(/(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g)].map(([, weak, tag = '']) => ({
    isWeak: weak !== undefined,
    tag,
  }))

const timeOf = (header: string | undefined): number | undefined => {
  const time = Date.parse(header ?? '')
  return Number.isNaN(time) ? undefined : time
}

/**
 * Whether a request is to be answered by a status alone, in the order of RFC 9110 13.2.2.
 * @returns 412 where it was to hold and does not, 304 where the client has it already
 */
export const preconditionOf = (
  headers: IncomingHttpHeaders,
  { etag, modifiedMs }: Validators,
): 412 | 304 | undefined => {
  const { 'if-match': wanted, 'if-none-match': known } = headers
  const unmodified = timeOf(headers['if-unmodified-since'])
  if (wanted !== undefined) {
    const holds = wanted.trim() === '*' || tagsIn(wanted).some(({ isWeak, tag }) => !isWeak && tag === etag)
    if (!holds) return 412
  } else if (unmodified !== undefined && modifiedMs > unmodified) return 412
  if (known !== undefined)
    return known.trim() === '*' || tagsIn(known).some(({ tag }) => tag === etag) ? 304 : undefined
  const since = timeOf(headers['if-modified-since'])
  return since !== undefined && modifiedMs <= since ? 304 : undefined
}

/** Bytes of a file from the first to the last, both among them. */
export interface ByteRange {
  first: number
  last: number
}

/**
 * Which part of a file a GET asks for (RFC 9110 14.2). The whole is sent where several parts are wanted, the
 * header is no range of bytes, or the file is not the one of which the client has a part already (If-Range).
 */
export const rangeOf = (
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  size: number,
  { etag, modifiedMs }: Validators,
): ByteRange | 'whole' | 'unsatisfiable' => {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range ?? '') ?? []
  if (first === '' && last === '') return 'whole'
  if (first !== '' && last !== '' && Number(first) > Number(last)) return 'whole'
  if (ifRange !== undefined) {
    const mark = String(ifRange).trim()
    const isTag = /^(W\/)?"/.test(mark)
    if (isTag ? mark !== etag : timeOf(mark) !== modifiedMs) return 'whole'
  }
  if (first === '') {
    // Of nothing there is no last byte either, and Content-Range could not say it.
    if (Number(last) > 0 && size === 0) return 'whole'
    return Number(last) === 0 ? 'unsatisfiable' : { first: Math.max(0, size - Number(last)), last: size - 1 }
  }
  if (Number(first) >= size) return 'unsatisfiable'
  return { first: Number(first), last: last === '' ? size - 1 : Math.min(size - 1, Number(last)) }
}
