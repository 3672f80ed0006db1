import { readFully } from '../pack/copy.ts'
import { ContainerError } from './container-error.ts'
import type { ReadAt } from './window.ts'

/**
 * A field of four or two bytes whose value stands in the zip64 field or record instead (APPNOTE.TXT 4.4.1.4).
 */
const inZip64 = 0xffffffff
const inZip64Short = 0xffff
const longestComment = 65_535
const endLength = 22
const end64Length = 56
const locatorLength = 20

/**
 * The version of the format that knows zip64 and bzip2; what needs more is something that is not read here
 * (APPNOTE.TXT 4.4.3).
 */
export const knownVersion = 46

/** Where the central directory lies, and how many entries it has. */
export interface Directory {
  position: number
  end: number
  entries: number
}

/** A number of eight bytes; what is no exact number here lies beyond every file. */
const long = (bytes: Buffer, position: number) => Number(bytes.readBigUInt64LE(position))

/**
 * Finds the central directory by the record at the end, and by that of zip64 where there is one (APPNOTE.TXT
 * 4.3.14 to 4.3.16). What the records say twice must agree, and they must lie behind each other: programs
 * differ in which of them they believe.
 * @param size bytes of the zip
 * @param start where in the file it begins; positions count from there
 * @throws ContainerError
 */
export const directoryOf = (handle: number, size: number, start = 0): Directory => {
  const tail = Buffer.alloc(Math.min(size, longestComment + endLength))
  readFully(handle, tail, start + size - tail.length)
  const found = tail.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  if (found < 0) throw new ContainerError('archive-cut', size)
  const endAt = size - tail.length + found
  const announced =
    found + endLength > tail.length ? Infinity : found + endLength + tail.readUInt16LE(found + 20)
  if (announced > tail.length) throw new ContainerError('archive-cut', size)
  if (announced < tail.length) throw new ContainerError('archive-gap', endAt + announced - found)
  const end = tail.subarray(found)
  const short = {
    disk: end.readUInt16LE(4),
    of: end.readUInt16LE(6),
    onDisk: end.readUInt16LE(8),
    entries: end.readUInt16LE(10),
  }
  const length = end.readUInt32LE(12)
  const position = end.readUInt32LE(16)
  const hasLocator = found >= locatorLength && tail.readUInt32LE(found - locatorLength) === 0x07064b50
  if (!hasLocator) {
    if (short.disk !== 0 || short.of !== 0 || short.onDisk !== short.entries)
      throw new ContainerError('archive-parts', endAt)
    if (position + length !== endAt) throw new ContainerError('archive-damaged', endAt)
    return { position, end: endAt, entries: short.entries }
  }
  const locator = tail.subarray(found - locatorLength, found)
  const locatorAt = endAt - locatorLength
  const end64At = long(locator, 8)
  if (locator.readUInt32LE(4) !== 0 || locator.readUInt32LE(16) > 1)
    throw new ContainerError('archive-parts', locatorAt)
  if (end64At + end64Length !== locatorAt) throw new ContainerError('archive-damaged', locatorAt)
  const end64 = Buffer.alloc(end64Length)
  readFully(handle, end64, start + end64At)
  if (
    end64.readUInt32LE(0) !== 0x06064b50 ||
    long(end64, 4) !== end64Length - 12 ||
    end64.readUInt16LE(14) > knownVersion
  )
    throw new ContainerError('archive-damaged', end64At)
  const directory = { position: long(end64, 48), end: end64At, entries: long(end64, 32) }
  if (end64.readUInt32LE(16) !== 0 || end64.readUInt32LE(20) !== 0 || long(end64, 24) !== directory.entries)
    throw new ContainerError('archive-parts', end64At)
  const agrees = (value: number, full: number, wide: number) => value === full || value === wide
  if (
    !agrees(short.disk, inZip64Short, 0) ||
    !agrees(short.of, inZip64Short, 0) ||
    !agrees(short.onDisk, inZip64Short, directory.entries) ||
    !agrees(short.entries, inZip64Short, directory.entries) ||
    !agrees(length, inZip64, long(end64, 40)) ||
    !agrees(position, inZip64, directory.position) ||
    directory.position + long(end64, 40) !== end64At
  )
    throw new ContainerError('archive-damaged', endAt)
  return directory
}

/**
 * Fields of an extra field by their numbers, undefined where its lengths do not add up or one of a kind that
 * counts stands twice.
 */
const extraFields = (extra: Buffer): Map<number, Buffer> | undefined => {
  const fields = new Map<number, Buffer>()
  for (let position = 0; position < extra.length;) {
    // Up to three bytes may be left, with which some align what follows.
    if (extra.length - position < 4)
      return extra.subarray(position).every((byte) => byte === 0) ? fields : undefined
    const id = extra.readUInt16LE(position)
    const end = position + 4 + extra.readUInt16LE(position + 2)
    if (end > extra.length || fields.has(id)) return undefined
    fields.set(id, extra.subarray(position + 4, end))
    position = end
  }
  return fields
}

/** What a header says of an entry; lengths are those of the content. */
export interface Header {
  host: number
  needed: number
  flags: number
  method: number
  crc: number
  stored: number
  bytes: number
  name: Buffer
  extra: Map<number, Buffer> | undefined
  /** Whether a number that should stand in the zip64 field does not. */
  isShort: boolean
  /** Length of the header itself. */
  length: number
}
/** An entry as the directory has it. */
export interface CentralHeader extends Header {
  disk: number
  attributes: number
  /**
   * Time of change in ms. Where only MS-DOS says it, it is that of a clock on the wall, taken here for this
   * computer's.
   */
  modifiedMs: number | undefined
  /** Where its local header begins. */
  position: number
}

/** Takes numbers from the zip64 field, in the order in which their places are full (APPNOTE.TXT 4.5.3). */
const wideNumbers = (field: Buffer | undefined) => {
  let position = 0
  let isShort = false
  return {
    take: (value: number): number => {
      if (value !== inZip64) return value
      position += 8
      if (!field || position > field.length) {
        isShort = true
        return value
      }
      return long(field, position - 8)
    },
    isShort: () => isShort,
  }
}

/** Year from 1980, month, day; hour, minute and half the seconds (APPNOTE.TXT 4.4.6). */
const dosTime = (date: number, time: number): number | undefined => {
  const [month, day] = [(date >>> 5) & 15, date & 31]
  if (month < 1 || month > 12 || day === 0) return undefined
  return new Date(
    1980 + (date >>> 9),
    month - 1,
    day,
    time >>> 11,
    (time >>> 5) & 63,
    (time & 31) * 2,
  ).getTime()
}

const infoZipTimes = 0x5455
const ntfsTimes = 0x000a
/** From 1601, where NTFS begins to count, to 1970; in ms. */
const ntfsEpochMs = 11_644_473_600_000

/**
 * Time of change in ms as a field says it in UTC: that of Info-ZIP in seconds, or that of NTFS in steps of
 * 100 ns (APPNOTE.TXT 4.5.5), in whole seconds here.
 */
const utcTime = (extra: Map<number, Buffer> | undefined): number | undefined => {
  const infoZip = extra?.get(infoZipTimes)
  // Bit 0: a time of change stands first.
  if (infoZip && infoZip.length >= 5 && (infoZip.readUInt8(0) & 1) === 1)
    return infoZip.readInt32LE(1) * 1_000
  const ntfs = extra?.get(ntfsTimes)
  if (!ntfs || ntfs.length < 16 || ntfs.readUInt16LE(4) !== 1) return undefined
  const seconds = Number(ntfs.readBigUInt64LE(8) / 10_000_000n)
  return seconds === 0 ? undefined : seconds * 1_000 - ntfsEpochMs
}

/**
 * Reads a header of the directory (APPNOTE.TXT 4.3.12).
 * @throws ContainerError
 */
export const centralHeader = (read: ReadAt, start: number, end: number): CentralHeader => {
  if (start + 46 > end) throw new ContainerError('archive-damaged', start)
  const fixed = read(start, 46)
  if (fixed.readUInt32LE(0) !== 0x02014b50) throw new ContainerError('archive-damaged', start)
  const [nameLength, extraLength] = [fixed.readUInt16LE(28), fixed.readUInt16LE(30)]
  const length = 46 + nameLength + extraLength + fixed.readUInt16LE(32)
  if (start + length > end) throw new ContainerError('archive-damaged', start)
  const header = read(start, 46 + nameLength + extraLength)
  const extra = extraFields(header.subarray(46 + nameLength))
  const wide = wideNumbers(extra?.get(1))
  const bytes = wide.take(header.readUInt32LE(24))
  const stored = wide.take(header.readUInt32LE(20))
  const position = wide.take(header.readUInt32LE(42))
  return {
    host: header.readUInt8(5),
    needed: header.readUInt16LE(6),
    flags: header.readUInt16LE(8),
    method: header.readUInt16LE(10),
    crc: header.readUInt32LE(16),
    stored,
    bytes,
    name: header.subarray(46, 46 + nameLength),
    extra,
    isShort: wide.isShort(),
    length,
    disk: header.readUInt16LE(34),
    attributes: header.readUInt32LE(38),
    modifiedMs: utcTime(extra) ?? dosTime(header.readUInt16LE(14), header.readUInt16LE(12)),
    position,
  }
}

/** Reads a header before a content (APPNOTE.TXT 4.3.7); undefined where there is none. */
export const localHeader = (read: ReadAt, position: number, end: number): Header | undefined => {
  if (position + 30 > end) return undefined
  const fixed = read(position, 30)
  if (fixed.readUInt32LE(0) !== 0x04034b50) return undefined
  const nameLength = fixed.readUInt16LE(26)
  const length = 30 + nameLength + fixed.readUInt16LE(28)
  if (position + length > end) return undefined
  const header = read(position, length)
  const extra = extraFields(header.subarray(30 + nameLength))
  const wide = wideNumbers(extra?.get(1))
  const bytes = wide.take(header.readUInt32LE(22))
  const stored = wide.take(header.readUInt32LE(18))
  return {
    host: 0,
    needed: header.readUInt16LE(4),
    flags: header.readUInt16LE(6),
    method: header.readUInt16LE(8),
    crc: header.readUInt32LE(14),
    stored,
    bytes,
    name: header.subarray(30, 30 + nameLength),
    extra,
    isShort: wide.isShort(),
    length,
  }
}

/** Where a header of the directory says that its entry begins, and its length, read without the rest. */
export const placeOf = (read: ReadAt, start: number, end: number): { position: number; length: number } => {
  const { position, length } = centralHeader(read, start, end)
  return { position, length }
}
