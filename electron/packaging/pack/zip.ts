import type { Container, Entry, Placed } from './containers.ts'

/**
 * From here on a size or position does not fit four bytes and stands in the zip64 field (APPNOTE.TXT 4.4.8,
 * 4.5.3).
 */
const tooLarge = 0xffffffff
const utf8Names = 0x0800
const version = 45

/**
 * Date and time as MS-DOS has them, in steps of two seconds, from 1980 on: those of a clock on the wall, here
 * UTC. Programs that know the field of times read that instead.
 */
const dosTime = (ms: number) => {
  const date = new Date(Math.min(Math.max(ms, Date.UTC(1980, 0, 1)), Date.UTC(2107, 11, 31)))
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  return { time, date: day }
}

/**
 * Info-ZIP's field of times ("UT", 0x5455), seconds from 1970 on with a sign: UTC, from 1901 to 2038. What is
 * older stands as 1980; the format has no place for it that other programs read.
 */
const timeExtra = (ms: number) => {
  const seconds = Math.floor(ms / 1000)
  if (seconds < -(2 ** 31) || seconds >= 2 ** 31) return Buffer.alloc(0)
  const extra = Buffer.alloc(9)
  extra.writeUInt16LE(0x5455, 0)
  extra.writeUInt16LE(5, 2)
  extra.writeUInt8(1, 4)
  extra.writeInt32LE(seconds, 5)
  return extra
}

const isZip64 = (bytes: number) => bytes >= tooLarge
const localExtra = (bytes: number, modifiedMs: number) => {
  if (!isZip64(bytes)) return timeExtra(modifiedMs)
  const extra = Buffer.alloc(20)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(16, 2)
  extra.writeBigUInt64LE(BigInt(bytes), 4)
  extra.writeBigUInt64LE(BigInt(bytes), 12)
  return Buffer.concat([extra, timeExtra(modifiedMs)])
}

/** The fields that the local and the central header share, from "version needed" on. */
const common = (into: Buffer, from: number, { name, bytes, modifiedMs, crc }: Entry, extra: number) => {
  const { time, date } = dosTime(modifiedMs)
  into.writeUInt16LE(version, from)
  into.writeUInt16LE(utf8Names, from + 2)
  into.writeUInt16LE(0, from + 4)
  into.writeUInt16LE(time, from + 6)
  into.writeUInt16LE(date, from + 8)
  into.writeUInt32LE(crc, from + 10)
  into.writeUInt32LE(Math.min(bytes, tooLarge), from + 14)
  into.writeUInt32LE(Math.min(bytes, tooLarge), from + 18)
  into.writeUInt16LE(Buffer.byteLength(name), from + 22)
  into.writeUInt16LE(extra, from + 24)
}

const localHeader = (entry: Entry) => {
  const extra = localExtra(entry.bytes, entry.modifiedMs)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  common(header, 4, entry, extra.length)
  return Buffer.concat([header, Buffer.from(entry.name), extra])
}

const centralHeader = (entry: Placed) => {
  const large = [
    ...(isZip64(entry.bytes) ? [entry.bytes, entry.bytes] : []),
    ...(entry.position >= tooLarge ? [entry.position] : []),
  ]
  const sizes = Buffer.alloc(large.length === 0 ? 0 : 4 + large.length * 8)
  if (large.length > 0) {
    sizes.writeUInt16LE(1, 0)
    sizes.writeUInt16LE(large.length * 8, 2)
    large.forEach((value, index) => sizes.writeBigUInt64LE(BigInt(value), 4 + index * 8))
  }
  const extra = Buffer.concat([sizes, timeExtra(entry.modifiedMs)])
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE((3 << 8) | version, 4)
  common(header, 6, entry, extra.length)
  header.writeUInt32LE((entry.isFolder ? 0o40755 << 16 : 0o100644 << 16) >>> 0, 38)
  header.writeUInt32LE(Math.min(entry.position, tooLarge), 42)
  return Buffer.concat([header, Buffer.from(entry.name), extra])
}

const endRecords = (entries: number, length: number, start: number) => {
  const end64 = Buffer.alloc(56)
  end64.writeUInt32LE(0x06064b50, 0)
  end64.writeBigUInt64LE(44n, 4)
  end64.writeUInt16LE((3 << 8) | version, 12)
  end64.writeUInt16LE(version, 14)
  end64.writeBigUInt64LE(BigInt(entries), 24)
  end64.writeBigUInt64LE(BigInt(entries), 32)
  end64.writeBigUInt64LE(BigInt(length), 40)
  end64.writeBigUInt64LE(BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(start + length), 8)
  locator.writeUInt32LE(1, 16)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries, 0xffff), 8)
  end.writeUInt16LE(Math.min(entries, 0xffff), 10)
  end.writeUInt32LE(Math.min(length, tooLarge), 12)
  end.writeUInt32LE(Math.min(start, tooLarge), 16)
  const needs64 = entries >= 0xffff || length >= tooLarge || start >= tooLarge
  return needs64 ? Buffer.concat([end64, locator, end]) : end
}

/**
 * A zip without compression, with zip64 where sizes, positions or the number of entries need it (PKWARE
 * APPNOTE.TXT 6.3).
 */
export const zip: Container = {
  hasCrc: true,
  headerLength: (name, bytes, modifiedMs) =>
    30 + Buffer.byteLength(name) + localExtra(bytes, modifiedMs).length,
  header: localHeader,
  padding: () => 0,
  folder: (name, modifiedMs) => localHeader({ name: `${name}/`, bytes: 0, modifiedMs, crc: 0 }),
  ending: (entries, start, write) => {
    let count = 0
    let length = 0
    for (const entry of entries) {
      const header = centralHeader(entry)
      write(header)
      count += 1
      length += header.length
    }
    write(endRecords(count, length, start))
  },
}
