import { Undrawable } from '../kind.ts'

const clear = 256
const end = 257
const [fewestBits, mostBits] = [9, 12]

/** Codes of growing width, the highest bit first; `end` where the bytes end. */
const codesOf = (bytes: Uint8Array) => {
  let [at, held, bits] = [0, 0, 0]
  return (width: number): number => {
    while (bits < width) {
      const byte = bytes[at]
      if (byte === undefined) return end
      held = ((held << 8) | byte) & 0xffffff
      bits += 8
      at += 1
    }
    bits -= width
    return (held >> bits) & (2 ** width - 1)
  }
}

/**
 * Unpacks LZW as TIFF has it (TIFF 6.0, section 13). A code can only lead to those before it, and nothing is
 * longer than was announced: what is damaged ends, however it is damaged.
 * @param length bytes of the result; those that the code does not have are 0
 * @throws Undrawable where a code means nothing
 */
export const decodeLzw = (bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> => {
  const result = new Uint8Array(length)
  /** For each code, the one that it goes on from, the byte that it adds, and how many bytes it is. */
  const before = new Uint16Array(2 ** mostBits)
  const added = Uint8Array.from(before, (_, code) => code)
  const lengths = new Uint16Array(2 ** mostBits).fill(1, 0, clear)
  const nextCode = codesOf(bytes)
  let [width, free, last, filled] = [fewestBits, end + 1, clear, 0]
  while (filled < length) {
    const code = nextCode(width)
    if (code === end) break
    if (code === clear) {
      width = fewestBits
      free = end + 1
    } else {
      const isNew = code === free && last !== clear
      if (code >= free && !isNew) throw new Undrawable('broken', `LZW ${code}`)
      const known = isNew ? last : code
      const size = lengths[known] ?? 0
      let from = known
      for (let at = filled + size - 1; at >= filled; at -= 1) {
        result[at] = added[from] ?? 0
        from = before[from] ?? 0
      }
      const first = result[filled] ?? 0
      filled += size
      if (isNew && filled < length) result[filled] = first
      if (isNew) filled += 1
      if (last !== clear && free < before.length) {
        before[free] = last
        added[free] = first
        lengths[free] = (lengths[last] ?? 0) + 1
        free += 1
        if (free + 1 >= 2 ** width && width < mostBits) width += 1
      }
    }
    last = code
  }
  return result
}
