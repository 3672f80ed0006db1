import { createHash, hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { isSum, type Algorithm, type Sum } from '../digests.ts'
import type { OpenFile } from './package-files.ts'

const block = Buffer.allocUnsafeSlow(1024 * 1024)
/** A file above this is read ahead; of others the threads read one each. */
const longFrom = 8 * block.length

const adlerModulus = 65_521
/** So many bytes can be added before the larger sum has to be reduced (RFC 1950, NMAX). */
const adlerBytes = 5_552

const adler32 = (bytes: Buffer, before: number): number => {
  let [low, high] = [before & 0xffff, before >>> 16]
  for (let from = 0; from < bytes.length; from += adlerBytes) {
    const end = Math.min(from + adlerBytes, bytes.length)
    for (let position = from; position < end; position += 1) {
      low += bytes[position] ?? 0
      high += low
    }
    low %= adlerModulus
    high %= adlerModulus
  }
  return high * 0x1_00_00 + low
}

interface Summing {
  update: (part: Buffer) => unknown
  digest: (form: 'hex') => string
}

/** CRC-32 (ISO 3309) and Adler-32 (RFC 1950) as digests are made. */
const createSum = (sum: Sum): Summing => {
  const add = { crc32, adler32 }[sum]
  let value = sum === 'crc32' ? 0 : 1
  return {
    update: (part: Buffer) => {
      value = add(part, value)
    },
    digest: () => value.toString(16).padStart(8, '0'),
  }
}

/** Digest or sum of a file; gives undefined when it was stopped. `took` hears of every part. */
export const digestOf = async (
  file: OpenFile,
  algorithm: Algorithm | Sum,
  gate: () => boolean,
  took: (bytes: number) => void,
): Promise<string | undefined> => {
  if ('read' in file && file.bytes < block.length && !isSum(algorithm)) {
    // A file may be longer than it said: one more byte is asked for.
    const read = file.read(block.subarray(0, file.bytes + 1))
    took(read)
    return hash(algorithm, block.subarray(0, read), 'hex')
  }
  const sum: Summing = isSum(algorithm) ? createSum(algorithm) : createHash(algorithm)
  for await (const part of partsOf(file)) {
    if (!gate()) return undefined
    sum.update(part)
    took(part.length)
  }
  return sum.digest('hex')
}

function* blocksOf(read: (into: Buffer) => number) {
  for (let length = read(block); length > 0; length = read(block)) yield block.subarray(0, length)
}

/** Reads a block while the one before is hashed: of a large file that is what takes the time. */
async function* blocksAhead(read: (into: Buffer) => Promise<number>) {
  const other = Buffer.allocUnsafeSlow(block.length)
  let [current, next] = [block, other]
  let reading = read(current)
  try {
    for (let length = await reading; length > 0; length = await reading) {
      reading = read(next)
      yield current.subarray(0, length)
      ;[current, next] = [next, current]
    }
  } finally {
    // Whoever stops closes the file, and uses the block again.
    await reading.catch(() => undefined)
  }
}

/** The parts of a file one after the other; a part is good until the next one is asked for. */
export const partsOf = (file: OpenFile): Iterable<Buffer> | AsyncIterable<Buffer> => {
  if (!('read' in file)) return file.stream
  const isLong = file.bytes > longFrom
  return isLong && file.readMeanwhile ? blocksAhead(file.readMeanwhile) : blocksOf(file.read)
}
