import { Failed, failureOf } from '../contract/failure.ts'
import type { OpenedFiles } from './opened-files.ts'
import { mostPartBytes } from './opened-files.ts'

/** Where the frame finds the open files, each below it by its key. */
export const content = 'app://content/'

/** A frame with an opaque origin reads it, as the one page that may be in that frame. */
const known = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Content-Range, Content-Length',
  'Accept-Ranges': 'bytes',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

/** A single range of bytes (RFC 9110 14.1.2); undefined for anything else. */
const rangeIn = (
  header: string | null,
  bytes: number,
): { first: number; last: number; hasEnd: boolean } | undefined => {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  const first = from === '' ? Math.max(0, bytes - Number(to)) : Number(from)
  const last = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  return { first, last, hasEnd: from === '' || to !== '' }
}

/** A player asks for all that follows, and reads little of it where it looks for its index. */
const firstAheadBytes = 512 * 1024
/** So many files are read on at a time. */
const mostAhead = 64

/** How many bytes answer a range without an end: four times as many where it goes on from the last one. */
const openReadAhead = () => {
  const all = new Map<string, { next: number; bytes: number }>()
  return (key: string, first: number): number => {
    const before = all.get(key)
    const bytes = before?.next === first ? Math.min(mostPartBytes, before.bytes * 4) : firstAheadBytes
    all.delete(key)
    all.set(key, { next: first + bytes, bytes })
    const [oldest] = all.keys()
    if (all.size > mostAhead && oldest !== undefined) all.delete(oldest)
    return bytes
  }
}

/** All bytes of a file, part by part as they are taken. */
const wholeOf = (read: OpenedFiles['read'], key: string, bytes: number): ReadableStream => {
  let at = 0
  return new ReadableStream({
    pull: async (controller) => {
      const part = await read(key, { first: at, last: at + mostPartBytes - 1 })
      at += part.length
      if (part.length > 0) controller.enqueue(new Uint8Array(part))
      if (at >= bytes || part.length === 0) controller.close()
    },
  })
}

/** Answers a request for an open file. */
export type AnswerContent = (request: Pick<Request, 'url' | 'headers'>) => Promise<Response>

/**
 * Answers requests for open files below app://content/: the part that is asked for, or less of it
 * (RFC 9110 15.3.7), else the whole; 404 for an address that is none any more, 416 for a part that there is
 * not, 502 where the archive does not give it.
 * @param reportBug writes an unexpected error to the log
 */
export const openContentAnswers = (
  files: Pick<OpenedFiles, 'bytesOf' | 'read'>,
  reportBug: (error: unknown) => string,
): AnswerContent => {
  const aheadOf = openReadAhead()
  const read: OpenedFiles['read'] = async (key, range) => {
    try {
      return await files.read(key, range)
    } catch (error) {
      throw new Failed(failureOf(error, reportBug), { cause: error })
    }
  }
  return async ({ url, headers }) => {
    const key = url.slice(content.length)
    const bytes = files.bytesOf(key)
    if (bytes === undefined) return new Response('Not here.', { status: 404, headers: known })
    const asked = headers.get('range')
    const range = rangeIn(asked, bytes)
    if (asked === null || range === undefined)
      return new Response(wholeOf(read, key, bytes), {
        headers: { ...known, 'Content-Length': String(bytes) },
      })
    if (range.first > range.last)
      return new Response(null, { status: 416, headers: { ...known, 'Content-Range': `bytes */${bytes}` } })
    try {
      const { first, hasEnd } = range
      const last = hasEnd ? range.last : Math.min(range.last, first + aheadOf(key, first) - 1)
      const part = await read(key, { first, last })
      return new Response(new Uint8Array(part), {
        status: 206,
        headers: {
          ...known,
          'Content-Length': String(part.length),
          'Content-Range': `bytes ${first}-${first + part.length - 1}/${bytes}`,
        },
      })
    } catch {
      return new Response('The archive does not give it.', { status: 502, headers: known })
    }
  }
}
