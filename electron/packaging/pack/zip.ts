import type { Container, Entry, Placed } from './containers.ts'

/** From here on a size or position does not fit four bytes and stands in the zip64 field (APPNOTE.TXT 4.4.8, 4.5.3). */
const tooLarge = 0xffffffff
const utf8Names = 0x0800
const version = 45

/** Date and time as MS-DOS has them: local in the format, here UTC, in steps of two seconds, from 1980 on. */
const dosTime = (ms: number) => {
  const at = new Date(Math.min(Math.max(ms, Date.UTC(1980, 0, 1)), Date.UTC(2107, 11, 31)))
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return { time, date }
}

/**
 * Info-ZIP's field of times ("UT", 0x5455), seconds from 1970 on with a sign, for what MS-DOS cannot say: 1901 to 1979. What is older
 * stands as 1980; the format has no place for it that other programs read.
 */
const timeExtra = (ms: number) => {
  const seconds = Math.floor(ms / 1000)
  if (ms >= Date.UTC(1980, 0, 1) || seconds < -(2 ** 31)) return Buffer.alloc(0)
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
const common = (into: Buffer, at: number, { name, bytes, modifiedMs, crc }: Entry, extra: number) => {
  const { time, date } = dosTime(modifiedMs)
  into.writeUInt16LE(version, at)
  into.writeUInt16LE(utf8Names, at + 2)
  into.writeUInt16LE(0, at + 4)
  into.writeUInt16LE(time, at + 6)
  into.writeUInt16LE(date, at + 8)
  into.writeUInt32LE(crc, at + 10)
  into.writeUInt32LE(Math.min(bytes, tooLarge), at + 14)
  into.writeUInt32LE(Math.min(bytes, tooLarge), at + 18)
  into.writeUInt16LE(Buffer.byteLength(name), at + 22)
  into.writeUInt16LE(extra, at + 24)
}

const localHeader = (it: Entry) => {
  const extra = localExtra(it.bytes, it.modifiedMs)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  common(header, 4, it, extra.length)
  return Buffer.concat([header, Buffer.from(it.name), extra])
}

const centralHeader = (it: Placed) => {
  const large = [...(isZip64(it.bytes) ? [it.bytes, it.bytes] : []), ...(it.at >= tooLarge ? [it.at] : [])]
  const sizes = Buffer.alloc(large.length === 0 ? 0 : 4 + large.length * 8)
  if (large.length > 0) {
    sizes.writeUInt16LE(1, 0)
    sizes.writeUInt16LE(large.length * 8, 2)
    large.forEach((value, index) => sizes.writeBigUInt64LE(BigInt(value), 4 + index * 8))
  }
  const extra = Buffer.concat([sizes, timeExtra(it.modifiedMs)])
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE((3 << 8) | version, 4)
  common(header, 6, it, extra.length)
  header.writeUInt32LE((it.isFolder ? 0o40755 << 16 : 0o100644 << 16) >>> 0, 38)
  header.writeUInt32LE(Math.min(it.at, tooLarge), 42)
  return Buffer.concat([header, Buffer.from(it.name), extra])
}

const endRecords = (entries: number, length: number, at: number) => {
  const end64 = Buffer.alloc(56)
  end64.writeUInt32LE(0x06064b50, 0)
  end64.writeBigUInt64LE(44n, 4)
  end64.writeUInt16LE((3 << 8) | version, 12)
  end64.writeUInt16LE(version, 14)
  end64.writeBigUInt64LE(BigInt(entries), 24)
  end64.writeBigUInt64LE(BigInt(entries), 32)
  end64.writeBigUInt64LE(BigInt(length), 40)
  end64.writeBigUInt64LE(BigInt(at), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(at + length), 8)
  locator.writeUInt32LE(1, 16)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries, 0xffff), 8)
  end.writeUInt16LE(Math.min(entries, 0xffff), 10)
  end.writeUInt32LE(Math.min(length, tooLarge), 12)
  end.writeUInt32LE(Math.min(at, tooLarge), 16)
  const needs64 = entries >= 0xffff || length >= tooLarge || at >= tooLarge
  return needs64 ? Buffer.concat([end64, locator, end]) : end
}

/** A zip without compression, with zip64 where sizes, positions or the number of entries need it (PKWARE APPNOTE.TXT 6.3). */
export const zip: Container = {
  headerLength: (name, bytes, modifiedMs) =>
    30 + Buffer.byteLength(name) + localExtra(bytes, modifiedMs).length,
  header: localHeader,
  padding: () => 0,
  folder: (name, modifiedMs) => localHeader({ name: `${name}/`, bytes: 0, modifiedMs, crc: 0 }),
  ending: (entries, at, write) => {
    let count = 0
    let length = 0
    for (const entry of entries) {
      const header = centralHeader(entry)
      write(header)
      count += 1
      length += header.length
    }
    write(endRecords(count, length, at))
  },
}
