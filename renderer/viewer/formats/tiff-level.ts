import { BaseDecoder, getDecoder } from 'geotiff'
import { TooLarge, type Content } from '../content.ts'
import { Undrawable } from '../kind.ts'
import { decodeFax } from './ccitt.ts'
import { decodeLzw } from './lzw.ts'
import type { Directory } from './tiff-directory.ts'

/** How the pixels of one picture in a TIFF are written. */
export interface Layout {
  isLittle: boolean
  width: number
  height: number
  /** Strips are tiles as wide as the picture. */
  chunkWidth: number
  chunkHeight: number
  compression: number
  photometric: number
  samples: number
  bits: number
  /** 1 whole numbers, 2 with a sign, 3 fractions */
  format: number
  /** Each channel is written by itself. */
  isPlanar: boolean
  /** Channels of colour and brightness have so many pixels less (YCbCr that is not JPEG). */
  subsampling: [number, number]
  /** Which channel says how much of the ground is seen through; -1 for none. */
  alpha: number
  palette: number[]
}

/** The bytes of a tile or strip, as they are before they become colours: one array, or one a channel. */
export type Chunk = Uint8Array[]

/** A picture of a TIFF, at one of the sizes that the file has of it. */
export interface Level extends Layout {
  across: number
  down: number
  /** How many bytes of the file a tile or strip takes, as far as it is known from some of them. */
  chunkBytes: number
  /** undefined for one that was left out as empty. @throws Undrawable, TooLarge, Unreachable */
  read: (column: number, row: number) => Promise<Chunk | undefined>
}

const tags = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  samples: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  planar: 284,
  faxOptions: 292,
  predictor: 317,
  palette: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
  extra: 338,
  format: 339,
  jpegTables: 347,
  subsampling: 530,
} as const

/** What one tile or strip may take in memory. */
const mostChunkBytes = 256 * 1024 * 1024
/** A tile is no longer for being compressed, but for what its method writes beside the pixels. */
const mostBesideBytes = 64 * 1024
/** Strips that are not compressed are read in parts of about this length. */
const partBytes = 512 * 1024

const or = (value: number, otherwise: number) => (Number.isFinite(value) ? value : otherwise)

const readLayout = async (directory: Directory): Promise<Layout> => {
  const { number, numbers, isLittle } = directory
  const [width, height] = [await number(tags.width), await number(tags.height)]
  const isTiled = directory.has(tags.tileOffsets)
  const samples = or(await number(tags.samples), 1)
  const compression = or(await number(tags.compression), 1)
  const photometric = or(await number(tags.photometric), samples > 2 ? 2 : 1)
  const colours = { 2: 3, 5: 4, 6: 3, 8: 3 }[photometric] ?? 1
  const rows = Math.min(or(await number(tags.rowsPerStrip), height), height)
  const extra = (await numbers(tags.extra)).findIndex((kind) => kind === 1 || kind === 2)
  const [across = 2, down = 2] = await numbers(tags.subsampling)
  const isSubsampled = photometric === 6 && compression !== 7
  return {
    isLittle,
    width,
    height,
    chunkWidth: isTiled ? await number(tags.tileWidth) : width,
    chunkHeight: isTiled ? await number(tags.tileHeight) : rows,
    compression,
    photometric,
    samples,
    bits: or(await number(tags.bits), 1),
    format: or(await number(tags.format), 1),
    isPlanar: samples > 1 && (await number(tags.planar)) === 2,
    subsampling: isSubsampled ? [across, down] : [1, 1],
    alpha: extra >= 0 && samples > colours ? colours + extra : -1,
    palette: photometric === 3 ? await numbers(tags.palette) : [],
  }
}

const isSensible = ({ width, height, chunkWidth, chunkHeight, samples, bits }: Layout) =>
  [width, height, chunkWidth, chunkHeight, samples, bits].every((value) => value >= 1) &&
  [width, height].every((side) => side <= 2 ** 24) &&
  samples <= 64 &&
  bits <= 64

/** Bytes of a row in a chunk; each begins with a byte of its own. */
export const rowBytesOf = ({ chunkWidth, samples, bits, isPlanar, subsampling }: Layout): number => {
  const [across, down] = subsampling
  if (across * down > 1) return (Math.ceil(chunkWidth / across) * (across * down + 2)) / down
  return Math.ceil((chunkWidth * bits * (isPlanar ? 1 : samples)) / 8)
}

/** A strip that is not compressed is as good as many short ones. @returns how many rows these have */
const shortened = (layout: Layout, strips: number): number => {
  const most = Math.max(1, Math.floor(partBytes / rowBytesOf(layout)))
  if (layout.compression !== 1 || layout.chunkHeight <= most || layout.subsampling[1] > 1)
    return layout.chunkHeight
  if (strips === 1) return most
  let rows = most
  while (layout.chunkHeight % rows > 0) rows -= 1
  return rows
}

const reversed = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number.parseInt(byte.toString(2).padStart(8, '0').split('').reverse().join(''), 2),
)

/** A JPEG in a TIFF may say of itself that it is as large as nothing can be. */
const checkJpeg = (bytes: Uint8Array, { chunkWidth, chunkHeight }: Layout) => {
  const frame = bytes.findIndex(
    (byte, at) => byte === 0xff && [0xc0, 0xc1, 0xc2].includes(bytes[at + 1] ?? 0) && bytes[at + 2] === 0,
  )
  const two = (at: number) => ((bytes[frame + at] ?? 0) << 8) | (bytes[frame + at + 1] ?? 0)
  if (frame < 0 || two(5) > chunkHeight + 64 || two(7) > chunkWidth + 64) throw new Undrawable('broken')
}

/** Bytes of 16 and 32 bit numbers in the other order, in place. */
const swap = (bytes: Uint8Array, size: number) => {
  for (let at = 0; at + size <= bytes.length; at += size) bytes.subarray(at, at + size).reverse()
}

/** Numbers that were written as what they differ from those of the pixel before, in place. */
const addUp = (bytes: Uint8Array<ArrayBuffer>, { bits, samples, isPlanar, chunkWidth }: Layout) => {
  const values =
    bits === 16
      ? new Uint16Array(bytes.buffer, 0, bytes.length >> 1)
      : new Uint32Array(bytes.buffer, 0, bytes.length >> 2)
  const step = isPlanar ? 1 : samples
  for (let row = 0; row < values.length; row += chunkWidth * step)
    for (let at = row + step; at < Math.min(values.length, row + chunkWidth * step); at += 1)
      values[at] = (values[at] ?? 0) + (values[at - step] ?? 0)
}

/** The decoder of geotiff goes round for ever in codes that are damaged. */
class LzwDecoder extends BaseDecoder {
  readonly #bytes: number
  constructor(parameters: ConstructorParameters<typeof BaseDecoder>[0], bytes: number) {
    super(parameters)
    this.#bytes = bytes
  }
  override decodeBlock(buffer: ArrayBufferLike) {
    return decodeLzw(new Uint8Array(buffer), this.#bytes).buffer
  }
}

/** What a chunk is when nothing compresses it any more; numbers are in the order of this computer. */
const decoderOf = async (directory: Directory, layout: Layout) => {
  const { compression, chunkWidth, chunkHeight, isLittle, bits, samples, isPlanar } = layout
  const isMirrored = compression <= 4 && (await directory.number(tags.fillOrder)) === 2
  const predictor = or(await directory.number(tags.predictor), 1)
  const isSwapped = !isLittle && (bits === 16 || bits === 32) && predictor !== 3
  const isAddedUp = isSwapped && predictor === 2
  const isFax = compression === 2 || compression === 3 || compression === 4
  const isTwoDimensional = ((await directory.number(tags.faxOptions)) & 1) === 1
  if (isFax)
    return (bytes: Uint8Array<ArrayBuffer>, rows: number) => {
      const plain = isMirrored ? bytes.map((byte) => reversed[byte] ?? 0) : bytes
      const options = { width: chunkWidth, height: rows, compression, isTwoDimensional } as const
      return Promise.resolve(decodeFax(plain, options))
    }
  const parameters = {
    tileWidth: chunkWidth,
    tileHeight: chunkHeight,
    planarConfiguration: isPlanar ? 2 : 1,
    bitsPerSample: Array.from({ length: samples }, () => bits),
    predictor: isAddedUp ? 1 : predictor,
    samplesPerPixel: samples,
    JPEGTables: directory.has(tags.jpegTables) ? await directory.bytes(tags.jpegTables) : undefined,
  }
  const decoder =
    compression === 5
      ? new LzwDecoder(parameters, rowBytesOf(layout) * chunkHeight)
      : await getDecoder(compression, parameters).catch((error: unknown) => {
          throw new Undrawable('broken', String(error))
        })
  return async (bytes: Uint8Array<ArrayBuffer>) => {
    if (compression === 7) checkJpeg(bytes, layout)
    const plain = isMirrored ? bytes.map((byte) => reversed[byte] ?? 0) : bytes.slice()
    const decoded = await decoder.decode(plain.buffer)
    const result = new Uint8Array(decoded.byteLength)
    result.set(new Uint8Array(decoded))
    if (isSwapped) swap(result, bits / 8)
    if (isAddedUp) addUp(result, layout)
    return result
  }
}

/** Where a chunk is, as the file says: strips that were made shorter lie in the longer ones. */
const locator = (directory: Directory, layout: Layout, chunkHeight: number) => {
  const [offsets, lengths] = directory.has(tags.tileOffsets)
    ? [tags.tileOffsets, tags.tileBytes]
    : [tags.stripOffsets, tags.stripBytes]
  const down = Math.ceil(layout.height / layout.chunkHeight)
  const across = Math.ceil(layout.width / layout.chunkWidth)
  const rowBytes = rowBytesOf(layout)
  const plainBytes = rowBytes * layout.chunkHeight
  const hasLengths = directory.has(lengths)
  return {
    across,
    down: Math.ceil(layout.height / chunkHeight),
    /** @param plane the channel, where each is written by itself */
    find: async (column: number, row: number, plane: number) => {
      const top = row * chunkHeight
      const strip = Math.floor(top / layout.chunkHeight)
      const index = (plane * down + strip) * across + column
      const begin = await directory.number(offsets, index)
      const length = hasLengths ? await directory.number(lengths, index) : plainBytes
      if (chunkHeight === layout.chunkHeight) return { begin, length }
      const rows = Math.min(chunkHeight, layout.height - top)
      return { begin: begin + (top - strip * layout.chunkHeight) * rowBytes, length: rows * rowBytes }
    },
  }
}

/**
 * One picture of a TIFF, to be read tile by tile or strip by strip.
 * @throws Undrawable where it says what cannot be, TooLarge, Unreachable
 */
export const openLevel = async (content: Content, directory: Directory): Promise<Level> => {
  const written = await readLayout(directory)
  if (!isSensible(written)) throw new Undrawable('broken', 'layout')
  const strips = directory.count(tags.stripOffsets) / (written.isPlanar ? written.samples : 1)
  const chunkHeight = directory.has(tags.tileOffsets) ? written.chunkHeight : shortened(written, strips)
  const { across, down, find } = locator(directory, written, chunkHeight)
  const planes = written.isPlanar ? written.samples : 1
  const mostLength = 2 * rowBytesOf(written) * written.chunkHeight + mostBesideBytes
  if (rowBytesOf(written) * chunkHeight * planes > mostChunkBytes) throw new TooLarge(content.name)
  const decode = await decoderOf(directory, written)
  const middle = await find(across >> 1, down >> 1, 0)
  return {
    ...written,
    chunkHeight,
    across,
    down,
    chunkBytes: or(middle.length, 0) * planes,
    read: async (column: number, row: number) => {
      const chunk: Chunk = []
      for (let plane = 0; plane < planes; plane += 1) {
        const { begin, length } = await find(column, row, plane)
        if (length === 0) return undefined
        if (!(begin > 0 && begin < content.bytes)) throw new Undrawable('broken', `${begin}`)
        // What is as long as this for so few pixels would become gigabytes.
        if (length > mostLength) throw new Undrawable('broken', `${length} bytes in a chunk`)
        if (length > mostChunkBytes) throw new TooLarge(content.name)
        const rows = Math.min(chunkHeight, written.height - row * chunkHeight)
        chunk.push(await decode(await content.read(begin, begin + length), rows))
      }
      return chunk
    },
  }
}
