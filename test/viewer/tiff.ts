import type { Source } from './frames.ts'

/** A value of a tag: numbers of 16 or 32 bits, or places (64 bits in a BigTIFF). */
type Value = { type: 3 | 4; values: number[] } | { type: 16; values: number[] }
const short = (...values: number[]): Value => ({ type: 3, values })
const long = (...values: number[]): Value => ({ type: 4, values })
const sizes = { 3: 2, 4: 4, 16: 8 }

/** A directory of a BigTIFF that is to stand at this place, with what its tags point to behind it. */
const directoryAt = (at: number, tags: Map<number, Value>, next: number) => {
  const tail: Buffer[] = []
  const head = Buffer.alloc(8 + tags.size * 20 + 8)
  let behind = at + head.length
  head.writeBigUInt64LE(BigInt(tags.size), 0)
  for (const [index, [tag, { type, values }]] of [...tags].toSorted(([a], [b]) => a - b).entries()) {
    const bytes = Buffer.alloc(Math.max(8, values.length * sizes[type]))
    for (const [position, value] of values.entries())
      if (type === 16) bytes.writeBigUInt64LE(BigInt(value), position * 8)
      else bytes.writeUIntLE(value, position * sizes[type], sizes[type])
    const entry = 8 + index * 20
    head.writeUInt16LE(tag, entry)
    head.writeUInt16LE(type, entry + 2)
    head.writeBigUInt64LE(BigInt(values.length), entry + 4)
    if (bytes.length === 8) bytes.copy(head, entry + 12)
    else {
      head.writeBigUInt64LE(BigInt(behind), entry + 12)
      tail.push(bytes)
      behind += bytes.length
    }
  }
  head.writeBigUInt64LE(BigInt(next), head.length - 8)
  return Buffer.concat([head, ...tail])
}

const tileSide = 512
const tileBytes = tileSide * tileSide * 3
const placesBegin = 4096

/**
 * A TIFF of any size that is nowhere: a square in tiles of RGB that nothing compresses, red on the left and
 * blue on the right, whose bytes are computed when they are asked for.
 * @param sides of the picture, and of smaller ones that it holds of itself
 */
export const hugeTiff = (sides: [number, ...number[]]): Source => {
  const headers: Buffer[] = []
  const levels: { begin: number; across: number }[] = []
  const spaceFor = (side: number) => Math.ceil(side / tileSide) ** 2 * 16 + 1024
  const places = sides.map((_, index) =>
    sides.slice(0, index).reduce((sum, side) => sum + spaceFor(side), placesBegin),
  )
  let data = sides.reduce((sum, side) => sum + spaceFor(side), placesBegin)
  for (const [index, side] of sides.entries()) {
    const across = Math.ceil(side / tileSide)
    const begin = data
    data += across * across * tileBytes
    levels.push({ begin, across })
    const offsets = Array.from({ length: across * across }, (_, tile) => begin + tile * tileBytes)
    const tags = new Map<number, Value>([
      [254, long(index === 0 ? 0 : 1)],
      [256, long(side)],
      [257, long(side)],
      [258, short(8, 8, 8)],
      [259, short(1)],
      [262, short(2)],
      [277, short(3)],
      [322, short(tileSide)],
      [323, short(tileSide)],
      [324, { type: 16, values: offsets }],
      [325, { type: 16, values: offsets.map(() => tileBytes) }],
    ])
    if (index === 0 && sides.length > 1) tags.set(330, { type: 16, values: places.slice(1) })
    headers.push(directoryAt(places[index] ?? 0, tags, 0))
  }
  const head = Buffer.alloc(levels[0]?.begin ?? 0)
  head.write('II+\0', 0, 'latin1')
  head.writeUInt16LE(8, 4)
  head.writeBigUInt64LE(BigInt(placesBegin), 8)
  for (const [index, header] of headers.entries()) header.copy(head, places[index])
  const byteAt = (at: number) => {
    const level = levels.findLast(({ begin }) => begin <= at)
    if (!level) return head[at] ?? 0
    const column = Math.floor((at - level.begin) / tileBytes) % level.across
    const channel = (at - level.begin) % 3
    return channel === (column < level.across / 2 ? 0 : 2) ? 200 : 30
  }
  return {
    name: 'plan.tif',
    bytes: data,
    read: ({ first, last }) => {
      const bytes = Buffer.alloc(last - first + 1)
      for (let at = first; at <= last; at += 1) bytes[at - first] = byteAt(at)
      return Promise.resolve(bytes)
    },
  }
}

/** A TIFF whose colours have half as many pixels as its brightness, on each side, and are not compressed. */
export const subsampledTiff = (): Buffer => {
  const [width, height] = [8, 4]
  const block = [150, 150, 150, 150, 90, 200]
  const pixels = Buffer.from(Array.from({ length: (width / 2) * (height / 2) }, () => block).flat())
  const tags = new Map<number, Value>([
    [256, long(width)],
    [257, long(height)],
    [258, short(8, 8, 8)],
    [259, short(1)],
    [262, short(6)],
    [273, { type: 16, values: [16] }],
    [277, short(3)],
    [278, long(height)],
    [279, long(pixels.length)],
    [530, short(2, 2)],
  ])
  const head = Buffer.alloc(16)
  head.write('II+\0', 0, 'latin1')
  head.writeUInt16LE(8, 4)
  head.writeBigUInt64LE(BigInt(16 + pixels.length), 8)
  return Buffer.concat([head, pixels, directoryAt(16 + pixels.length, tags, 0)])
}
