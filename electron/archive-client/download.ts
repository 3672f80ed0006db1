import { badAnswer } from './answers.ts'
import type { Answer, Exchange } from './exchange.ts'
import { contentRange, countOf, markOf } from './headers.ts'

/** A file on its way. */
export interface IncomingFile {
  /** The first byte that comes: 0 where the archive began anew. */
  from: number
  /** How long the whole is; null where the archive does not say. */
  total: number | null
  /** What tells this content from a later one; empty where the archive names nothing. */
  mark: string
  /** What the archive calls it (Content-Type); empty where it does not say. */
  type: string
  body: AsyncIterable<Buffer>
}

/** Where a file goes on, and the mark of the content that its beginning is of. */
export interface Resumption {
  from: number
  mark: string
}

/** The whole of a file from an answer of 200. */
const wholeOf = ({ headers, type, body }: Answer): IncomingFile => ({
  from: 0,
  total: countOf(headers['content-length']),
  mark: markOf(headers),
  type,
  body,
})

/**
 * Goes on in the middle of a file; undefined where the archive answers with anything but the bytes that were
 * asked for.
 */
const resume = async (
  { open }: Pick<Exchange, 'open'>,
  address: string,
  { from, mark }: Resumption,
  stop?: AbortSignal,
): Promise<IncomingFile | undefined> => {
  const headers = { accept: '*/*', range: `bytes=${from}-`, 'if-range': mark }
  const answered = await open('GET', address, { patienceMs: null, headers, stop, acceptedStatus: 416 })
  if (answered.status === 200) return wholeOf(answered)
  const range = contentRange(answered.headers['content-range'])
  const found = markOf(answered.headers)
  if (answered.status === 206 && range?.from === from && (found === '' || found === mark))
    return { from, total: range.total, mark, type: answered.type, body: answered.body }
  await answered.turnDown(badAnswer(answered.source, 'unexpected', 'Content-Range'))
  return undefined
}

/**
 * A file as it arrives; from the middle, where the archive can go on from there (RFC 9110 14.2, 13.1.5).
 * @throws Failed server-broke unexpected where the archive gives a part that nobody asked for
 */
export const openFile = async (
  exchange: Pick<Exchange, 'open'>,
  address: string,
  part?: Resumption,
  stop?: AbortSignal,
): Promise<IncomingFile> => {
  const canResume = part !== undefined && part.from > 0 && part.mark !== ''
  const found = canResume ? await resume(exchange, address, part, stop) : undefined
  if (found) return found
  const answered = await exchange.open('GET', address, {
    patienceMs: null,
    headers: { accept: '*/*' },
    stop,
  })
  if (answered.status === 200) return wholeOf(answered)
  throw await answered.turnDown(
    badAnswer(answered.source, 'unexpected', `Content-Range: ${String(answered.headers['content-range'])}`),
  )
}

/** The bytes of a file from `first` to `last`, both included, as in a Range header (RFC 9110 14.1.2). */
export interface ByteRange {
  first: number
  last: number
}

/** What comes of a file of which a part was asked for. */
export interface IncomingPart extends IncomingFile {
  /** Whether it is the whole: an archive may take no notice of what is asked for (RFC 9110 14.2). */
  isWhole: boolean
}

/**
 * A part of a file, or the whole.
 * @throws Failed server-broke unexpected where the archive gives a part that nobody asked for, or says that
 * there is no such one
 */
export const openPart = async (
  { open }: Pick<Exchange, 'open'>,
  address: string,
  { first, last }: ByteRange,
  stop?: AbortSignal,
): Promise<IncomingPart> => {
  const headers = { accept: '*/*', range: `bytes=${first}-${last}` }
  const answered = await open('GET', address, { patienceMs: null, headers, stop, acceptedStatus: 416 })
  if (answered.status === 200) return { ...wholeOf(answered), isWhole: true }
  const said = answered.headers['content-range']
  // An empty file has no part (RFC 9110 15.5.17).
  if (answered.status === 416 && first === 0 && String(said) === 'bytes */0') {
    await answered.turnDown(badAnswer(answered.source, 'unexpected', 'Content-Range'))
    return { from: 0, total: 0, mark: markOf(answered.headers), type: '', body: noBytes(), isWhole: true }
  }
  const range = contentRange(said)
  if (answered.status === 206 && range?.from === first)
    return {
      from: first,
      total: range.total,
      mark: markOf(answered.headers),
      type: answered.type,
      body: answered.body,
      isWhole: false,
    }
  throw await answered.turnDown(badAnswer(answered.source, 'unexpected', `Content-Range: ${String(said)}`))
}

/** The body of an empty file. */
async function* noBytes(): AsyncGenerator<Buffer> {
  // Nothing comes.
}
