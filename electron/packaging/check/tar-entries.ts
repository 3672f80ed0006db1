import { readFully } from '../pack/copy.ts'
import type { FoundEntry } from './found-entry.ts'
import { Broken } from './broken.ts'

const block = 512
const windowBytes = 256 * 1024
const longestRecord = 1024 * 1024

const text = (header: Buffer, from: number, length: number) => {
  const end = header.indexOf(0, from)
  return header.toString('utf8', from, end >= 0 && end < from + length ? end : from + length)
}

/** A number of a header: octal digits, or base 256 where the first bit is set (GNU). */
const number = (header: Buffer, from: number, length: number) => {
  if (((header[from] ?? 0) & 0x80) !== 0)
    return header.subarray(from + 1, from + length).reduce((sum, byte) => sum * 256 + byte, 0)
  return parseInt(text(header, from, length).trim() || '0', 8)
}

const isSummed = (header: Buffer) => {
  let sum = 8 * 32
  for (let index = 0; index < block; index += 1) if (index < 148 || index >= 156) sum += header[index] ?? 0
  return sum === number(header, 148, 8)
}

/** Records of an extended header (POSIX pax): "length key=value\n". */
const recordsOf = (bytes: Buffer, at: number) => {
  const records = new Map<string, string>()
  for (let position = 0; position < bytes.length && bytes[position] !== 0;) {
    const space = bytes.indexOf(32, position)
    const length = Number(bytes.toString('latin1', position, space))
    const line = bytes.subarray(space + 1, position + length)
    const equals = line.indexOf(61)
    if (space < 0 || !(length > 0) || position + length > bytes.length || equals < 0 || line.at(-1) !== 10)
      throw new Broken(`extended header at ${at}`)
    records.set(line.toString('utf8', 0, equals), line.toString('utf8', equals + 1, line.length - 1))
    position += length
  }
  return records
}

const kinds: Record<string, FoundEntry['kind']> = { '0': 'file', '\0': 'file', '7': 'file', '5': 'folder' }

/**
 * Walks the entries of a tar: ustar, pax and GNU's long names. Nothing is unpacked; content is skipped, what fills the last block of a
 * file must be empty.
 * @throws Broken with the position of what cannot be read
 */
export function* tarEntries(handle: number, size: number): Generator<FoundEntry> {
  // A tar is made of whole blocks; one that is not was cut or grew.
  if (size % block !== 0) throw new Broken(`cut off at ${size}`)
  const window = Buffer.allocUnsafe(windowBytes)
  let windowAt = 0
  let windowLength = 0
  const bytesAt = (at: number, length: number): Buffer => {
    if (at + length > size) throw new Broken(`cut off at ${size}`)
    if (at < windowAt || at + length > windowAt + windowLength) {
      windowAt = at
      windowLength = readFully(handle, window, at)
    }
    if (length > windowBytes) {
      const bytes = Buffer.alloc(length)
      readFully(handle, bytes, at)
      return bytes
    }
    return window.subarray(at - windowAt, at - windowAt + length)
  }
  let pax = new Map<string, string>()
  let globals = new Map<string, string>()
  let longName: string | undefined
  for (let at = 0; at < size;) {
    const header = bytesAt(at, block)
    if (header.every((byte) => byte === 0)) {
      for (let rest = at; rest < size; rest += block)
        if (!bytesAt(rest, Math.min(block, size - rest)).every((byte) => byte === 0))
          throw new Broken(`not empty after its end, at ${rest}`)
      return
    }
    if (!isSummed(header)) throw new Broken(`header at ${at}`)
    const type = String.fromCharCode(header[156] ?? 0)
    const isPosix = text(header, 257, 6) === 'ustar'
    const prefix = isPosix ? text(header, 345, 155) : ''
    const own = text(header, 0, 100)
    const isExtension = type === 'x' || type === 'g' || type === 'L' || type === 'K'
    const bytes = isExtension
      ? number(header, 124, 12)
      : Number(pax.get('size') ?? globals.get('size') ?? number(header, 124, 12))
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw new Broken(`header at ${at}`)
    const content = at + block
    const end = content + bytes
    const padding = (block - (bytes % block)) % block
    if (end + padding > size) throw new Broken(`cut off at ${size}`)
    if (padding > 0 && !bytesAt(end, padding).every((byte) => byte === 0))
      throw new Broken(`not empty behind a file, at ${end}`)
    if (isExtension) {
      if (bytes > longestRecord) throw new Broken(`extended header of ${bytes} bytes at ${at}`)
      const inside = Buffer.from(bytesAt(content, bytes))
      if (type === 'x') pax = recordsOf(inside, at)
      else if (type === 'g') globals = new Map([...globals, ...recordsOf(inside, at)])
      else if (type === 'L') longName = text(inside, 0, inside.length)
    } else {
      const isSparse = type === 'S' || [...pax.keys()].some((key) => key.startsWith('GNU.sparse'))
      const name = pax.get('path') ?? longName ?? (prefix === '' ? own : `${prefix}/${own}`)
      yield {
        name: name.replace(/\/+$/, ''),
        kind: isSparse ? 'other' : (kinds[type] ?? 'other'),
        bytes,
        stored: bytes,
        at: content,
        isStored: true,
      }
      pax = new Map()
      longName = undefined
    }
    at = end + padding
  }
  throw new Broken(`cut off at ${size}`)
}
