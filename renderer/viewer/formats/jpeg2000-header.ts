import { Undrawable } from '../kind.ts'
import { profileName } from './colour-profile.ts'

/** A file of JPEG 2000 taken apart (ISO/IEC 15444-1, A and I), so that each tile can be decoded alone. */
export interface Codestream {
  width: number
  height: number
  bits: number
  components: number
  /** Its wavelet loses nothing; what was cut off afterwards may. */
  isReversible: boolean
  /** How often it is halved: at so many smaller sizes it can be decoded. */
  levels: number
  tileWidth: number
  tileHeight: number
  across: number
  down: number
  /** Of CMYK, since nothing else is drawn otherwise. */
  isCmyk: boolean
  profile: string
  /** Pixels on an inch; NaN where the file does not say. */
  perInch: number
  /** A file with one tile alone, that any decoder of JPEG 2000 reads. */
  fileOf: (tile: number) => Uint8Array<ArrayBuffer>
}

const [sizMarker, codMarker, tlmMarker, plmMarker, ppmMarker, sotMarker] = [
  0xff51, 0xff52, 0xff55, 0xff57, 0xff60, 0xff90,
]
const mostTiles = 16_384

const viewOf = (bytes: Uint8Array<ArrayBuffer>) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const nameAt = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

/** Where the pixels are written: in the box "jp2c", or from the beginning on. */
const findStream = (bytes: Uint8Array<ArrayBuffer>) => {
  const view = viewOf(bytes)
  if (view.getUint16(0) === 0xff4f) return 0
  for (let at = 0; at + 16 <= bytes.length;) {
    const short = view.getUint32(at)
    const length = short === 1 ? Number(view.getBigUint64(at + 8)) : short
    const begin = at + (short === 1 ? 16 : 8)
    if (nameAt(bytes, at + 4) === 'jp2c') return begin
    if (length < 8) break
    at += length
  }
  throw new Undrawable('broken', 'no code stream')
}

interface Segment {
  marker: number
  bytes: Uint8Array<ArrayBuffer>
}

/** What stands before the first tile. */
const readSegments = (bytes: Uint8Array<ArrayBuffer>, from: number) => {
  const view = viewOf(bytes)
  const segments: Segment[] = []
  let at = from + 2
  while (view.getUint16(at) !== sotMarker) {
    const end = at + 2 + view.getUint16(at + 2)
    if (end <= at + 2 || end > bytes.length) throw new Undrawable('broken', 'header')
    segments.push({ marker: view.getUint16(at), bytes: bytes.slice(at, end) })
    at = end
  }
  return { segments, end: at }
}

/** The parts of each tile; those that are cut off at the end are left out. */
const findTiles = (bytes: Uint8Array<ArrayBuffer>, from: number) => {
  const view = viewOf(bytes)
  const tiles = new Map<number, Uint8Array<ArrayBuffer>[]>()
  for (let at = from; at + 12 <= bytes.length && view.getUint16(at) === sotMarker;) {
    const tile = view.getUint16(at + 4)
    const end = Math.min(bytes.length, at + (view.getUint32(at + 6) || bytes.length))
    if (end < at + 14) break
    const parts = tiles.get(tile) ?? []
    parts.push(bytes.subarray(at, end))
    tiles.set(tile, parts)
    at = end
  }
  return tiles
}

const concat = (parts: Uint8Array[]) => {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** What the boxes before the pixels say of colours and of the resolution. */
const readBoxes = (bytes: Uint8Array<ArrayBuffer>, end: number) => {
  const head = bytes.slice(0, end)
  const view = viewOf(head)
  const text = new TextDecoder('latin1').decode(head)
  const colour = text.indexOf('colr')
  const method = head[colour + 4]
  const resolution = text.indexOf('resc')
  const at = resolution + 4
  const hasResolution = resolution > 0 && at + 10 <= end
  const perMetre = hasResolution
    ? (view.getUint16(at) / view.getUint16(at + 2)) * 10 ** view.getInt8(at + 8)
    : NaN
  return {
    isCmyk: colour > 0 && method === 1 && colour + 11 <= end && view.getUint32(colour + 7) === 12,
    profile: colour > 0 && method === 2 ? profileName(head.slice(colour + 7)) : '',
    perInch: perMetre * 0.0254,
  }
}

/** @throws Undrawable where the file is not what it says */
export const readCodestream = (bytes: Uint8Array<ArrayBuffer>): Codestream => {
  const start = findStream(bytes)
  const { segments, end } = readSegments(bytes, start)
  const siz = segments.find(({ marker }) => marker === sizMarker)?.bytes
  const cod = segments.find(({ marker }) => marker === codMarker)?.bytes
  if (!siz || !cod || siz.length < 41 || cod.length < 14) throw new Undrawable('broken', 'header')
  const size = viewOf(siz)
  const at = (offset: number) => size.getUint32(offset)
  const [right, bottom, left, top] = [at(6), at(10), at(14), at(18)]
  const [tileWidth, tileHeight, tileLeft, tileTop] = [at(22), at(26), at(30), at(34)]
  const across = Math.ceil((right - tileLeft) / tileWidth)
  const down = Math.ceil((bottom - tileTop) / tileHeight)
  if (!(right > left && bottom > top && across >= 1 && down >= 1 && across * down <= mostTiles))
    throw new Undrawable('broken', 'size')
  const isPacked = segments.some(({ marker }) => marker === ppmMarker)
  if (isPacked && across * down > 1) throw new Undrawable('too complex')
  const tiles = findTiles(bytes, end)
  const kept = segments.filter(({ marker }) => ![sizMarker, tlmMarker, plmMarker].includes(marker))
  const boxes = bytes.slice(0, start)
  return {
    width: right - left,
    height: bottom - top,
    bits: ((siz[40] ?? 7) & 0x7f) + 1,
    components: size.getUint16(38),
    isReversible: cod[13] === 1,
    levels: cod[9] ?? 0,
    tileWidth,
    tileHeight,
    across,
    down,
    ...readBoxes(bytes, start),
    fileOf: (tile) => {
      const parts = tiles.get(tile)
      if (!parts) throw new Undrawable('broken', `tile ${tile}`)
      const alone = siz.slice()
      const view = viewOf(alone)
      const x = tileLeft + (tile % across) * tileWidth
      const y = tileTop + Math.floor(tile / across) * tileHeight
      const [x0, y0] = [Math.max(left, x), Math.max(top, y)]
      const [x1, y1] = [Math.min(right, x + tileWidth), Math.min(bottom, y + tileHeight)]
      const values = [x1, y1, x0, y0, tileWidth, tileHeight, x, y]
      for (const [index, value] of values.entries()) view.setUint32(6 + index * 4, value)
      const renamed = parts.map((part) => {
        const copy = part.slice()
        viewOf(copy).setUint16(4, 0)
        return copy
      })
      const stream = [
        Uint8Array.of(0xff, 0x4f),
        alone,
        ...kept.map((segment) => segment.bytes),
        ...renamed,
        Uint8Array.of(0xff, 0xd9),
      ]
      return concat([boxesOf(boxes, x1 - x0, y1 - y0), ...stream])
    },
  }
}

/** The boxes before the pixels, with another size in them; none where there were none. */
const boxesOf = (boxes: Uint8Array<ArrayBuffer>, width: number, height: number) => {
  const copy = boxes.slice()
  const header = new TextDecoder('latin1').decode(copy).indexOf('ihdr')
  if (header < 0 || header + 12 > copy.length) return copy
  const view = viewOf(copy)
  view.setUint32(header + 4, height)
  view.setUint32(header + 8, width)
  // The box of the pixels has no length: it goes on to the end.
  const isLong = nameAt(copy, copy.length - 12) === 'jp2c'
  if (!isLong) view.setUint32(copy.length - 8, 0)
  return isLong ? concat([copy.slice(0, -16), Uint8Array.of(0, 0, 0, 0, 0x6a, 0x70, 0x32, 0x63)]) : copy
}
