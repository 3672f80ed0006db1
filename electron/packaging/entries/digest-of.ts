import { createHash, hash } from 'node:crypto'
import type { Algorithm } from '../digests.ts'
import type { OpenFile } from './package-files.ts'

const block = Buffer.allocUnsafeSlow(1024 * 1024)

/** Digest of a file; gives undefined when it was stopped. `took` hears of every part. */
export const digestOf = async (
  file: OpenFile,
  algorithm: Algorithm,
  gate: () => boolean,
  took: (bytes: number) => void,
): Promise<string | undefined> => {
  if ('read' in file && file.bytes < block.length) {
    // A file may be longer than it said: one more byte is asked for.
    const read = file.read(block.subarray(0, file.bytes + 1))
    took(read)
    return hash(algorithm, block.subarray(0, read), 'hex')
  }
  const sum = createHash(algorithm)
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

/** The parts of a file one after the other; a part is good until the next one is asked for. */
export const partsOf = (file: OpenFile): Iterable<Buffer> | AsyncIterable<Buffer> =>
  'read' in file ? blocksOf(file.read) : file.stream
