import { entryIn } from '../../../electron/common/records.ts'
import { contentOf, readWhole, sliceOf, TooLarge, type Content } from '../content.ts'
import { Undrawable } from '../kind.ts'
import { inflate } from './gzip.ts'
import { decodePercent } from './percent.ts'

/** Something that was captured: what a server answered, or what was put beside it. */
export interface Capture {
  address: string
  /** The type of the record: response, resource, metadata, … */
  record: string
  date: string
  /** Of a revisit, at which address the same was captured before; else empty. */
  sameAs: string
  /** What HTTP answered, 0 where it was not asked. */
  status: number
  type: string
  bytes: number
  /** All of the record that follows its header: of a response, that of HTTP and what was sent. */
  read: () => Promise<Uint8Array<ArrayBuffer>>
}

const mostHeaderBytes = 64 * 1024
/** Of a captured page or picture so much is read. */
const mostCaptureBytes = 64 * 1024 * 1024

const latin = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes)

/** The bytes of an archive, from the first to the last, and a way to them again. */
interface Walk {
  /** The next bytes, which stay the next ones. Fewer at the end. */
  peek: (count: number) => Promise<Uint8Array>
  skip: (count: number) => Promise<void>
  /** How to read some bytes, `from` bytes further on, later. */
  later: (from: number, count: number) => () => Promise<Uint8Array<ArrayBuffer>>
}

const walkPlain = (content: Content): Walk => {
  let at = 0
  return {
    peek: (count) => content.read(at, at + count),
    skip: (count) => {
      at += count
      return at > content.bytes ? Promise.reject(new Undrawable('broken')) : Promise.resolve()
    },
    later: (from, count) => {
      const start = at + from
      return () => readWhole(sliceOf(content, '', start, start + count), mostCaptureBytes)
    },
  }
}

/** Bytes of one member of a GZIP file, `from` bytes after its beginning. */
const readInflated = async (content: Content, member: number, from: number, count: number) => {
  if (count > mostCaptureBytes) throw new TooLarge(content.name)
  const result = new Uint8Array(count)
  let at = 0
  for await (const { bytes } of inflate(content, member)) {
    const start = Math.max(from, at)
    const piece = bytes.subarray(start - at, Math.max(0, from + count - at))
    if (start < at + bytes.length) result.set(piece, start - from)
    at += bytes.length
    if (at >= from + count) return result
  }
  throw new Undrawable('broken')
}

/** Each record of such an archive is a member of its own, as a rule, so that it can be read by itself. */
const walkInflated = (content: Content): Walk => {
  const pieces = inflate(content)
  let ahead: { bytes: Uint8Array; member: number; at: number }[] = []
  let inMember = { member: -1, bytes: 0 }
  let isOver = false
  /** What comes before something that is broken is read first. */
  let failure: unknown
  const fill = async (count: number) => {
    let held = ahead.reduce((sum, { bytes }) => sum + bytes.length, 0)
    while (held < count && !isOver) {
      const next = await pieces.next().catch((error: unknown) => {
        failure = error
        return { done: true as const, value: undefined }
      })
      if (next.done) isOver = true
      else {
        const { bytes, member } = next.value
        if (member !== inMember.member) inMember = { member, bytes: 0 }
        ahead.push({ bytes, member, at: inMember.bytes })
        inMember.bytes += bytes.length
        held += bytes.length
      }
    }
  }
  return {
    peek: async (count) => {
      await fill(count)
      if (ahead.length === 0 && failure !== undefined) throw new Undrawable('broken')
      const joined = new Uint8Array(
        await new Blob(ahead.map(({ bytes }) => new Uint8Array(bytes))).arrayBuffer(),
      )
      return joined.subarray(0, count)
    },
    skip: async (count) => {
      for (let left = count; left > 0;) {
        await fill(1)
        const [first] = ahead
        if (!first) throw new Undrawable('broken')
        const taken = Math.min(left, first.bytes.length)
        left -= taken
        if (taken === first.bytes.length) ahead = ahead.slice(1)
        else ahead[0] = { bytes: first.bytes.subarray(taken), member: first.member, at: first.at + taken }
      }
    },
    later: (from, count) => {
      const { member, at } = ahead[0] ?? { member: 0, at: 0 }
      return () => readInflated(content, member, at + from, count)
    },
  }
}

/** Lines "Name: value" after a first one, up to an empty one. */
const headersIn = (text: string) => {
  const end = /\r?\n\r?\n/.exec(text)
  if (!end) return undefined
  const [first = '', ...lines] = text.slice(0, end.index).split(/\r?\n/)
  const values = new Map<string, string>()
  for (const line of lines) {
    const split = line.indexOf(':')
    if (split > 0) values.set(line.slice(0, split).trim().toLowerCase(), line.slice(split + 1).trim())
  }
  return { first, values, bytes: end.index + end[0].length }
}

/**
 * What was captured, in the order of the archive (WARC 1.0 and 1.1, ISO 28500; also compressed by records).
 * Of a record its header is read, and that of what HTTP answered.
 * @throws Undrawable where a record does not begin as one, Unreachable
 */
export async function* capturesOf(content: Content): AsyncGenerator<Capture> {
  const [first, second] = await content.read(0, 2)
  const walk = first === 0x1f && second === 0x8b ? walkInflated(content) : walkPlain(content)
  for (;;) {
    const ahead = latin(await walk.peek(mostHeaderBytes))
    const blank = /^[\r\n]*/.exec(ahead)?.[0].length ?? 0
    if (ahead.length === blank) return
    const header = headersIn(ahead.slice(blank))
    const length = header?.values.get('content-length') ?? ''
    if (!header?.first.startsWith('WARC/') || !/^\d{1,15}$/.test(length)) throw new Undrawable('broken')
    const bytes = Number(length)
    const start = blank + header.bytes
    const http = headersIn(ahead.slice(start))
    const record = header.values.get('warc-type') ?? ''
    const isAnswer = record === 'response' || record === 'revisit'
    const uri = (name: string) => (header.values.get(name) ?? '').replace(/^<|>$/g, '')
    const address = uri('warc-target-uri')
    yield {
      address,
      record,
      sameAs: record === 'revisit' ? uri('warc-refers-to-target-uri') || address : '',
      date: header.values.get('warc-date') ?? '',
      status: isAnswer ? Number(/^HTTP\/\S+ (\d{3})/.exec(http?.first ?? '')?.[1] ?? 0) : 0,
      type: (isAnswer ? http?.values.get('content-type') : header.values.get('content-type')) ?? '',
      bytes,
      read: walk.later(start, bytes),
    }
    await walk.skip(start + bytes)
  }
}

/** What was sent in chunks (RFC 9112 7.1), in one piece. */
const unchunked = (body: Uint8Array<ArrayBuffer>) => {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let at = 0; at < body.length;) {
    const line = /^([0-9a-fA-F]{1,8})[^\n]{0,200}\n/.exec(latin(body.subarray(at, at + 220)))
    if (!line) return at === 0 ? body : undefined
    const length = parseInt(line[1] ?? '0', 16)
    if (length === 0) break
    const start = at + line[0].length
    parts.push(body.subarray(start, start + length))
    at = start + length + 2
  }
  return parts
}

const codings: Record<string, CompressionFormat> = { gzip: 'gzip', 'x-gzip': 'gzip', deflate: 'deflate' }

/** What a server sent, without what HTTP put around it. @throws Undrawable, TooLarge, Unreachable */
export const sentIn = async ({ read, record, address }: Capture): Promise<Content> => {
  const name = decodePercent(URL.parse(address)?.pathname.split('/').at(-1) ?? '') || 'index.html'
  const whole = await read()
  if (record !== 'response') return contentOf(name, whole)
  const header = headersIn(latin(whole.subarray(0, mostHeaderBytes)))
  if (!header) throw new Undrawable('broken')
  const body = whole.subarray(header.bytes)
  const isChunked = /chunked/i.test(header.values.get('transfer-encoding') ?? '')
  const parts = isChunked ? unchunked(body) : body
  if (!parts) throw new Undrawable('broken')
  const blob = new Blob(Array.isArray(parts) ? parts : [parts])
  const coding = entryIn(codings, (header.values.get('content-encoding') ?? '').toLowerCase())
  if (!coding) return contentOf(name, new Uint8Array(await blob.arrayBuffer()))
  return contentOf(name, await bounded(blob.stream().pipeThrough(new DecompressionStream(coding)), name))
}

const bounded = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>, name: string) => {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length
    if (length > mostCaptureBytes) throw new TooLarge(name)
    parts.push(next.value)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}
