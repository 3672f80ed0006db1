import { Broken } from './broken.ts'

export const block = 512

/** What a block says of an entry (POSIX ustar, GNU, and the form of before both). */
export interface TarHeader {
  type: string
  bytes: number
  /** Bytes of the name, up to the first zero; with its prefix where the format has one. */
  name: Buffer
  /** Whether something stands in it that programs read differently. */
  isDoubtful: boolean
}

const untilZero = (header: Buffer, from: number, length: number) => {
  const end = header.indexOf(0, from)
  return header.subarray(from, end >= 0 && end < from + length ? end : from + length)
}

/** A number of octal digits, which may stand after blanks and ends with a blank or a zero; undefined where it is something else. */
const octal = (header: Buffer, from: number, length: number): number | undefined => {
  const [, digits] = /^ *([0-7]*)[ \0]*$/.exec(header.toString('latin1', from, from + length)) ?? []
  return digits === undefined ? undefined : parseInt(digits || '0', 8)
}

/** A number of a header: octal digits, or where the first bit is set bytes with the highest first, as GNU has them. */
const number = (header: Buffer, from: number, length: number): number | undefined => {
  const first = header[from] ?? 0
  if (first === 0xff) return -1
  if (first !== 0x80) return octal(header, from, length)
  return header.subarray(from + 1, from + length).reduce((sum, byte) => sum * 256 + byte, 0)
}

/** The sum of all bytes with that of the sum as blanks; some old programs took bytes for signed. */
const isSummed = (header: Buffer): boolean => {
  let [sum, signed] = [8 * 32, 8 * 32]
  for (let index = 0; index < block; index += 1) {
    if (index >= 148 && index < 156) continue
    const byte = header[index] ?? 0
    sum += byte
    signed += byte < 128 ? byte : byte - 256
  }
  const found = octal(header, 148, 8)
  return found === sum || found === signed
}

/** Whether a block begins a tar. */
export const isTarHeader = (header: Buffer): boolean =>
  header.length === block && header[0] !== 0 && isSummed(header)

/** Numbers beside the length: rights, owner, group, time, device. They change nothing here, but programs refuse what is none. */
const otherNumbers = [
  [100, 8],
  [108, 8],
  [116, 8],
  [136, 12],
  [329, 8],
  [337, 8],
] as const

/**
 * Reads a header of a tar.
 * @throws Broken where it is none
 */
export const tarHeader = (header: Buffer, at: number): TarHeader => {
  const bytes = number(header, 124, 12)
  if (!isSummed(header) || bytes === undefined || !Number.isSafeInteger(bytes) || bytes < 0)
    throw new Broken('archive-damaged', at)
  const type = String.fromCharCode(header[156] ?? 0)
  const magic = header.toString('latin1', 257, 265)
  const isPosix = magic === 'ustar\x0000'
  const prefix = untilZero(header, 345, 155)
  const own = untilZero(header, 0, 100)
  const hasRest = header.subarray(345 + (isPosix ? prefix.length : 0), block).some((byte) => byte !== 0)
  const isKnown = isPosix || magic === 'ustar  \0' || magic === '\0\0\0\0\0\0\0\0'
  const hasNumbers = otherNumbers.every(([from, length]) => number(header, from, length) !== undefined)
  return {
    type,
    bytes,
    name: isPosix && prefix.length > 0 ? Buffer.concat([prefix, Buffer.from('/'), own]) : Buffer.from(own),
    isDoubtful: !isKnown || hasRest || !hasNumbers,
  }
}

/**
 * Records of an extended header (POSIX pax): "length key=value\n".
 * @throws Broken
 */
export const paxRecords = (
  bytes: Buffer,
  at: number,
): { records: Map<string, Buffer>; isDoubtful: boolean } => {
  const records = new Map<string, Buffer>()
  let isDoubtful = false
  for (let position = 0; position < bytes.length;) {
    const [digits] = /^[1-9]\d{0,8} /.exec(bytes.toString('latin1', position, position + 10)) ?? []
    const end = position + Number(digits)
    const line = bytes.subarray(position + (digits ?? '').length, end)
    const equals = line.indexOf(61)
    if (digits === undefined || end > bytes.length || equals < 1 || line.at(-1) !== 10)
      throw new Broken('archive-damaged', at)
    const key = line.toString('utf8', 0, equals)
    const value = line.subarray(equals + 1, -1)
    isDoubtful ||= records.has(key)
    if (key === 'path' || key === 'size') records.set(key, Buffer.from(value))
    else records.set(key, Buffer.alloc(0))
    position = end
  }
  return { records, isDoubtful }
}
