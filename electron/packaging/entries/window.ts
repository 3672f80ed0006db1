import { readFully } from '../pack/copy.ts'
import { ContainerError } from './container-error.ts'

/**
 * Reads short pieces of a file that lie near each other with few calls of the system. What is given is good
 * until the next piece is asked for.
 * @param length bytes that are read at once
 * @param size where what is read ends
 * @param start where in the file it begins: a container may lie in another file
 */
export const windowOn = (handle: number, size: number, length: number, start = 0) => {
  const window = Buffer.allocUnsafe(length)
  let from = 0
  let to = 0
  return (position: number, bytes: number): Buffer => {
    if (!Number.isSafeInteger(position + bytes) || position < 0 || position + bytes > size)
      throw new ContainerError('archive-cut', size)
    if (position < from || position + bytes > to) {
      if (bytes > length) {
        const piece = Buffer.allocUnsafe(bytes)
        if (readFully(handle, piece, start + position) < bytes) throw new ContainerError('archive-cut', size)
        return piece
      }
      from = position
      to = Math.min(size, position + readFully(handle, window, start + position))
      if (position + bytes > to) throw new ContainerError('archive-cut', to)
    }
    return window.subarray(position - from, position - from + bytes)
  }
}
export type ReadAt = ReturnType<typeof windowOn>
