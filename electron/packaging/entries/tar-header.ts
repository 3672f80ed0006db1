import { ContainerError } from './container-error.ts'

export const block = 512

/** What a block says of an entry (POSIX ustar, GNU, and the form of before both). */
export interface TarHeader {
  type: string
  bytes: number
  /** Time of change in ms, as the block has it; a finer one in an extended header is not read. */
  modifiedMs: number | undefined
  /** Bytes of the name, up to the first zero; with its prefix where the format has one. */
  name: Buffer
  /** Whether something stands in it that programs read differently. */
  isDoubtful: boolean
}

const untilZero = (header: Buffer, from: number, length: number) => {
  const end = header.indexOf(0, from)
  return header.subarray(from, end >= 0 && end < from + length ? end : from + length)
}

/**
 * A number of octal digits, which may stand after blanks and ends with a blank or a zero; nothing but zeros
 * is 0. Undefined where it is something else, blanks alone among it.
 */
const octal = (header: Buffer, from: number, length: number): number | undefined => {
  const text = header.toString('latin1', from, from + length)
  if (/^\0*$/.test(text)) return 0
  const [, digits] = /^ *([0-7]*)[ \0]*$/.exec(text) ?? []
  return digits === undefined || /^ *$/.test(text) ? undefined : parseInt(digits || '0', 8)
}

/**
 * A number of a header: octal digits, or where the first bit is set bytes with the highest first, those of a
 * negative number turned around, as GNU has them.
 */
const number = (header: Buffer, from: number, length: number): number | undefined => {
  const first = header[from] ?? 0
  const bytes = header.subarray(from + 1, from + length)
  if (first === 0xff) return -1 - bytes.reduce((sum, byte) => sum * 256 + (byte ^ 0xff), 0)
  if (first !== 0x80) return octal(header, from, length)
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0)
}

/**
 * Whether its checksum is right: the sum of all bytes, those of the checksum taken as blanks (POSIX ustar);
 * some old programs took bytes for signed.
 */
const hasRightChecksum = (header: Buffer): boolean => {
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
  header.length === block && header[0] !== 0 && hasRightChecksum(header)

/** The most that an owner or a group may be (uid_t of Linux and others): programs refuse what is more. */
const mostOwner = 0xffffffff
const isOwner = (value: number | undefined) => value !== undefined && value >= 0 && value <= mostOwner
/** Times far beyond every calendar are refused as well, at bounds that differ from program to program. */
const isTime = (value: number | undefined) => value !== undefined && Number.isSafeInteger(value)

/** Numbers beside the length that programs read of every entry: rights, owner, group, time. */
const otherNumbers = [
  { from: 100, length: 8, isSound: isOwner },
  { from: 108, length: 8, isSound: isOwner },
  { from: 116, length: 8, isSound: isOwner },
  { from: 136, length: 12, isSound: isTime },
]
/** Numbers of a device, which are read of devices alone; many leave blanks there. */
const deviceNumbers = [329, 337]
const isDeviceNumber = (header: Buffer, from: number) =>
  /^[ \0]*$/.test(header.toString('latin1', from, from + 8)) || number(header, from, 8) !== undefined

/**
 * Whether a value of an extended header is a number where POSIX wants one; GNU tar refuses what is none, an
 * empty one among it.
 */
const isPaxValue = (key: string, value: Buffer): boolean => {
  const text = value.toString('latin1', 0, 100)
  if (key === 'uid' || key === 'gid') return /^\d+$/.test(text) && isOwner(Number(text))
  if (!['mtime', 'atime', 'ctime'].includes(key)) return true
  return /^-?\d+(\.\d*)?$/.test(text) && isTime(Math.trunc(Number(text)))
}

/**
 * Reads a header of a tar.
 * @throws ContainerError where it is none
 */
export const tarHeader = (header: Buffer, position: number): TarHeader => {
  const bytes = number(header, 124, 12)
  if (!hasRightChecksum(header) || bytes === undefined || !Number.isSafeInteger(bytes) || bytes < 0)
    throw new ContainerError('archive-damaged', position)
  const modified = number(header, 136, 12)
  const type = String.fromCharCode(header[156] ?? 0)
  const magic = header.toString('latin1', 257, 265)
  const isPosix = magic === 'ustar\x0000'
  const prefix = untilZero(header, 345, 155)
  const suffix = untilZero(header, 0, 100)
  const hasRest = header.subarray(345 + (isPosix ? prefix.length : 0), block).some((byte) => byte !== 0)
  const isKnown = isPosix || magic === 'ustar  \0' || magic === '\0\0\0\0\0\0\0\0'
  const hasNumbers =
    otherNumbers.every(({ from, length, isSound }) => isSound(number(header, from, length))) &&
    deviceNumbers.every((from) => isDeviceNumber(header, from))
  return {
    type,
    bytes,
    modifiedMs: modified !== undefined && isTime(modified * 1_000) ? modified * 1_000 : undefined,
    name:
      isPosix && prefix.length > 0 ? Buffer.concat([prefix, Buffer.from('/'), suffix]) : Buffer.from(suffix),
    isDoubtful: !isKnown || hasRest || !hasNumbers,
  }
}

/**
 * Records of an extended header (POSIX pax): "length key=value\n".
 * @throws ContainerError
 */
export const paxRecords = (
  bytes: Buffer,
  start: number,
): { records: Map<string, Buffer>; isDoubtful: boolean } => {
  const records = new Map<string, Buffer>()
  let isDoubtful = false
  for (let position = 0; position < bytes.length;) {
    const [digits] = /^[1-9]\d{0,8} /.exec(bytes.toString('latin1', position, position + 10)) ?? []
    const end = position + Number(digits)
    const line = bytes.subarray(position + (digits ?? '').length, end)
    const equals = line.indexOf(61)
    if (digits === undefined || end > bytes.length || equals < 1 || line.at(-1) !== 10)
      throw new ContainerError('archive-damaged', start)
    const key = line.toString('utf8', 0, equals)
    const value = line.subarray(equals + 1, -1)
    isDoubtful ||= records.has(key) || !isPaxValue(key, value)
    if (key === 'path' || key === 'size') records.set(key, Buffer.from(value))
    else records.set(key, Buffer.alloc(0))
    position = end
  }
  return { records, isDoubtful }
}
