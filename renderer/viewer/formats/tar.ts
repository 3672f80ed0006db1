import { sliceOf, type Content } from '../content.ts'
import { Undrawable } from '../kind.ts'
import type { Member } from './member.ts'

const blockBytes = 512
const nearBytes = 64 * 1024
const aheadBytes = 2 * 1024 * 1024
/** Names in extended headers are no longer than paths can be. */
const mostHeaderBytes = 1024 * 1024
const decoder = new TextDecoder()
const text = (bytes: Uint8Array) => {
  const end = bytes.indexOf(0)
  return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end))
}
/** A number in octal digits, or in base 256 where its first bit is set (GNU). */
const numberIn = (bytes: Uint8Array) => {
  if (((bytes[0] ?? 0) & 0x80) === 0) return parseInt(text(bytes).trim() || '0', 8)
  return bytes.subarray(1).reduce((sum, byte) => sum * 256 + byte, (bytes[0] ?? 0) & 0x7f)
}
/** The sum of all bytes of a header, that of the sum itself being blanks. */
const isHeader = (header: Uint8Array) => {
  const told = numberIn(header.subarray(148, 156))
  const sum = header.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0)
  return header.length === blockBytes && sum === told
}

/** The records of an extended header of pax: "length key=value", a line each. */
const paxRecords = (bytes: Uint8Array): Map<string, string> => {
  const records = new Map<string, string>()
  for (let at = 0; at < bytes.length;) {
    const length = parseInt(text(bytes.subarray(at, at + 12)), 10)
    if (!(length > 0)) break
    const line = new TextDecoder().decode(bytes.subarray(at, at + length)).trimEnd()
    const record = line.slice(line.indexOf(' ') + 1)
    const split = record.indexOf('=')
    if (split > 0) records.set(record.slice(0, split), record.slice(split + 1))
    at += length
  }
  return records
}

/** Whether bytes begin as a tar does (POSIX 1003.1 ustar, GNU, or from before either). */
export const isTarHeader = (beginning: Uint8Array) => isHeader(beginning.subarray(0, blockBytes))

const memberOf = (
  content: Content,
  header: Uint8Array,
  { start, bytes, path }: { start: number; bytes: number; path: string },
): Member => ({
  path: path.replace(/^(\.?\/)+/, ''),
  bytes,
  modified: new Date(numberIn(header.subarray(136, 148)) * 1000),
  isFolder: header[156] === 0x35 || path.endsWith('/'),
  open: () => Promise.resolve(sliceOf(content, path.split('/').at(-1) ?? path, start, start + bytes)),
})

const pathIn = (header: Uint8Array) => {
  const name = text(header.subarray(0, 100))
  const isUstar = text(header.subarray(257, 262)) === 'ustar'
  const prefix = isUstar && header[262] === 0 ? text(header.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

/** Reads headers; where they lie near one another, many at once. */
const headers = (content: Content) => {
  let ahead = new Uint8Array(0)
  let [start, last] = [0, -Infinity]
  return async (at: number) => {
    if (at < start || at + blockBytes > start + ahead.length) {
      ahead = await content.read(at, at + (at - last < nearBytes ? aheadBytes : blockBytes))
      start = at
    }
    last = at
    return ahead.subarray(at - start, at - start + blockBytes)
  }
}

/**
 * The files of a tar, of which the headers alone are read.
 * @throws Undrawable where a header is none, or what it is of is cut; Unreachable
 */
export async function* membersOfTar(content: Content): AsyncGenerator<Member> {
  const headerAt = headers(content)
  let named: string | undefined
  let sized: number | undefined
  for (let at = 0; at + blockBytes <= content.bytes;) {
    const header = await headerAt(at)
    if (header.every((byte) => byte === 0)) return
    if (!isHeader(header)) throw new Undrawable('broken', `No header at ${at}`)
    const type = String.fromCharCode(header[156] ?? 0)
    const bytes = sized ?? numberIn(header.subarray(124, 136))
    if (!(bytes >= 0)) throw new Undrawable('broken', `No length at ${at}`)
    const start = at + blockBytes
    if (bytes > content.bytes - start) throw new Undrawable('broken', `The file at ${at} is cut`)
    at = start + Math.ceil(bytes / blockBytes) * blockBytes
    if ('Lx'.includes(type)) {
      if (bytes > mostHeaderBytes) throw new Undrawable('broken', `A name of ${bytes} bytes`)
      const extended = await content.read(start, start + bytes)
      if (type === 'L') named = text(extended)
      else {
        const records = paxRecords(extended)
        named = records.get('path') ?? named
        sized = records.has('size') ? Number(records.get('size')) : undefined
      }
    } else if (type !== 'g' && type !== 'K') {
      yield memberOf(content, header, { start, bytes, path: named ?? pathIn(header) })
      named = undefined
      sized = undefined
    }
  }
}
