import { entryIn } from '../../../electron/common/records.ts'
import { Undrawable } from '../kind.ts'
import { rowBytesOf, type Chunk, type Layout } from './tiff-level.ts'

/** What is drawn black and what white, where numbers are no shades by themselves. */
export interface Range {
  low: number
  high: number
}

type Sample = (chunk: Chunk, x: number, y: number, sample: number) => number
/** Adds red, green and blue of a pixel (0 to 255) to three sums. */
export type AddColour = (chunk: Chunk, x: number, y: number, sums: Uint32Array, at: number) => void

const viewsOf = (chunk: Chunk) => {
  const views = chunk.map((plane) => new DataView(plane.buffer, plane.byteOffset, plane.byteLength))
  return views
}

/** Fractions of 16 bits (IEEE 754). */
const halfOf = (bits: number) => {
  const [sign, power, rest] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023]
  if (power === 0) return sign * rest * 2 ** -24
  return power === 31 ? NaN : sign * (1 + rest / 1024) * 2 ** (power - 15)
}

/** Reads numbers of whole bytes. They are in the order of this computer, but for fractions of 64 bits. */
const wideSample = (layout: Layout): Sample => {
  const { bits, format, isPlanar, samples, isLittle } = layout
  const size = bits / 8
  const readers: Record<string, (view: DataView, at: number) => number> = {
    '2/8': (view, at) => view.getInt8(at),
    '1/16': (view, at) => view.getUint16(at, true),
    '2/16': (view, at) => view.getInt16(at, true),
    '3/16': (view, at) => halfOf(view.getUint16(at, true)),
    '1/32': (view, at) => view.getUint32(at, true),
    '2/32': (view, at) => view.getInt32(at, true),
    '3/32': (view, at) => view.getFloat32(at, true),
    '3/64': (view, at) => view.getFloat64(at, isLittle),
  }
  const read = entryIn(readers, `${format === 4 ? 1 : format}/${bits}`)
  if (!read) throw new Undrawable('broken', `${bits} bits, format ${format}`)
  const rowBytes = rowBytesOf(layout)
  const known = new WeakMap<Chunk, DataView[]>()
  return (chunk, x, y, sample) => {
    let views = known.get(chunk)
    if (!views) known.set(chunk, (views = viewsOf(chunk)))
    const view = isPlanar ? views[sample] : views[0]
    const at = y * rowBytes + (isPlanar ? x : x * samples + sample) * size
    return view && at + size <= view.byteLength ? read(view, at) : 0
  }
}

/** Reads numbers of fewer bits than 8, and of 12. */
const narrowSample = (layout: Layout): Sample => {
  const { bits, isPlanar, samples } = layout
  const rowBytes = rowBytesOf(layout)
  const mask = 2 ** bits - 1
  return (chunk, x, y, sample) => {
    const plane = chunk[isPlanar ? sample : 0]
    const bit = (isPlanar ? x : x * samples + sample) * bits
    const at = y * rowBytes + (bit >> 3)
    if (!plane) return 0
    const word = ((plane[at] ?? 0) << 16) | ((plane[at + 1] ?? 0) << 8) | (plane[at + 2] ?? 0)
    return (word >>> (24 - bits - (bit & 7))) & mask
  }
}

const byteSample = (layout: Layout): Sample => {
  const { isPlanar, samples } = layout
  const rowBytes = rowBytesOf(layout)
  if (isPlanar) return (chunk, x, y, sample) => chunk[sample]?.[y * rowBytes + x] ?? 0
  return (chunk, x, y, sample) => chunk[0]?.[y * rowBytes + x * samples + sample] ?? 0
}

/** Blocks of some brightnesses, and one of each colour for all of them (TIFF 6.0, section 21). */
const subsampledSample = ({ chunkWidth, subsampling }: Layout): Sample => {
  const [across, down] = subsampling
  const perRow = Math.ceil(chunkWidth / across)
  const size = across * down + 2
  return ([plane], x, y, sample) => {
    const block = (Math.floor(y / down) * perRow + Math.floor(x / across)) * size
    const inside = sample === 0 ? (y % down) * across + (x % across) : size - 3 + sample
    return plane?.[block + inside] ?? 0
  }
}

/** How a number is read out of a chunk. @throws Undrawable where it is written as nobody reads it */
export const sampleOf = (layout: Layout): Sample => {
  const { bits, format, subsampling } = layout
  if (subsampling[0] * subsampling[1] > 1) return subsampledSample(layout)
  if (bits === 8 && format !== 2) return byteSample(layout)
  if (bits < 16 && bits !== 8) return narrowSample(layout)
  return wideSample(layout)
}

const clamp = (value: number) => (value > 255 ? 255 : value > 0 ? value : 0)

/** CIE L*a*b* (D50 as if it were D65) to sRGB; the lightness of 0 to 255, the others with a sign. */
const labToRgb = (l: number, a: number, b: number): [number, number, number] => {
  const y = ((l * 100) / 255 + 16) / 116
  const cube = (value: number) => (value ** 3 > 0.008856 ? value ** 3 : (value - 16 / 116) / 7.787)
  const [x, z] = [0.95047 * cube(y + a / 500), 1.08883 * cube(y - b / 200)]
  const bright = cube(y)
  const gamma = (value: number) =>
    clamp(255 * (value > 0.0031308 ? 1.055 * value ** (1 / 2.4) - 0.055 : 12.92 * value))
  return [
    gamma(3.2406 * x - 1.5372 * bright - 0.4986 * z),
    gamma(-0.9689 * x + 1.8758 * bright + 0.0415 * z),
    gamma(0.0557 * x - 0.204 * bright + 1.057 * z),
  ]
}
const signed = (byte: number) => (byte > 127 ? byte - 256 : byte)

/** Whether the bytes of a picture are the shades that are seen: so most pictures are written. */
const isPlain = ({ photometric, alpha, isPlanar, bits, format, subsampling }: Layout, { low, high }: Range) =>
  photometric <= 2 &&
  alpha < 0 &&
  !isPlanar &&
  bits === 8 &&
  format !== 2 &&
  subsampling[0] * subsampling[1] === 1 &&
  low === 0 &&
  high === 255

/** Of such a picture, without a function for each number: millions of them make the first view. */
const plainColour = (layout: Layout): AddColour => {
  const { photometric, samples } = layout
  const rowBytes = rowBytesOf(layout)
  const [green, blue] = photometric === 2 ? [1, 2] : [0, 0]
  const turned = photometric === 0 ? 255 : 0
  return (chunk, x, y, sums, at) => {
    const plane = chunk[0]
    if (!plane) return
    const from = y * rowBytes + x * samples
    sums[at] = (sums[at] ?? 0) + ((plane[from] ?? 0) ^ turned)
    sums[at + 1] = (sums[at + 1] ?? 0) + ((plane[from + green] ?? 0) ^ turned)
    sums[at + 2] = (sums[at + 2] ?? 0) + ((plane[from + blue] ?? 0) ^ turned)
  }
}

/**
 * How a pixel of a chunk becomes a colour.
 * @param range of its numbers
 * @throws Undrawable where it is written as nobody reads it
 */
export const colourOf = (layout: Layout, range: Range): AddColour => {
  if (isPlain(layout, range)) return plainColour(layout)
  const { low, high } = range
  const { photometric, alpha, palette } = layout
  const sample = sampleOf(layout)
  const scale = 255 / (high - low || 1)
  const shade: Sample = (chunk, x, y, channel) => clamp((sample(chunk, x, y, channel) - low) * scale)
  const add = (sums: Uint32Array, at: number, red: number, green: number, blue: number) => {
    sums[at] = (sums[at] ?? 0) + red
    sums[at + 1] = (sums[at + 1] ?? 0) + green
    sums[at + 2] = (sums[at + 2] ?? 0) + blue
  }
  if (photometric === 3) {
    const colours = palette.length / 3
    const channel = (index: number) => (palette[index] ?? 0) / 257
    return (chunk, x, y, sums, at) => {
      const index = sample(chunk, x, y, 0)
      add(sums, at, channel(index), channel(colours + index), channel(2 * colours + index))
    }
  }
  if (photometric === 5)
    return (chunk, x, y, sums, at) => {
      const light = (255 - shade(chunk, x, y, 3)) / 255
      const of = (channel: number) => (255 - shade(chunk, x, y, channel)) * light
      add(sums, at, of(0), of(1), of(2))
    }
  if (photometric === 6)
    return (chunk, x, y, sums, at) => {
      const brightness = shade(chunk, x, y, 0)
      const [blue, red] = [shade(chunk, x, y, 1) - 128, shade(chunk, x, y, 2) - 128]
      const green = clamp(brightness - 0.344136 * blue - 0.714136 * red)
      add(sums, at, clamp(brightness + 1.402 * red), green, clamp(brightness + 1.772 * blue))
    }
  if (photometric === 8)
    return (chunk, x, y, sums, at) => {
      const [l, a, b] = [shade(chunk, x, y, 0), signed(shade(chunk, x, y, 1)), signed(shade(chunk, x, y, 2))]
      add(sums, at, ...labToRgb(l, a, b))
    }
  const channels = photometric === 2 ? ([0, 1, 2] as const) : ([0, 0, 0] as const)
  const isInverted = photometric === 0
  const value: Sample = (chunk, x, y, channel) => {
    const seen = isInverted ? 255 - shade(chunk, x, y, channel) : shade(chunk, x, y, channel)
    if (alpha < 0) return seen
    const covers = shade(chunk, x, y, alpha) / 255
    return seen * covers + 255 * (1 - covers)
  }
  const [red, green, blue] = channels
  if (red === green)
    return (chunk, x, y, sums, at) => {
      const seen = value(chunk, x, y, 0)
      add(sums, at, seen, seen, seen)
    }
  return (chunk, x, y, sums, at) =>
    add(sums, at, value(chunk, x, y, red), value(chunk, x, y, green), value(chunk, x, y, blue))
}
