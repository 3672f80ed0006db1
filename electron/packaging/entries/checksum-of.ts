import { createHash, hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { isNonCryptographic, type ChecksumAlgorithm, type NonCryptographic } from '../digests.ts'
import { partsOf, readShort } from './file-parts.ts'
import type { OpenFile } from './package-files.ts'

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

/** A checksum under way, as `Hash` of Node.js has it. */
interface Checksum {
  update: (part: Buffer) => unknown
  digest: (form: 'hex') => string
}

/** CRC-32 (ISO 3309) and Adler-32 (RFC 1950) as digests are made. */
const createChecksum = (algorithm: NonCryptographic): Checksum => {
  const add = { crc32, adler32 }[algorithm]
  let value = algorithm === 'crc32' ? 0 : 1
  return {
    update: (part: Buffer) => {
      value = add(part, value)
    },
    digest: () => value.toString(16).padStart(8, '0'),
  }
}

/**
 * The checksum of a file in small hexadecimal digits; undefined when it was stopped.
 * @param took hears of every part, in bytes
 */
export const checksumOf = async (
  file: OpenFile,
  algorithm: ChecksumAlgorithm,
  gate: () => boolean,
  took: (bytes: number) => void,
): Promise<string | undefined> => {
  if (!isNonCryptographic(algorithm)) {
    const whole = readShort(file)
    if (whole) {
      took(whole.length)
      return hash(algorithm, whole, 'hex')
    }
  }
  const checksum: Checksum = isNonCryptographic(algorithm) ? createChecksum(algorithm) : createHash(algorithm)
  for await (const part of partsOf(file)) {
    if (!gate()) return undefined
    checksum.update(part)
    took(part.length)
  }
  return checksum.digest('hex')
}
