import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chunksOf } from '../common/chunks.ts'

/**
 * Digests of a file, in lower-case hex.
 * @param read is told of bytes as they are read
 * @throws a system error where it cannot be read, an abort error where the signal is aborted
 */
export const digestsOf = async (
  file: string,
  algorithms: string[],
  signal: AbortSignal,
  read: (bytes: number) => void,
): Promise<{ algorithm: string; digest: string }[]> => {
  const hashes = algorithms.map((algorithm) => createHash(algorithm))
  for await (const bytes of chunksOf(createReadStream(file, { highWaterMark: 1024 * 1024, signal }))) {
    for (const hash of hashes) hash.update(bytes)
    read(bytes.length)
  }
  return algorithms.map((algorithm, index) => ({ algorithm, digest: hashes[index]?.digest('hex') ?? '' }))
}
