/** Codes of ITU-T T.4, tables 2 and 3: for 0 to 63 pixels, then for 64, 128 … 1 728. */
const whiteCodes =
  '00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 110101 ' +
  '101010 101011 0100111 0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 0100100 ' +
  '0011000 00000010 00000011 00011010 00011011 00010010 00010011 00010100 00010101 00010110 00010111 ' +
  '00101000 00101001 00101010 00101011 00101100 00101101 00000100 00000101 00001010 00001011 01010010 ' +
  '01010011 01010100 01010101 00100100 00100101 01011000 01011001 01011010 01011011 01001010 01001011 ' +
  '00110010 00110011 00110100 11011 10010 010111 0110111 00110110 00110111 01100100 01100101 01101000 ' +
  '01100111 011001100 011001101 011010010 011010011 011010100 011010101 011010110 011010111 011011000 ' +
  '011011001 011011010 011011011 010011000 010011001 010011010 011000 010011011'
const blackCodes =
  '0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 00000111 ' +
  '000011000 0000010111 0000011000 0000001000 00001100111 00001101000 00001101100 00000110111 ' +
  '00000101000 00000010111 00000011000 000011001010 000011001011 000011001100 000011001101 ' +
  '000001101000 000001101001 000001101010 000001101011 000011010010 000011010011 000011010100 ' +
  '000011010101 000011010110 000011010111 000001101100 000001101101 000011011010 000011011011 ' +
  '000001010100 000001010101 000001010110 000001010111 000001100100 000001100101 000001010010 ' +
  '000001010011 000000100100 000000110111 000000111000 000000100111 000000101000 000001011000 ' +
  '000001011001 000000101011 000000101100 000001011010 000001100110 000001100111 0000001111 ' +
  '000011001000 000011001001 000001011011 000000110011 000000110100 000000110101 0000001101100 ' +
  '0000001101101 0000001001010 0000001001011 0000001001100 0000001001101 0000001110010 0000001110011 ' +
  '0000001110100 0000001110101 0000001110110 0000001110111 0000001010010 0000001010011 0000001010100 ' +
  '0000001010101 0000001011010 0000001011011 0000001100100 0000001100101'
/** Of both colours, for 1 792, 1 856 … 2 560. */
const longCodes =
  '00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 000000010110 ' +
  '000000010111 000000011100 000000011101 000000011110 000000011111'
/** Ways to say where a colour ends, of T.6 table 1: below where it ends above, or so far to the right. */
const modeCodes: Record<string, number> = {
  '1': 0,
  '011': 1,
  '000011': 2,
  '0000011': 3,
  '010': -1,
  '000010': -2,
  '0000010': -3,
}
const [pass, horizontal, offset] = [8, 9, 16]
const [codeBits, modeBits] = [13, 7]

/** For whatever may come next, the value of its code and how many bits that has: 0 where it is none. */
const tableOf = (bits: number, codes: Iterable<[string, number]>) => {
  const table = new Uint16Array(2 ** bits)
  for (const [code, value] of codes) {
    const rest = bits - code.length
    const first = Number.parseInt(code, 2) << rest
    table.fill((value << 4) | code.length, first, first + 2 ** rest)
  }
  return table
}
const runsOf = (codes: string) =>
  tableOf(codeBits, [
    ...codes
      .split(' ')
      .map((code, index): [string, number] => [code, index < 64 ? index : (index - 63) * 64]),
    ...longCodes.split(' ').map((code, index): [string, number] => [code, 1792 + index * 64]),
  ])
const runs = [runsOf(whiteCodes), runsOf(blackCodes)] as const
const modes = tableOf(modeBits, [
  ...Object.entries(modeCodes).map(([code, value]): [string, number] => [code, value + offset]),
  ['0001', pass],
  ['001', horizontal],
])

const bitsOf = (bytes: Uint8Array) => {
  let at = 0
  const end = bytes.length * 8
  return {
    peek: (count: number) => {
      const byte = at >>> 3
      const word = ((bytes[byte] ?? 0) << 16) | ((bytes[byte + 1] ?? 0) << 8) | (bytes[byte + 2] ?? 0)
      return (word >>> (24 - count - (at & 7))) & ((1 << count) - 1)
    },
    skip: (count: number) => {
      at += count
    },
    align: () => {
      at = (at + 7) & ~7
    },
    isOver: () => at >= end,
  }
}
type Bits = ReturnType<typeof bitsOf>

/** The length of what has one colour, which may be written in parts; -1 where there is no such code. */
const readRun = (bits: Bits, colour: 0 | 1): number => {
  let length = 0
  for (;;) {
    const entry = runs[colour][bits.peek(codeBits)] ?? 0
    if (entry === 0) return -1
    bits.skip(entry & 15)
    length += entry >>> 4
    if (entry >>> 4 < 64) return length
  }
}

/** Where the colour changes in a line that is written by itself; undefined where it cannot be read. */
const readPlainLine = (bits: Bits, width: number): number[] | undefined => {
  const changes: number[] = []
  let [at, colour]: [number, 0 | 1] = [0, 0]
  while (at < width) {
    const run = readRun(bits, colour)
    if (run < 0) return undefined
    at = Math.min(width, at + run)
    changes.push(at)
    colour = colour === 0 ? 1 : 0
  }
  return changes
}

/** The same for a line that is written by what differs from the line above it. */
const readLine = (bits: Bits, width: number, above: readonly number[]): number[] | undefined => {
  const changes: number[] = []
  let [at, colour, index]: [number, 0 | 1, number] = [-1, 0, 0]
  const change = (to: number) => {
    at = Math.max(at, 0, Math.min(width, to))
    changes.push(at)
  }
  while (at < width) {
    while (index > 0 && (above[index - 1] ?? width) > at) index -= 1
    while ((above[index] ?? width) < width && ((above[index] ?? width) <= at || (index & 1) !== colour))
      index += 1
    const entry = modes[bits.peek(modeBits)] ?? 0
    if (entry === 0) return undefined
    bits.skip(entry & 15)
    const mode = entry >>> 4
    if (mode === pass) at = above[index + 1] ?? width
    else if (mode === horizontal) {
      const [first, second] = [readRun(bits, colour), readRun(bits, colour === 0 ? 1 : 0)]
      if (first < 0 || second < 0) return undefined
      change(Math.max(at, 0) + first)
      change(at + second)
    } else {
      change((above[index] ?? width) + mode - offset)
      colour = colour === 0 ? 1 : 0
    }
  }
  return changes
}

const blacken = (row: Uint8Array, from: number, to: number) => {
  for (let at = from; at < to;) {
    const isByte = (at & 7) === 0 && to - at >= 8
    if (isByte) row[at >> 3] = 0xff
    else row[at >> 3] = (row[at >> 3] ?? 0) | (0x80 >> (at & 7))
    at += isByte ? 8 : 1
  }
}

/** Goes behind the next mark of a line’s end, if there is one. @returns whether there was */
const passMark = (bits: Bits, isSearched: boolean): boolean => {
  const isMark = () => bits.peek(12) === 1
  while (!bits.isOver() && !isMark() && (isSearched || bits.peek(12) === 0)) bits.skip(1)
  if (!isMark()) return false
  bits.skip(12)
  return true
}

/** How black and white was written: by T.4, line by line (2: without marks), or by T.6. */
export interface FaxOptions {
  width: number
  height: number
  compression: 2 | 3 | 4
  /** Lines of T.4 may be written by what differs from the one above. */
  isTwoDimensional: boolean
}

/**
 * Pictures in black and white as fax machines and scanners write them (ITU-T T.4 and T.6; TIFF 6.0, sections
 * 10 and 11). What cannot be read stays white.
 * @returns a bit a pixel, 1 for black, each row from a byte of its own on
 */
export const decodeFax = (bytes: Uint8Array, options: FaxOptions): Uint8Array<ArrayBuffer> => {
  const { width, height, compression, isTwoDimensional } = options
  const rowBytes = Math.ceil(width / 8)
  const decoded = new Uint8Array(rowBytes * height)
  const bits = bitsOf(bytes)
  let above: number[] = []
  let isLost = false
  for (let y = 0; y < height && !bits.isOver(); y += 1) {
    if (compression === 2) bits.align()
    const isMarked: boolean = compression === 3 && passMark(bits, isLost)
    const isByAbove: boolean = compression === 4 || (isMarked && isTwoDimensional && bits.peek(1) === 0)
    if (isMarked && isTwoDimensional) bits.skip(1)
    const changes: number[] | undefined = isByAbove
      ? readLine(bits, width, above)
      : readPlainLine(bits, width)
    if (!changes && compression !== 3) break
    // A line that cannot be read is left out; the next one begins behind a mark.
    isLost = !changes
    if (!changes) continue
    const row = decoded.subarray(y * rowBytes, (y + 1) * rowBytes)
    for (let index = 0; index < changes.length; index += 2)
      blacken(row, changes[index] ?? width, changes[index + 1] ?? width)
    above = changes
  }
  return decoded
}
