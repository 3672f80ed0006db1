/** What is drawn of a geometry: x and y one after the other. */
export interface Shapes {
  points: number[]
  lines: number[][]
  /** Each with its outer ring first. */
  polygons: number[][][]
}

/** How deep collections may lie in collections; no program nests them so. */
const deepest = 8
const mostNumbers = 2_000_000

class Reader {
  readonly #view: DataView
  #place: number
  #left = mostNumbers
  constructor(bytes: Uint8Array, from: number) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#place = from
  }
  byte() {
    this.#place += 1
    return this.#view.getUint8(this.#place - 1)
  }
  count(isLittle: boolean) {
    this.#place += 4
    return this.#view.getUint32(this.#place - 4, isLittle)
  }
  /** A place; what it says beside x and y is passed over. */
  place(isLittle: boolean, width: number): [number, number] {
    this.#left -= width
    if (this.#left < 0) throw new RangeError('More places than are drawn.')
    const x = this.#view.getFloat64(this.#place, isLittle)
    const y = this.#view.getFloat64(this.#place + 8, isLittle)
    this.#place += width * 8
    return [x, y]
  }
}

const readGeometry = (reader: Reader, into: Shapes, depth: number): void => {
  const isLittle = reader.byte() === 1
  const code = reader.count(isLittle)
  // Z and M, as ISO has them and as others had them before.
  const dimensions = Math.floor((code % 10_000) / 1000)
  const extended = (code >>> 31) + ((code >>> 30) & 1)
  const width = 2 + (extended || (dimensions === 3 ? 2 : dimensions > 0 ? 1 : 0))
  const type = (code & 0xffff) % 1000
  const line = () => {
    const places: number[] = []
    for (let left = reader.count(isLittle); left > 0; left -= 1) places.push(...reader.place(isLittle, width))
    return places
  }
  if (type === 1) into.points.push(...reader.place(isLittle, width).filter((value) => !Number.isNaN(value)))
  else if (type === 2) into.lines.push(line())
  else if (type === 3) {
    const rings: number[][] = []
    for (let left = reader.count(isLittle); left > 0; left -= 1) rings.push(line())
    into.polygons.push(rings)
  } else if (type >= 4 && type <= 7 && depth < deepest)
    for (let left = reader.count(isLittle); left > 0; left -= 1) readGeometry(reader, into, depth + 1)
}

/**
 * Reads points, lines and polygons, and collections of them (OGC 06-103r4, 8.2). Curves are left out.
 * @returns undefined where it ends too early or holds too much
 */
export const readShapes = (bytes: Uint8Array, from: number): Shapes | undefined => {
  const shapes: Shapes = { points: [], lines: [], polygons: [] }
  try {
    readGeometry(new Reader(bytes, from), shapes, 0)
    return shapes
  } catch {
    return undefined
  }
}
