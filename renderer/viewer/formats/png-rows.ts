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
  isInterlaced: boolean
}

/** Rows that lie one after the other: all of a picture, or of pixels that lie apart. */
interface Pass {
  left: number
  top: number
  /** From one pixel to the next. */
  across: number
  down: number
}
const whole: Pass = { left: 0, top: 0, across: 1, down: 1 }
/** So many passes of Adam7 (8.2) have every second or fourth pixel; one has every eighth. */
const passesFor: Partial<Record<number, number>> = { 2: 5, 4: 3 }
const interlaced: readonly Pass[] = [
  { left: 0, top: 0, across: 8, down: 8 },
  { left: 4, top: 0, across: 8, down: 8 },
  { left: 0, top: 4, across: 4, down: 8 },
  { left: 2, top: 0, across: 4, down: 4 },
  { left: 0, top: 2, across: 2, down: 4 },
]

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

const readHeader = (bytes: Uint8Array<ArrayBuffer>): Header => {
  const header = { width: 0, height: 0, depth: 8, colour: 0, isInterlaced: false }
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
      Object.assign(header, { depth: content[8], colour: content[9], isInterlaced: content[12] === 1 })
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

/** How many rows a pass has, how many pixels in each, and how many bytes these take. */
const sizeOf = ({ width, height, depth, colour }: Header, { left, top, across, down }: Pass) => {
  const pixels = Math.max(0, Math.ceil((width - left) / across))
  const bits = depth * (channelsOf[colour] ?? 1)
  return {
    pixels,
    rows: pixels === 0 ? 0 : Math.max(0, Math.ceil((height - top) / down)),
    rowBytes: Math.ceil((pixels * bits) / 8),
    step: Math.max(1, bits >> 3),
  }
}

/** What a PNG has packed, inflated. */
const inflated = (bytes: Uint8Array<ArrayBuffer>) => {
  const pieces = packedIn(bytes)
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      const { value } = pieces.next()
      if (value) controller.enqueue(value)
      else controller.close()
    },
  })
  return packed.pipeThrough(new DecompressionStream('deflate'))
}

/**
 * The rows of some passes as they are inflated, each the same piece of memory as the one before the last, and
 * where they lie. Others have their turn now and then.
 */
async function* rowsOf(bytes: Uint8Array<ArrayBuffer>, header: Header, passes: readonly Pass[]) {
  const sized = passes.map((pass) => ({ pass, ...sizeOf(header, pass) })).filter(({ rows }) => rows > 0)
  let current = sized.shift()
  let [row, before] = [new Uint8Array(current?.rowBytes ?? 0), new Uint8Array(current?.rowBytes ?? 0)]
  let [filter, filled, index, bytesSincePause] = [-1, 0, 0, 0]
  for await (const part of inflated(bytes))
    for (let at = 0; at < part.length;) {
      if (!current) return
      const { pass, rows, rowBytes, step, pixels } = current
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
      yield { row, pass, pixels, y: pass.top + index * pass.down }
      bytesSincePause += rowBytes
      if (bytesSincePause > pauseAfterBytes) {
        bytesSincePause = 0
        await othersHaveTurn()
      }
      index += 1
      filter = -1
      filled = 0
      if (index < rows) [row, before] = [before, row]
      else {
        index = 0
        current = sized.shift()
        row = new Uint8Array(current?.rowBytes ?? 0)
        before = new Uint8Array(current?.rowBytes ?? 0)
      }
    }
}

/** Reads a pixel of a row: red, green, blue, alpha, a byte each of one number, which costs no memory. */
const readerOf = ({ depth, colour, palette, alphas }: Header) => {
  const channels = channelsOf[colour] ?? 1
  const most = 2 ** Math.min(8, depth) - 1
  const scale = colour === 3 ? 1 : 255 / most
  const sampleOf = (row: Uint8Array, index: number) => {
    if (depth >= 8) return row[index * (depth >> 3)] ?? 0
    const bit = index * depth
    return (((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & most) * scale
  }
  return (row: Uint8Array, x: number): number => {
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
    return (red << 24) | (green << 16) | (blue << 8) | alpha
  }
}
type ReadPixel = ReturnType<typeof readerOf>

/** Mixes pixels of rows that lie below each other, each once those that become one with it are read. */
const mixerOf = (image: ImageData, { width, height }: Header, reduction: number, read: ReadPixel) => {
  const sums = new Float64Array(image.width * 4)
  const lay = (y: number) => {
    const start = Math.floor(y / reduction) * sums.length
    const rows = (y % reduction) + 1
    for (let at = 0; at < sums.length; at += 4) {
      const alpha = sums[at + 3] ?? 0
      const across = Math.min(reduction, width - (at >> 2) * reduction)
      for (let channel = 0; channel < 3; channel += 1)
        image.data[start + at + channel] = alpha === 0 ? 0 : (sums[at + channel] ?? 0) / alpha
      image.data[start + at + 3] = alpha / (rows * across)
    }
    sums.fill(0)
  }
  return (row: Uint8Array, y: number) => {
    for (let x = 0; x < width; x += 1) {
      const pixel = read(row, x)
      const alpha = pixel & 255
      const to = Math.floor(x / reduction) * 4
      sums[to] = (sums[to] ?? 0) + (pixel >>> 24) * alpha
      sums[to + 1] = (sums[to + 1] ?? 0) + ((pixel >>> 16) & 255) * alpha
      sums[to + 2] = (sums[to + 2] ?? 0) + ((pixel >>> 8) & 255) * alpha
      sums[to + 3] = (sums[to + 3] ?? 0) + alpha
    }
    if ((y + 1) % reduction === 0 || y + 1 === height) lay(y)
  }
}

/** Takes of every so manieth row pixels that lie apart, as they come. */
const pickerOf = (image: ImageData, reduction: number, read: ReadPixel) => {
  const pixels = new DataView(image.data.buffer)
  return (row: Uint8Array, y: number, { left, across }: Pass, count: number) => {
    if (y % reduction > 0) return
    for (let index = 0; index < count; index += 1) {
      const x = left + index * across
      if (x % reduction > 0) continue
      pixels.setInt32(((y / reduction) * image.width + x / reduction) * 4, read(row, index))
    }
  }
}

/**
 * A PNG of any size, smaller: of its pixels no more than a row are held at a time. Where it is cut, what is
 * missing is transparent. Of one that is interlaced no more is inflated than the passes that have the pixels
 * for it, which are taken as they are.
 * @param reduction so many pixels on a side become one: a power of two, from 2 on
 */
export const reducePng = async (bytes: Uint8Array<ArrayBuffer>, reduction: number): Promise<ImageData> => {
  const header = readHeader(bytes)
  const { width, height, isInterlaced } = header
  const image = new ImageData(Math.ceil(width / reduction), Math.ceil(height / reduction))
  const read = readerOf(header)
  const passes = isInterlaced ? interlaced.slice(0, passesFor[reduction] ?? 1) : [whole]
  const mix = mixerOf(image, header, reduction, read)
  const pick = pickerOf(image, reduction, read)
  let isBegun = false
  try {
    for await (const { row, y, pass, pixels } of rowsOf(bytes, header, passes)) {
      isBegun = true
      if (isInterlaced) pick(row, y, pass, pixels)
      else mix(row, y)
    }
  } catch (error) {
    // What is cut is shown as far as it goes.
    if (!isBegun) throw error
  }
  return image
}
