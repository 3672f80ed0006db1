import { Undrawable } from '../kind.ts'

/** How a PNG is laid out (ISO/IEC 15948, 11.2.2). */
interface Header {
  width: number
  height: number
  depth: number
  /** 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha */
  colour: number
  palette: Uint8Array
  /** The alpha of each colour of the palette; what is not there is opaque. */
  alphas: Uint8Array
}

/** After so much the frame answers whether it is alive. */
const pauseAfterBytes = 16 * 1024 * 1024
const othersHaveTurn = () => new Promise<void>((resume) => setTimeout(resume))

/** Inflated at once: a piece of it may be a thousand times as long then. */
const pieceBytes = 16 * 1024

const channelsOf: Partial<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

function* chunksOf(bytes: Uint8Array<ArrayBuffer>) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at)
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    yield { type, content: bytes.subarray(at + 8, at + 8 + length) }
    at += 12 + length
  }
}

/** @throws Undrawable where its rows do not lie one after the other: it is interlaced, or none */
const readHeader = (bytes: Uint8Array<ArrayBuffer>): Header => {
  const header = { width: 0, height: 0, depth: 8, colour: 0 }
  let [palette, alphas] = [new Uint8Array(), new Uint8Array()]
  for (const { type, content } of chunksOf(bytes)) {
    if (type === 'IDAT') break
    // A second header is none: the first is what was measured before it was decided how to draw.
    if (type === 'IHDR' && header.width > 0) continue
    if (type === 'PLTE') palette = content
    else if (type === 'tRNS') alphas = content
    else if (type === 'IHDR' && content.length >= 13) {
      const view = new DataView(content.buffer, content.byteOffset)
      Object.assign(header, { width: view.getUint32(0), height: view.getUint32(4) })
      Object.assign(header, { depth: content[8], colour: content[9] })
      if (content[12] !== 0) throw new Undrawable('too large', 'interlaced')
    }
  }
  return { ...header, palette, alphas }
}

const paeth = (left: number, up: number, corner: number) => {
  const byLeft = Math.abs(up - corner)
  const byUp = Math.abs(left - corner)
  const byCorner = Math.abs(left + up - 2 * corner)
  if (byLeft <= byUp && byLeft <= byCorner) return left
  return byUp <= byCorner ? up : corner
}

/** Takes the filter from a row (9.2), in its place. @param step bytes of a pixel, at least 1 */
const unfilter = (row: Uint8Array, before: Uint8Array, filter: number, step: number) => {
  for (let at = 0; at < row.length; at += 1) {
    const left = at < step ? 0 : (row[at - step] ?? 0)
    const up = before[at] ?? 0
    const corner = at < step ? 0 : (before[at - step] ?? 0)
    let added = 0
    if (filter === 1) added = left
    else if (filter === 2) added = up
    else if (filter === 3) added = (left + up) >> 1
    else if (filter === 4) added = paeth(left, up, corner)
    row[at] = (row[at] ?? 0) + added
  }
}

function* packedIn(bytes: Uint8Array<ArrayBuffer>) {
  for (const { type, content } of chunksOf(bytes))
    for (let at = 0; type === 'IDAT' && at < content.length; at += pieceBytes)
      yield content.subarray(at, at + pieceBytes)
}

/** The rows of a PNG as they are inflated, each the same piece of memory as the one before the last. */
async function* rowsOf(bytes: Uint8Array<ArrayBuffer>, rowBytes: number, step: number) {
  const pieces = packedIn(bytes)
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      const { value } = pieces.next()
      if (value) controller.enqueue(value)
      else controller.close()
    },
  })
  let [row, before] = [new Uint8Array(rowBytes), new Uint8Array(rowBytes)]
  let [filter, filled] = [-1, 0]
  for await (const part of packed.pipeThrough(new DecompressionStream('deflate')))
    for (let at = 0; at < part.length;) {
      if (filter < 0) {
        filter = part[at] ?? 0
        at += 1
        continue
      }
      const taken = part.subarray(at, at + rowBytes - filled)
      row.set(taken, filled)
      filled += taken.length
      at += taken.length
      if (filled < rowBytes) continue
      if (filter > 0) unfilter(row, before, filter, step)
      yield row
      const next = before
      before = row
      row = next
      filter = -1
      filled = 0
    }
}

/** Adds the pixels of a row to the sums of those that they become one with: red, green, blue, alpha. */
const adderOf = ({ width, depth, colour, palette, alphas }: Header, reduction: number) => {
  const channels = channelsOf[colour] ?? 1
  const most = 2 ** Math.min(8, depth) - 1
  const scale = colour === 3 ? 1 : 255 / most
  const sampleOf = (row: Uint8Array, index: number) => {
    if (depth >= 8) return row[index * (depth >> 3)] ?? 0
    const bit = index * depth
    return (((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & most) * scale
  }
  return (row: Uint8Array, sums: Float64Array) => {
    for (let x = 0; x < width; x += 1) {
      const first = sampleOf(row, x * channels)
      let [red, green, blue, alpha] = [first, first, first, 255]
      if (colour === 3) {
        red = palette[first * 3] ?? 0
        green = palette[first * 3 + 1] ?? 0
        blue = palette[first * 3 + 2] ?? 0
        alpha = alphas[first] ?? 255
      } else if (channels > 2) {
        green = sampleOf(row, x * channels + 1)
        blue = sampleOf(row, x * channels + 2)
      }
      if (channels === 2 || channels === 4) alpha = sampleOf(row, (x + 1) * channels - 1)
      const to = Math.floor(x / reduction) * 4
      sums[to] = (sums[to] ?? 0) + red * alpha
      sums[to + 1] = (sums[to + 1] ?? 0) + green * alpha
      sums[to + 2] = (sums[to + 2] ?? 0) + blue * alpha
      sums[to + 3] = (sums[to + 3] ?? 0) + alpha
    }
  }
}

/**
 * A PNG of any size, smaller: of its pixels no more than a row are held at a time. Where it is cut, what is
 * missing is transparent.
 * @param reduction so many pixels on a side become one
 * @throws Undrawable where it is interlaced
 */
export const reducePng = async (bytes: Uint8Array<ArrayBuffer>, reduction: number): Promise<ImageData> => {
  const header = readHeader(bytes)
  const { width, height, depth, colour } = header
  const bits = depth * (channelsOf[colour] ?? 1)
  const image = new ImageData(Math.ceil(width / reduction), Math.ceil(height / reduction))
  const sums = new Float64Array(image.width * 4)
  const add = adderOf(header, reduction)
  let y = 0
  let bytesSincePause = 0
  const rowBytes = Math.ceil((width * bits) / 8)
  const lay = () => {
    const start = Math.floor((y - 1) / reduction) * sums.length
    const rows = ((y - 1) % reduction) + 1
    for (let at = 0; at < sums.length; at += 4) {
      const alpha = sums[at + 3] ?? 0
      const across = Math.min(reduction, width - (at >> 2) * reduction)
      for (let channel = 0; channel < 3; channel += 1)
        image.data[start + at + channel] = alpha === 0 ? 0 : (sums[at + channel] ?? 0) / alpha
      image.data[start + at + 3] = alpha / (rows * across)
    }
    sums.fill(0)
  }
  try {
    for await (const row of rowsOf(bytes, rowBytes, Math.max(1, bits >> 3))) {
      if (y === height) break
      bytesSincePause += rowBytes
      if (bytesSincePause > pauseAfterBytes) {
        bytesSincePause = 0
        await othersHaveTurn()
      }
      add(row, sums)
      y += 1
      if (y % reduction === 0 || y === height) lay()
    }
  } catch (error) {
    // What is cut is shown as far as it goes.
    if (y === 0) throw error
  }
  return image
}
