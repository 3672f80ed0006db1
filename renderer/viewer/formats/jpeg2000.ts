import openModule from '@cornerstonejs/codec-openjpeg/decodewasmjs'
import moduleAddress from '@cornerstonejs/codec-openjpeg/decodewasm?url'
import { Undrawable } from '../kind.ts'
import { openLruCache } from '../parts/lru-cache.ts'
import { openCanvas, type Picture } from '../parts/picture.ts'
import { pauser } from '../parts/pause.ts'
import { readCodestream, type Codestream } from './jpeg2000-header.ts'

/** What is decoded at once: it takes some seconds at most, in which nothing else goes on. */
const mostPixels = 12_000_000
/** Tiles are kept up to this, those that were used last. */
const keptBytes = 96 * 1024 * 1024
/** What a canvas takes beside its pixels, at most: there may be many small tiles. */
const canvasBytes = 64 * 1024

/** Where a tile, at one of its sizes, has nothing to do with the pixels of another. */
const levelsOf = ({ levels, across, down, tileWidth, tileHeight }: Codestream) => {
  let level = 0
  const isEven = (next: number) => across * down === 1 || (tileWidth % next === 0 && tileHeight % next === 0)
  while (level < levels && isEven(2 ** (level + 1))) level += 1
  return level
}

/** Numbers of one to sixteen bits, channel after channel in each pixel, as colours on white paper. */
const toColours = (decoded: Uint8Array, stream: Codestream, width: number, height: number) => {
  const { bits, components, isCmyk } = stream
  const image = new ImageData(width, height)
  const wide = bits > 8 ? new DataView(decoded.buffer, decoded.byteOffset, decoded.byteLength) : undefined
  const full = 2 ** bits - 1
  const value = (at: number) =>
    ((wide ? (at * 2 + 2 <= decoded.length ? wide.getUint16(at * 2, true) : 0) : (decoded[at] ?? 0)) * 255) /
    full
  const hasAlpha = components === 2 || (components === 4 && !isCmyk)
  const second = components >= 3 ? 1 : 0
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const at = pixel * components
    const light = isCmyk ? 255 - value(at + 3) : 255
    const colour = (channel: number) =>
      isCmyk ? ((255 - value(at + channel)) * light) / 255 : value(at + channel)
    image.data[pixel * 4] = colour(0)
    image.data[pixel * 4 + 1] = colour(second)
    image.data[pixel * 4 + 2] = colour(second * 2)
    image.data[pixel * 4 + 3] = hasAlpha ? value(at + components - 1) : 255
  }
  return image
}

const openTiles = async (stream: Codestream) => {
  const module = await openModule({ locateFile: () => moduleAddress, print: () => {}, printErr: () => {} })
  const bytesOf = ({ width, height }: HTMLCanvasElement) => width * height * 4 + canvasBytes
  const keep = openLruCache(keptBytes, bytesOf)
  const decode = (tile: number, level: number) => {
    const file = stream.fileOf(tile)
    const decoder = new module.J2KDecoder()
    try {
      decoder.getEncodedBuffer(file.length).set(file)
      decoder.decodeSubResolution(level, 0)
      const { width, height } = decoder.calculateSizeAtDecompositionLevel(level)
      const context = openCanvas(width, height)
      context.putImageData(toColours(decoder.getDecodedBuffer(), stream, width, height), 0, 0)
      return context.canvas
    } catch (error) {
      throw new Undrawable('broken', String(error))
    } finally {
      decoder.delete()
    }
  }
  return (tile: number, level: number) =>
    keep(`${tile}/${level}`, () => Promise.resolve().then(() => decode(tile, level)))
}

/**
 * A picture of JPEG 2000, which is decoded tile by tile, at the size that is just large enough.
 * @returns what it says of itself; by how much it is smaller at its finest, since more would take too long
 * @throws Undrawable
 */
export const openJpeg2000 = async (bytes: Uint8Array<ArrayBuffer>) => {
  const stream = readCodestream(bytes)
  const { width, height, tileWidth, tileHeight, across, down } = stream
  const levels = levelsOf(stream)
  const tilePixels = Math.min(tileWidth, width) * Math.min(tileHeight, height)
  const finest = Math.max(0, Math.ceil(Math.log2(Math.sqrt(tilePixels / mostPixels))))
  if (finest > levels) throw new Undrawable('too large', `${width} × ${height}`)
  const tileAt = await openTiles(stream)
  const picture: Picture = {
    width,
    height,
    paint: async ({ left, top, width: partWidth, height: partHeight, reduction }, context, signal) => {
      const level = Math.max(finest, Math.min(levels, Math.log2(reduction)))
      const pause = pauser()
      const failed: unknown[] = []
      let count = 0
      for (let row = 0; row < down; row += 1)
        for (let column = 0; column < across; column += 1) {
          const [x, y] = [column * tileWidth, row * tileHeight]
          const isSeen =
            x < left + partWidth && x + tileWidth > left && y < top + partHeight && y + tileHeight > top
          if (!isSeen || signal.aborted) continue
          count += 1
          await pause()
          try {
            const tile = await tileAt(row * across + column, level)
            const scale = 2 ** level / reduction
            const [toX, toY] = [(x - left) / reduction, (y - top) / reduction]
            context.drawImage(tile, toX, toY, tile.width * scale, tile.height * scale)
          } catch (error) {
            failed.push(error)
          }
        }
      if (count > 0 && failed.length === count) throw failed[0]
      return failed.length === 0
    },
  }
  return { stream, picture, timesSmaller: 2 ** finest }
}
