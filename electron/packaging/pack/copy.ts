import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, futimesSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { Failed } from '../../contract/failure.ts'
import type { Algorithm } from '../digests.ts'
import { diskFailure, fileTime } from '../disk.ts'
import type { DigestRecord } from './digest-log.ts'
import { sourceFailure } from './walk.ts'

/** A file to copy: where from, where to and at which position there, and what it was when it was planned. */
export interface Copying {
  from: string
  to: string
  /** Position of the content in `to`. */
  position: number
  bytes: number
  /** Time of change in ms. */
  modifiedMs: number
  /** Whether `to` is a file of its own, which takes over the time of change. */
  isSeparate: boolean
  /** Whether `to` is to bear the CRC-32 of the content. */
  needsCrc: boolean
}

/** Does something with a file of the source. @throws Failed source, which names it */
export const inSource = <T>(file: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw sourceFailure(error, file)
  }
}
/** Does something with a file of the target. @throws Failed disk, which names it */
export const inTarget = <T>(file: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw diskFailure(error, file)
  }
}

/** Windows has neither of them. */
const asFound = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Opens a file of the source for reading, which was a file when it was found: a link that lies there now is
 * not followed, and a pipe would make its reader wait for ever.
 */
export const openSource = (file: string) => openSync(file, constants.O_RDONLY | asFound)

/** A file of the source is not as it was when it was planned. */
export const changed = (file: string) => new Failed({ kind: 'source', trouble: 'changed', path: file })

/** @throws Failed source where a file is not of the size, or of another time of change, than was planned */
export const assertSame = (handle: number, { from, bytes, modifiedMs }: Copying) => {
  const stats = inSource(from, () => fstatSync(handle))
  if (!stats.isFile() || stats.size !== bytes || stats.mtimeMs !== modifiedMs) throw changed(from)
}

/**
 * Reads until the block is full or the file ends.
 * @param position null for wherever the last reading ended
 * @returns how many bytes were read
 */
export const readFully = (handle: number, into: Buffer, position: number | null): number => {
  let read = 0
  while (read < into.length) {
    const length = readSync(
      handle,
      into,
      read,
      into.length - read,
      position === null ? null : position + read,
    )
    if (length === 0) break
    read += length
  }
  return read
}

/**
 * Linux keeps what is written at once in one piece of its memory (large folios of ext4 and XFS): to find a
 * larger one takes it longer than to write.
 */
const mostWrittenAtOnce = 256 * 1024

/** Writes all of the bytes. @param position null for wherever the last writing ended */
export const writeFully = (handle: number, bytes: Buffer, position: number | null) => {
  for (let done = 0; done < bytes.length;) {
    const length = Math.min(mostWrittenAtOnce, bytes.length - done)
    done += writeSync(handle, bytes, done, length, position === null ? null : position + done)
  }
}

/**
 * Reads a small file whole: once, with its size and time of change compared before and after.
 * @param into as long as the file
 * @throws Failed source where it changed or cannot be read
 */
export const readSmall = (file: Copying, into: Buffer) => {
  const handle = inSource(file.from, () => openSource(file.from))
  try {
    assertSame(handle, file)
    if (inSource(file.from, () => readFully(handle, into, null)) !== file.bytes) throw changed(file.from)
    assertSame(handle, file)
  } finally {
    closeSync(handle)
  }
}

/** What the digest log keeps of a file that was read whole. */
export const digestsOf = (
  { needsCrc }: Copying,
  bytes: Buffer,
  algorithms: readonly Algorithm[],
): DigestRecord => ({
  digests: Buffer.concat(algorithms.map((algorithm) => hash(algorithm, bytes, 'buffer'))),
  crc: needsCrc ? crc32(bytes) : 0,
})

/** The disk gives back something else than was written. */
export const readBackFailed = (file: string) => new Failed({ kind: 'disk', trouble: 'read-back', path: file })

/** Writes a small file under its own name, reads it back and compares. @throws Failed disk */
export const writeSmall = ({ to, modifiedMs }: Copying, bytes: Buffer, again: Buffer) =>
  inTarget(to, () => {
    const handle = openSync(to, 'w+')
    try {
      writeFully(handle, bytes, null)
      if (
        readFully(handle, again.subarray(0, bytes.length), 0) !== bytes.length ||
        !again.subarray(0, bytes.length).equals(bytes)
      )
        throw readBackFailed(to)
      futimesSync(handle, Date.now() / 1000, fileTime(modifiedMs))
    } finally {
      closeSync(handle)
    }
  })

/** Writes many small files into a container in one go, reads them back and compares. @throws Failed disk */
export const writeAll = (to: string, from: number, bytes: Buffer, again: Buffer) =>
  inTarget(to, () => {
    const handle = openSync(to, 'r+')
    try {
      writeFully(handle, bytes, from)
      if (
        readFully(handle, again.subarray(0, bytes.length), from) !== bytes.length ||
        !again.subarray(0, bytes.length).equals(bytes)
      )
        throw readBackFailed(to)
    } finally {
      closeSync(handle)
    }
  })

/** Whether bytes that an earlier run wrote lie there; not where that cannot be read. */
export const isWritten = (to: string, position: number, bytes: Buffer): boolean => {
  if (bytes.length === 0) return true
  try {
    const handle = openSync(to, 'r')
    try {
      const again = Buffer.alloc(bytes.length)
      return readFully(handle, again, position) === bytes.length && again.equals(bytes)
    } finally {
      closeSync(handle)
    }
  } catch {
    return false
  }
}
