import { closeSync, fstatSync, openSync } from 'node:fs'
import { readFully } from './pack/copy.ts'

/** Bytes of a range, but for its last line. */
export const rangeBytes = 64 * 1024
/**
 * Read into again and again: what is left behind is collected late, and each thread would leave megabytes.
 */
const rangeBlock = Buffer.allocUnsafeSlow(4 * rangeBytes)

/** Lines in a file of our own, or the bytes of no more than one range. */
export type Lines = string | Buffer

/** Lines that can be read from any place on. */
export const openLines = (lines: Lines) => {
  if (typeof lines !== 'string')
    return {
      size: lines.length,
      read: (into: Buffer, position: number) => lines.copy(into, 0, position),
      close: () => undefined,
    }
  const handle = openSync(lines, 'r')
  return {
    size: fstatSync(handle).size,
    read: (into: Buffer, position: number) => readFully(handle, into, position),
    close: () => closeSync(handle),
  }
}
export type OpenLines = ReturnType<typeof openLines>

/** Cuts lines into ranges that end with one. */
export const rangesOf = (lines: Lines): Float64Array<SharedArrayBuffer> => {
  const { size, read: readAt, close } = openLines(lines)
  const starts = [0]
  try {
    const window = Buffer.alloc(4_096)
    for (let start = rangeBytes; start < size; start += rangeBytes) {
      for (let position = start; position < size; position += window.length) {
        const read = readAt(window, position)
        const end = window.subarray(0, read).indexOf(10)
        if (end < 0) continue
        start = position + end + 1
        if (start < size) starts.push(start)
        break
      }
    }
    starts.push(size)
  } finally {
    close()
  }
  const ranges = new Float64Array(new SharedArrayBuffer(starts.length * 8))
  ranges.set(starts)
  return ranges
}

/** Whether there is no more than one range, and that no longer than a range should be. */
export const isOneRange = (ranges: Float64Array): boolean =>
  ranges.length === 2 && (ranges[1] ?? 0) <= rangeBytes

/**
 * The lines of a range that ends with one. All at once: a range is small, and may have as many lines as
 * bytes.
 */
export const linesBetween = ({ read }: Pick<OpenLines, 'read'>, from: number, to: number): string[] => {
  if (to === from) return []
  const bytes =
    to - from > rangeBlock.length ? Buffer.allocUnsafe(to - from) : rangeBlock.subarray(0, to - from)
  const text = bytes.toString('utf8', 0, read(bytes, from))
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}
