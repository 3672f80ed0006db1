import { readFully } from '../pack/copy.ts'
import { Broken } from './broken.ts'
import type { FoundEntry } from './found-entry.ts'

const tooLarge = 0xffffffff
const longestComment = 65_535
const windowBytes = 256 * 1024

const stored = 0
const deflated = 8
const encrypted = 0x0001
const utf8Names = 0x0800

const read = (handle: number, at: number, length: number, size: number): Buffer => {
  if (at < 0 || at + length > size) throw new Broken(`cut off at ${size}`)
  const bytes = Buffer.alloc(length)
  readFully(handle, bytes, at)
  return bytes
}

/** The central directory: where it begins, how long it is and how many entries it has (APPNOTE.TXT 4.3.14 to 4.3.16). */
const directoryOf = (handle: number, size: number) => {
  const length = Math.min(size, longestComment + 22)
  const tail = read(handle, size - length, length, size)
  for (let at = tail.length - 22; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== 0x06054b50 || at + 22 + tail.readUInt16LE(at + 20) !== tail.length) continue
    const end = {
      entries: tail.readUInt16LE(at + 10),
      length: tail.readUInt32LE(at + 12),
      at: tail.readUInt32LE(at + 16),
    }
    if (at >= 20 && tail.readUInt32LE(at - 20) === 0x07064b50) {
      const end64 = read(handle, Number(tail.readBigUInt64LE(at - 12)), 56, size)
      if (end64.readUInt32LE(0) !== 0x06064b50) throw new Broken('end of the zip64 directory')
      return {
        entries: Number(end64.readBigUInt64LE(32)),
        length: Number(end64.readBigUInt64LE(40)),
        at: Number(end64.readBigUInt64LE(48)),
      }
    }
    return end
  }
  throw new Broken('end of the directory, which is missing')
}

/** Names without the sign for UTF-8 are in code page 437; only what both have in common is taken as it is. */
const nameOf = (bytes: Buffer, flags: number, at: number) => {
  const isText = (flags & utf8Names) !== 0 || bytes.every((byte) => byte < 128)
  const name = bytes.toString(isText ? 'utf8' : 'latin1')
  if (isText && !Buffer.from(name).equals(bytes)) throw new Broken(`name at ${at}, which is no UTF-8`)
  return name
}

/** The fields of a zip64 field, in the order in which their four-byte places are full (APPNOTE.TXT 4.5.3). */
const large = (extra: Buffer, values: number[]): number[] => {
  for (let at = 0; at + 4 <= extra.length;) {
    const id = extra.readUInt16LE(at)
    const length = extra.readUInt16LE(at + 2)
    if (id === 1) {
      let field = at + 4
      return values.map((value) => {
        if (value !== tooLarge) return value
        field += 8
        return field <= at + 4 + length && field <= extra.length
          ? Number(extra.readBigUInt64LE(field - 8))
          : value
      })
    }
    at += 4 + length
  }
  return values
}

/**
 * Walks the entries of a zip as its directory lists them; nothing is unpacked.
 * @throws Broken with what cannot be read
 */
export function* zipEntries(handle: number, size: number): Generator<FoundEntry> {
  const directory = directoryOf(handle, size)
  const end = directory.at + directory.length
  if (!Number.isSafeInteger(end) || end > size) throw new Broken('directory that lies outside the file')
  let window: Buffer = Buffer.alloc(0)
  let windowAt = directory.at
  const bytesAt = (at: number, length: number): Buffer => {
    if (at + length > end) throw new Broken(`directory at ${at}`)
    if (at < windowAt || at + length > windowAt + window.length) {
      windowAt = at
      window = read(handle, at, Math.min(Math.max(windowBytes, length), end - at), size)
    }
    return window.subarray(at - windowAt, at - windowAt + length)
  }
  let at = directory.at
  for (let index = 0; index < directory.entries; index += 1) {
    const fixed = bytesAt(at, 46)
    if (fixed.readUInt32LE(0) !== 0x02014b50) throw new Broken(`directory at ${at}`)
    const flags = fixed.readUInt16LE(8)
    const method = fixed.readUInt16LE(10)
    const [nameLength, extraLength, commentLength] = [
      fixed.readUInt16LE(28),
      fixed.readUInt16LE(30),
      fixed.readUInt16LE(32),
    ]
    const attributes = fixed.readUInt32LE(38) >>> 16
    const sizes = [fixed.readUInt32LE(24), fixed.readUInt32LE(20), fixed.readUInt32LE(42)]
    const rest = bytesAt(at + 46, nameLength + extraLength)
    const name = nameOf(rest.subarray(0, nameLength), flags, at)
    const [bytes = 0, compressed = 0, header = 0] = large(rest.subarray(nameLength), sizes)
    const isFolder = name.endsWith('/')
    const type = attributes & 0o170000
    const isPlain =
      (type === 0 || type === 0o100000 || type === 0o040000) &&
      (flags & encrypted) === 0 &&
      (method === stored || method === deflated)
    yield {
      name: name.replace(/\/+$/, ''),
      kind: !isPlain ? 'other' : isFolder ? 'folder' : 'file',
      bytes,
      stored: compressed,
      at: header,
      isStored: method === stored,
    }
    at += 46 + nameLength + extraLength + commentLength
  }
}

/** Where the content behind a local header begins (APPNOTE.TXT 4.3.7). */
export const contentAt = (handle: number, at: number, size: number): number => {
  const header = read(handle, at, 30, size)
  if (header.readUInt32LE(0) !== 0x04034b50) throw new Broken(`header at ${at}`)
  return at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
}
