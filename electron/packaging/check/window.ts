import { readFully } from '../pack/copy.ts'
import { Broken } from './broken.ts'

/**
 * Reads short pieces of a file that lie near each other with few calls of the system. What is given is good until the next piece is
 * asked for.
 * @param length bytes that are read at once
 * @param size where the file ends
 */
export const windowOn = (handle: number, size: number, length: number) => {
  const window = Buffer.allocUnsafe(length)
  let from = 0
  let to = 0
  return (at: number, bytes: number): Buffer => {
    if (!Number.isSafeInteger(at + bytes) || at < 0 || at + bytes > size)
      throw new Broken('archive-cut', size)
    if (at < from || at + bytes > to) {
      if (bytes > length) {
        const piece = Buffer.allocUnsafe(bytes)
        if (readFully(handle, piece, at) < bytes) throw new Broken('archive-cut', size)
        return piece
      }
      from = at
      to = at + readFully(handle, window, at)
      if (at + bytes > to) throw new Broken('archive-cut', to)
    }
    return window.subarray(at - from, at - from + bytes)
  }
}
export type ReadAt = ReturnType<typeof windowOn>
