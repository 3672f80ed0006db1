import { read } from 'node:fs'
import { promisify } from 'node:util'

const readPart = promisify(read)

/**
 * Reads until the block is full or the file ends, beside this thread: a drive may give a part at a time.
 * @param position in the file; null for where the last reading ended
 * @returns how many bytes were read
 * @throws the system's error
 */
export const readFullyMeanwhile = async (
  handle: number,
  into: Buffer,
  position: number | null,
): Promise<number> => {
  let done = 0
  while (done < into.length) {
    const from = position === null ? null : position + done
    const { bytesRead } = await readPart(handle, into, done, into.length - done, from)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return done
}
