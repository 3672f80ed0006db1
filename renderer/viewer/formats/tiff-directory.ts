import type { Content } from '../content.ts'
import { Undrawable } from '../kind.ts'

/** How a TIFF is written: in which order the bytes of a number stand, and with 4 or 8 of them for a place. */
interface Tiff {
  content: Content
  isLittle: boolean
  isBig: boolean
}

/** What a TIFF says of one picture, tag by tag (TIFF 6.0, section 2; BigTIFF). */
export interface Directory {
  isLittle: boolean
  has: (tag: number) => boolean
  /** How many values a tag has; 0 where it is missing. */
  count: (tag: number) => number
  /** All values of a tag; none where it is missing. A fraction is one number. @throws Unreachable */
  numbers: (tag: number) => Promise<number[]>
  /** One of the values. NaN where there is none. @throws Unreachable */
  number: (tag: number, index?: number) => Promise<number>
  text: (tag: number) => Promise<string>
  bytes: (tag: number) => Promise<Uint8Array<ArrayBuffer>>
  /** Where the next one begins; 0 after the last. */
  next: number
}

interface Entry {
  type: number
  count: number
  /** Where its values are in the file. */
  at: number
}

/** Bytes of a value by its type; types 14 and 15 do not exist. */
const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]
const mostEntries = 4_096
/** So many values of one tag are read; where tiles are is asked one by one. */
const mostValues = 1_000_000

const readers: Record<number, (view: DataView, at: number, isLittle: boolean) => number> = {
  1: (view, at) => view.getUint8(at),
  2: (view, at) => view.getUint8(at),
  3: (view, at, isLittle) => view.getUint16(at, isLittle),
  4: (view, at, isLittle) => view.getUint32(at, isLittle),
  5: (view, at, isLittle) => view.getUint32(at, isLittle) / view.getUint32(at + 4, isLittle),
  6: (view, at) => view.getInt8(at),
  7: (view, at) => view.getUint8(at),
  8: (view, at, isLittle) => view.getInt16(at, isLittle),
  9: (view, at, isLittle) => view.getInt32(at, isLittle),
  10: (view, at, isLittle) => view.getInt32(at, isLittle) / view.getInt32(at + 4, isLittle),
  11: (view, at, isLittle) => view.getFloat32(at, isLittle),
  12: (view, at, isLittle) => view.getFloat64(at, isLittle),
  13: (view, at, isLittle) => view.getUint32(at, isLittle),
  16: (view, at, isLittle) => Number(view.getBigUint64(at, isLittle)),
  17: (view, at, isLittle) => Number(view.getBigInt64(at, isLittle)),
  18: (view, at, isLittle) => Number(view.getBigUint64(at, isLittle)),
}

const viewOf = async (content: Content, at: number, bytes: number): Promise<DataView> => {
  const read = await content.read(at, at + bytes)
  if (read.length < bytes) throw new Undrawable('broken', `${at} + ${bytes}`)
  return new DataView(read.buffer, read.byteOffset, read.byteLength)
}

/**
 * The beginning of a TIFF or BigTIFF.
 * @returns how it is written, and where its first directory begins
 * @throws Undrawable where it is none, Unreachable
 */
export const openTiff = async (content: Content): Promise<Tiff & { first: number }> => {
  const view = await viewOf(content, 0, 16)
  const isLittle = view.getUint16(0) === 0x4949
  const isBig = view.getUint16(2, isLittle) === 43
  const first = isBig ? Number(view.getBigUint64(8, isLittle)) : view.getUint32(4, isLittle)
  return { content, isLittle, isBig, first }
}

const readEntries = async (tiff: Tiff, at: number) => {
  const { content, isLittle, isBig } = tiff
  const counted = await viewOf(content, at, isBig ? 8 : 2)
  const count = isBig ? Number(counted.getBigUint64(0, isLittle)) : counted.getUint16(0, isLittle)
  if (count === 0 || count > mostEntries) throw new Undrawable('broken', `${count}`)
  const [size, placeBytes] = isBig ? [20, 8] : [12, 4]
  const begin = at + counted.byteLength
  const view = await viewOf(content, begin, count * size + placeBytes)
  const placeAt = (offset: number) =>
    isBig ? Number(view.getBigUint64(offset, isLittle)) : view.getUint32(offset, isLittle)
  const entries = new Map<number, Entry>()
  for (let index = 0; index < count; index += 1) {
    const offset = index * size
    const type = view.getUint16(offset + 2, isLittle)
    const values = placeAt(offset + 4)
    const inside = offset + 4 + placeBytes
    const isInside = (sizes[type] ?? 0) * values <= placeBytes
    entries.set(view.getUint16(offset, isLittle), {
      type,
      count: values,
      at: isInside ? begin + inside : placeAt(inside),
    })
  }
  return { entries, next: placeAt(count * size) }
}

/** @throws Undrawable where there is no directory at this place, Unreachable */
export const readDirectory = async (tiff: Tiff, at: number): Promise<Directory> => {
  const { content, isLittle } = tiff
  const { entries, next } = await readEntries(tiff, at)
  const read = async (tag: number, from: number, to: number): Promise<number[]> => {
    const entry = entries.get(tag)
    const one = entry && readers[entry.type]
    if (!entry || !one || from >= to) return []
    const size = sizes[entry.type] ?? 0
    const view = await viewOf(content, entry.at + from * size, (to - from) * size)
    return Array.from({ length: to - from }, (_, index) => one(view, index * size, isLittle))
  }
  const bytes = async (tag: number) => {
    const { at: begin = 0, count = 0, type = 0 } = entries.get(tag) ?? {}
    const length = Math.min(count, mostValues) * (sizes[type] ?? 0)
    return content.read(begin, begin + length)
  }
  const countOf = (tag: number) => Math.min(mostValues, entries.get(tag)?.count ?? 0)
  return {
    isLittle,
    has: (tag) => entries.has(tag),
    count: (tag) => entries.get(tag)?.count ?? 0,
    numbers: (tag) => read(tag, 0, countOf(tag)),
    number: async (tag, index = 0) => {
      const isThere = index < (entries.get(tag)?.count ?? 0)
      const [value = NaN] = isThere ? await read(tag, index, index + 1) : []
      return value
    },
    text: async (tag) => {
      const [written = ''] = new TextDecoder().decode(await bytes(tag)).split('\0')
      return written.trim()
    },
    bytes,
    next,
  }
}
