import type { OpenFile } from './package-files.ts'

const block = Buffer.allocUnsafeSlow(1024 * 1024)
/** A file above this, in bytes, is read ahead; of others the threads read one each. */
export const longFrom = 8 * block.length
/**
 * What is read of a long file while what was read before is hashed. Each turn of the two costs as much as
 * hashing 40 kB.
 */
const longBlockBytes = 4 * 1024 * 1024
let longBlocks: [Buffer, Buffer] | undefined

/**
 * The content of a file that is shorter than a block and not compressed, good until the next file is read;
 * undefined for others. A file may be longer than it said: one more byte is asked for.
 */
export const readShort = (file: OpenFile): Buffer | undefined =>
  'read' in file && file.bytes < block.length
    ? block.subarray(0, file.read(block.subarray(0, file.bytes + 1)))
    : undefined

function* blocksOf(read: (into: Buffer) => number) {
  for (let length = read(block); length > 0; length = read(block)) yield block.subarray(0, length)
}

/** Reads a block while the one before is hashed: of a large file that is what takes the time. */
async function* blocksAhead(read: (into: Buffer) => Promise<number>) {
  longBlocks ??= [Buffer.allocUnsafeSlow(longBlockBytes), Buffer.allocUnsafeSlow(longBlockBytes)]
  let [current, next] = longBlocks
  let reading = read(current)
  try {
    for (let length = await reading; length > 0; length = await reading) {
      reading = read(next)
      yield current.subarray(0, length)
      ;[current, next] = [next, current]
    }
  } finally {
    // Whoever stops closes the file, and uses the blocks again.
    await reading.catch(() => undefined)
  }
}

/** The parts of a file one after the other; a part is good until the next one is asked for. */
export const partsOf = (file: OpenFile): Iterable<Buffer> | AsyncIterable<Buffer> => {
  if (!('read' in file)) return file.stream
  const isLong = file.bytes > longFrom
  return isLong && file.readMeanwhile ? blocksAhead(file.readMeanwhile) : blocksOf(file.read)
}
