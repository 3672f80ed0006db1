import { openLruCache } from '../parts/lru-cache.ts'
import { openCanvas, type Part, type Picture } from '../parts/picture.ts'
import { pauser } from '../parts/pause.ts'
import { colourOf, sampleOf, type AddColour, type Range } from './tiff-colours.ts'
import type { Chunk, Level } from './tiff-level.ts'

/** Chunks are kept up to this, those that were used last. */
const keptBytes = 96 * 1024 * 1024
/** What is read of the file for one square that is painted, and for all of a picture before it is shown. */
const mostPartBytes = 24 * 1024 * 1024
const mostWholeBytes = 48 * 1024 * 1024
/** In a pixel that stands for many, so many of them are mixed on a side. */
const mixed = 4
const overviewSide = 2_048
/** So many chunks are asked for at once: each takes its time to come. */
const ahead = 4

const bytesOf = (chunk: Chunk | undefined) => (chunk ?? []).reduce((sum, plane) => sum + plane.length, 0)

/** For each pixel that is painted, in a row or a column, which of the level’s are mixed in it. */
const mixOf = (from: number, count: number, step: number, length: number) => {
  const each = Math.min(mixed, Math.max(1, Math.ceil(step - 0.01)))
  return Array.from({ length: count * each }, (_, index) => {
    const target = Math.floor(index / each)
    const source = Math.floor(from + (target + ((index % each) + 0.5) / each) * step)
    return { source: Math.min(length - 1, source), target }
  })
}
type Mix = ReturnType<typeof mixOf>

/** Those in one chunk; they stand in order. */
const within = (mix: Mix, from: number, to: number): Mix => {
  const start = mix.findIndex(({ source }) => source >= from)
  const end = mix.findIndex(({ source }) => source >= to)
  return start < 0 ? [] : mix.slice(start, end < 0 ? undefined : end)
}

interface Canvas {
  width: number
  height: number
  /** Red, green, blue, and how many were added, for each pixel. */
  sums: Uint32Array
}

const canvasOf = (width: number, height: number): Canvas => ({
  width,
  height,
  sums: new Uint32Array(width * height * 4),
})

const put = ({ width, height, sums }: Canvas, context: CanvasRenderingContext2D) => {
  const image = new ImageData(width, height)
  for (let at = 0; at < sums.length; at += 4) {
    const count = sums[at + 3] ?? 0
    // Where nothing was added, the paper is seen.
    for (let channel = 0; channel < 3; channel += 1)
      image.data[at + channel] = count > 0 ? (sums[at + channel] ?? 0) / count : 255
    image.data[at + 3] = 255
  }
  context.putImageData(image, 0, 0)
}

/** Adds what of a chunk is to be mixed. */
const addChunk = (
  canvas: Canvas,
  chunk: Chunk,
  columns: Mix,
  rows: Mix,
  origin: { x: number; y: number },
  add: AddColour,
) => {
  const { width, sums } = canvas
  for (const row of rows)
    for (const column of columns) {
      const at = (row.target * width + column.target) * 4
      add(chunk, column.source - origin.x, row.source - origin.y, sums, at)
      sums[at + 3] = (sums[at + 3] ?? 0) + 1
    }
}

/** Which chunks of a level a part touches. */
const chunksIn = (level: Level, columns: Mix, rows: Mix) => {
  const { chunkWidth, chunkHeight } = level
  const [left, right] = [columns[0]?.source ?? 0, columns.at(-1)?.source ?? 0]
  const [top, bottom] = [rows[0]?.source ?? 0, rows.at(-1)?.source ?? 0]
  const found: { column: number; row: number }[] = []
  for (let row = Math.floor(top / chunkHeight); row <= Math.floor(bottom / chunkHeight); row += 1)
    for (let column = Math.floor(left / chunkWidth); column <= Math.floor(right / chunkWidth); column += 1)
      found.push({ column, row })
  return found
}

/** The smallest and the largest number in some chunks of a picture. @throws where none of them can be read */
const measure = async (level: Level): Promise<Range> => {
  const sample = sampleOf(level)
  const { across, down, chunkWidth, chunkHeight, width, height, alpha, samples } = level
  const channels = alpha < 0 ? samples : alpha
  let [low, high] = [Infinity, -Infinity]
  const spread = (count: number) => [...new Set([0, count >> 1, count - 1])]
  const [columns, rows] = [spread(across), spread(down)]
  const failed: unknown[] = []
  for (const row of rows)
    for (const column of columns) {
      const chunk = await level.read(column, row).catch((error: unknown) => void failed.push(error))
      const right = Math.min(chunkWidth, width - column * chunkWidth)
      const bottom = Math.min(chunkHeight, height - row * chunkHeight)
      const step = Math.max(1, Math.floor(Math.sqrt((right * bottom) / 20_000)))
      for (let y = 0; chunk && y < bottom; y += step)
        for (let x = 0; x < right; x += step)
          for (let channel = 0; channel < channels; channel += 1) {
            const value = sample(chunk, x, y, channel)
            if (value < low) low = value
            if (value > high) high = value
          }
    }
  if (failed.length === rows.length * columns.length) throw failed[0]
  return low < high ? { low, high } : { low: 0, high: 1 }
}

/**
 * From which number to which a picture goes from black to white: all that its bits allow (fractions: 0 to 1),
 * but for what goes beyond that, numbers with a sign, and those of 16 bits and more that use little of it.
 */
export const rangeOf = async (level: Level): Promise<Range & { isStretched: boolean }> => {
  const { bits, format, photometric } = level
  const full = 2 ** bits - 1
  const isPlain = (format === 1 || format === 4) && (bits < 16 || photometric === 3)
  if (isPlain) return { low: 0, high: full, isStretched: false }
  const { low, high } = await measure(level)
  if (format === 3 && low >= 0 && high <= 1) return { low: 0, high: 1, isStretched: false }
  const isStretched = format === 2 || format === 3 || high < full / 4
  return isStretched ? { low, high, isStretched } : { low: 0, high: full, isStretched }
}

/** Where a picture is so large that reading all of it takes a while, it grows from what was read so far. */
const overviewOf = (level: Level, add: AddColour) => {
  const { width, height, across, down, chunkWidth, chunkHeight } = level
  const step = Math.max(1, Math.max(width, height) / overviewSide)
  const canvas = canvasOf(Math.ceil(width / step), Math.ceil(height / step))
  const context = openCanvas(canvas.width, canvas.height)
  const columns = mixOf(0, canvas.width, step, width)
  const rows = mixOf(0, canvas.height, step, height)
  return {
    paint: ({ left, top, width: partWidth, height: partHeight, reduction }: Part, scale: number) => ({
      source: context.canvas,
      area: [left * scale, top * scale, partWidth * scale, partHeight * scale].map((value) => value / step),
      size: [partWidth / reduction, partHeight / reduction],
    }),
    complete: async (changed: () => void, signal: AbortSignal) => {
      const pause = pauser()
      let next = 1 / 64
      for (let row = 0; row < down && !signal.aborted; row += 1)
        for (let column = 0; column < across && !signal.aborted; column += 1) {
          const origin = { x: column * chunkWidth, y: row * chunkHeight }
          const inside = within(columns, origin.x, origin.x + chunkWidth)
          const chunk = await level.read(column, row).catch(() => undefined)
          const below = within(rows, origin.y, origin.y + chunkHeight)
          if (chunk) addChunk(canvas, chunk, inside, below, origin, add)
          await pause()
          const share = (row * across + column + 1) / (across * down)
          if (share < next && share < 1) continue
          next = share * 2
          put(canvas, context)
          changed()
        }
    },
  }
}

/**
 * A picture of which a TIFF holds one or more sizes: what is painted is mixed from the tiles of the size that
 * is just large enough.
 * @param levels the largest first
 */
export const pictureOfLevels = (levels: [Level, ...Level[]], range: Range): Picture => {
  const [{ width, height }] = levels
  const smallest = levels.at(-1) ?? levels[0]
  const keep = openLruCache(keptBytes, bytesOf)
  const read = (level: Level, column: number, row: number) =>
    keep(`${level.width}/${column}/${row}`, () => level.read(column, row))
  const adders = levels.map((level) => colourOf(level, range))
  const adderOf = (level: Level) => adders[levels.indexOf(level)] ?? colourOf(level, range)
  const isLong = smallest.chunkBytes * smallest.across * smallest.down > mostWholeBytes
  const overview = isLong ? overviewOf(smallest, adderOf(smallest)) : undefined
  const levelFor = (reduction: number) =>
    levels.findLast((level) => level.width >= (width / reduction) * 0.9) ?? levels[0]
  const paint = async (part: Part, context: CanvasRenderingContext2D, signal: AbortSignal) => {
    const { left, top, reduction } = part
    const level = levelFor(reduction)
    const canvas = canvasOf(context.canvas.width, context.canvas.height)
    const [scaleX, scaleY] = [level.width / width, level.height / height]
    const columns = mixOf(left * scaleX, canvas.width, reduction * scaleX, level.width)
    const rows = mixOf(top * scaleY, canvas.height, reduction * scaleY, level.height)
    const chunks = chunksIn(level, columns, rows)
    if (overview && chunks.length * level.chunkBytes > mostPartBytes) {
      const { source, area, size } = overview.paint(part, smallest.width / width)
      const [x = 0, y = 0, w = 0, h = 0] = area
      const [toWidth = 0, toHeight = 0] = size
      context.drawImage(source, x, y, w, h, 0, 0, toWidth, toHeight)
      return true
    }
    const pause = pauser()
    const add = adderOf(level)
    const failed: unknown[] = []
    for (const [index, { column, row }] of chunks.entries()) {
      if (signal.aborted) return true
      for (const next of chunks.slice(index + 1, index + ahead))
        read(level, next.column, next.row).catch(() => undefined)
      const chunk = await read(level, column, row).catch((error: unknown) => void failed.push(error))
      const origin = { x: column * level.chunkWidth, y: row * level.chunkHeight }
      const inside = within(columns, origin.x, origin.x + level.chunkWidth)
      if (chunk)
        addChunk(canvas, chunk, inside, within(rows, origin.y, origin.y + level.chunkHeight), origin, add)
      await pause()
    }
    if (failed.length === chunks.length) throw failed[0]
    put(canvas, context)
    return failed.length === 0
  }
  return overview ? { width, height, paint, complete: overview.complete } : { width, height, paint }
}
