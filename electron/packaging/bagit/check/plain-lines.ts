import { isUtf8 } from 'node:buffer'
import { decoderOf } from '../tag-files.ts'
import type { OpenFile } from '../../entries/package-files.ts'
import { tooLong, undecodable } from './line-marks.ts'
import { partsOf } from '../../entries/file-parts.ts'

/** Bytes of a line that are read; no name and no address is as long (a path of Linux has 4096). */
const longestLine = 64 * 1024
/** Bytes that are kept of a line that is too long. */
const excerptBytes = 4_096
const stepBytes = 64 * 1024

const lineFeed = 10
const carriageReturn = 13

/** The bytes of a file are no text in the encoding that the bag names; where in it is not known. */
export class NotText extends Error {}

/**
 * What is odd about a text and changes nothing but its bytes: a byte-order mark, CR at the end of lines, no
 * end of the last line.
 */
export type TextOddity = 'BOM' | 'CR' | 'EOF'

async function* utf8Parts(file: OpenFile, encoding: string): AsyncGenerator<Buffer> {
  if (/^utf-?8$/i.test(encoding)) {
    for await (const part of partsOf(file))
      for (let position = 0; position < part.length; position += stepBytes)
        yield part.subarray(position, position + stepBytes)
    return
  }
  const decoder = decoderOf(encoding)
  if (!decoder) throw new NotText()
  const decoded = (bytes: Buffer, stream: boolean) => {
    try {
      return Buffer.from(decoder(bytes, stream))
    } catch {
      throw new NotText()
    }
  }
  for await (const part of partsOf(file))
    for (let position = 0; position < part.length; position += stepBytes)
      yield decoded(part.subarray(position, position + stepBytes), true)
  yield decoded(Buffer.alloc(0), false)
}

/**
 * Puts two buffers behind each other in memory that is used again: what it gives is good until the next time.
 */
const joiner = () => {
  let memory: Buffer = Buffer.alloc(0)
  return (first: Buffer, other: Buffer): Buffer => {
    const length = first.length + other.length
    if (length > memory.length) memory = Buffer.allocUnsafeSlow(Math.max(length, 2 * memory.length))
    first.copy(memory)
    other.copy(memory, first.length)
    return memory.subarray(0, length)
  }
}

/** LF for CR and CRLF. */
const withLineFeeds = (bytes: Buffer): Buffer => {
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  for (let position = 0; position < bytes.length; position += 1) {
    const byte = bytes[position] ?? 0
    if (byte === lineFeed && bytes[position - 1] === carriageReturn) continue
    out[length] = byte === carriageReturn ? lineFeed : byte
    length += 1
  }
  return out.subarray(0, length)
}

/** Whole lines whose bytes are not all UTF-8: those that are not are replaced, the others stay. */
const withoutUndecodable = (lines: Buffer): Buffer => {
  const kept: Buffer[] = []
  for (let from = 0; from < lines.length;) {
    const end = lines.indexOf(lineFeed, from)
    const to = end < 0 ? lines.length : end
    const line = lines.subarray(from, to)
    kept.push(isUtf8(line) ? line : Buffer.from(undecodable))
    if (end >= 0) kept.push(lines.subarray(end, end + 1))
    from = to + 1
  }
  return Buffer.concat(kept)
}

/**
 * Reads a text file of a bag as plain lines of UTF-8 with LF at their ends, without a byte-order mark: part
 * after part, each of whole lines but perhaps the last, and never more than 128 kB at once, however the file
 * is made. What it gives is good until the next part is asked for.
 * @param odd hears what is odd about the text
 * @throws NotText where the file is in another encoding than UTF-8 and its bytes are no text in it
 */
export async function* plainLines(
  file: OpenFile,
  encoding: string,
  odd: (oddity: TextOddity) => void,
): AsyncGenerator<Buffer> {
  const join = joiner()
  let rest: Buffer = Buffer.alloc(0)
  let isBegun = false
  let isAfterReturn = false
  /** Inside a line that is too long: what is left of it is skipped. */
  let isSkipping = false
  let endsInLine = false
  const plain = (lines: Buffer) => (isUtf8(lines) ? lines : withoutUndecodable(lines))
  for await (const part of utf8Parts(file, encoding)) {
    let bytes = part
    if (!isBegun && part.length > 0) {
      isBegun = true
      if (part[0] === 0xef && part[1] === 0xbb && part[2] === 0xbf) {
        odd('BOM')
        bytes = part.subarray(3)
      }
    }
    // CRLF may be cut between two parts.
    if (isAfterReturn && bytes[0] === lineFeed) bytes = bytes.subarray(1)
    if (bytes.length === 0) continue
    isAfterReturn = bytes.at(-1) === carriageReturn
    if (bytes.includes(carriageReturn)) {
      odd('CR')
      bytes = withLineFeeds(bytes)
    }
    if (isSkipping) {
      const end = bytes.indexOf(lineFeed)
      if (end < 0) continue
      bytes = bytes.subarray(end)
      isSkipping = false
    }
    if (rest.length > 0) bytes = join(rest, bytes)
    const end = bytes.lastIndexOf(lineFeed)
    if (end >= 0) yield plain(bytes.subarray(0, end + 1))
    rest = Buffer.from(bytes.subarray(end + 1))
    endsInLine = rest.length > 0
    if (rest.length > longestLine) {
      const excerpt = rest.toString('utf8', 0, excerptBytes).replace(/\uFFFD$/, '')
      yield Buffer.from(`${tooLong}${excerpt}`)
      rest = Buffer.alloc(0)
      isSkipping = true
    }
  }
  if (rest.length > 0) yield plain(rest)
  if (endsInLine) odd('EOF')
}

/** Gives the lines of parts as `plainLines` yields them, with their numbers from 1 on. */
export const eachLine = async (
  parts: AsyncIterable<Buffer>,
  take: (line: string, number: number) => void,
): Promise<void> => {
  let number = 1
  let begun = ''
  for await (const part of parts) {
    const lines = (begun + part.toString('utf8')).split('\n')
    begun = lines.pop() ?? ''
    for (const line of lines) {
      take(line, number)
      number += 1
    }
  }
  if (begun !== '') take(begun, number)
}
