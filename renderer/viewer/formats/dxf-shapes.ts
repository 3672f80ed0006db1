import { entryIn } from '../../../electron/common/records.ts'
import { Undrawable } from '../kind.ts'
import { numberOf, valueOf, type Drawing, type Entity } from './dxf.ts'
import { circlePoints, ellipsePoints, polylinePoints, splinePoints, type Point } from './dxf-curves.ts'

/** Left, bottom, right, top. */
export type Box = readonly [number, number, number, number]

/** What is drawn of a drawing, in its units, up being up. */
export interface Shape {
  points: Point[]
  isFilled: boolean
  colour: string
  box: Box
  /** Letters on the line of two points, so high. */
  lettering?: { text: string; height: number; angle: number }
}

/** x' = a x + c y + e, y' = b x + d y + f */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

const mostDeep = 12
const mostPoints = 6_000_000

const same: Matrix = [1, 0, 0, 1, 0, 0]
const times = (one: Matrix, other: Matrix): Matrix => [
  one[0] * other[0] + one[2] * other[1],
  one[1] * other[0] + one[3] * other[1],
  one[0] * other[2] + one[2] * other[3],
  one[1] * other[2] + one[3] * other[3],
  one[0] * other[4] + one[2] * other[5] + one[4],
  one[1] * other[4] + one[3] * other[5] + one[5],
]
const apply = ([a, b, c, d, e, f]: Matrix, [x, y]: Point): Point => [a * x + c * y + e, b * x + d * y + f]

const boxOf = (points: readonly Point[]): Box => {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points) {
    left = Math.min(left, x)
    bottom = Math.min(bottom, y)
    right = Math.max(right, x)
    top = Math.max(top, y)
  }
  return [left, bottom, right, top]
}

/** The colours that have a number of their own; the rest go round the circle in steps. */
const named: Record<number, string> = {
  1: '#c1121f',
  2: '#8a6d00',
  3: '#1b7837',
  4: '#00798c',
  5: '#1d3fbb',
  6: '#a02090',
  7: '#111111',
  8: '#6b6b6b',
  9: '#8f8f8f',
}
/** A colour of AutoCAD’s index, dark enough for paper. */
const colourOfIndex = (index: number): string => {
  if (index >= 250) return '#555555'
  if (index < 10) return named[index] ?? '#111111'
  const hue = Math.floor(index / 10 - 1) * 15
  const lightness = [38, 32, 26, 20, 14][Math.floor((index % 10) / 2)] ?? 30
  return `hsl(${hue} ${index % 2 === 1 ? 45 : 80}% ${lightness}%)`
}

/** Text without the codes that say how it is set. */
const plainText = (written: string): string =>
  written
    .replace(/\\U\+([0-9A-Fa-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(
      /%%([dDpPcCuUoO%])/g,
      (_, sign: string) => ({ d: '°', p: '±', c: 'Ø', '%': '%' })[sign.toLowerCase()] ?? '',
    )
    .replace(/\\S([^;^/#]*)[\^/#]([^;]*);/g, '$1/$2')
    .replace(/\\[ACFHQTWfp][^;\\]*;/g, '')
    .replace(/\\P/g, '\n')
    .replace(/\\~/g, '\u00a0')
    .replace(/\\[LlOoKk]/g, '')
    .replace(/[{}]/g, '')
    .trim()

const textIn = (entity: Entity) => {
  if (entity.type !== 'MTEXT') return plainText(valueOf(entity, 1) ?? '')
  const parts = entity.groups.filter(([group]) => group === 3).map(([, value]) => value)
  return plainText([...parts, valueOf(entity, 1) ?? ''].join(''))
}

const solidPoints = (entity: Entity): Point[] => {
  const corner = (index: number): Point => [numberOf(entity, 10 + index), numberOf(entity, 20 + index)]
  return [corner(0), corner(1), corner(3), corner(2)]
}
const linePoints = (entity: Entity): Point[] => [
  [numberOf(entity, 10), numberOf(entity, 20)],
  [numberOf(entity, 11), numberOf(entity, 21)],
]

const colourIn = ({ layers }: Drawing, entity: Entity, around: string): string => {
  const exact = numberOf(entity, 420, -1)
  if (exact >= 0) return `#${Math.min(exact, 0xffffff).toString(16).padStart(6, '0')}`
  const index = numberOf(entity, 62, 256)
  if (index === 0) return around
  return colourOfIndex(index === 256 ? (layers.get(valueOf(entity, 8) ?? '')?.colour ?? 7) : index)
}

/** Where a block is put in; a dimension has its block where it is to be already. */
const placeOf = (entity: Entity, base: readonly [number, number]): Matrix => {
  const from: Matrix = [1, 0, 0, 1, -base[0], -base[1]]
  if (entity.type === 'DIMENSION') return from
  const radians = (numberOf(entity, 50) * Math.PI) / 180
  const [scaleX, scaleY] = [numberOf(entity, 41, 1), numberOf(entity, 42, 1)]
  const [cosine, sine] = [Math.cos(radians), Math.sin(radians)]
  const [x, y] = [numberOf(entity, 10), numberOf(entity, 20)]
  return times([cosine * scaleX, sine * scaleX, -sine * scaleY, cosine * scaleY, x, y], from)
}

/** The lines of a text, one below the other. */
const lettered = (entity: Entity, text: string, matrix: Matrix, colour: string): Shape[] => {
  const isMulti = entity.type === 'MTEXT'
  const height = numberOf(entity, 40, 1)
  const radians = (numberOf(entity, 50) * Math.PI) / 180
  const [cosine, sine] = [Math.cos(radians), Math.sin(radians)]
  const [x, y] = [numberOf(entity, 10), numberOf(entity, 20)]
  const lines = text === '' ? [] : text.split('\n')
  return lines.map((line, index) => {
    const down = isMulti ? height * (1 + index * 1.6) : 0
    const from: Point = [x + sine * down, y - cosine * down]
    const width = line.length * height * 0.7
    const start = apply(matrix, from)
    const end = apply(matrix, [from[0] + cosine * width, from[1] + sine * width])
    const above = apply(matrix, [from[0] - sine * height, from[1] + cosine * height])
    const lettering = {
      text: line,
      height: Math.hypot(above[0] - start[0], above[1] - start[1]),
      angle: Math.atan2(end[1] - start[1], end[0] - start[0]),
    }
    return { points: [start, end], isFilled: false, colour, box: boxOf([start, end, above]), lettering }
  })
}

const curves: Record<string, (entity: Entity) => Point[]> = {
  LINE: linePoints,
  CIRCLE: circlePoints,
  ARC: circlePoints,
  ELLIPSE: ellipsePoints,
  LWPOLYLINE: polylinePoints,
  POLYLINE: polylinePoints,
  LEADER: polylinePoints,
  SPLINE: splinePoints,
  SOLID: solidPoints,
  TRACE: solidPoints,
}
const letterings = ['TEXT', 'MTEXT', 'ATTRIB']
/** What has nothing to be seen. */
const unseen = ['VIEWPORT', 'ATTDEF', 'POINT', 'SEQEND', 'XLINE', 'RAY', 'WIPEOUT']

export interface Shapes {
  shapes: Shape[]
  box: Box
  /** Types of elements of which nothing is drawn. */
  missing: string[]
  texts: string[]
}

/**
 * Everything that is drawn of a drawing, with the blocks put in where they are used.
 * @throws Undrawable where that is more than anybody drew
 */
export const shapesOf = (drawing: Drawing): Shapes => {
  const shapes: Shape[] = []
  const missing = new Set<string>()
  const texts: string[] = []
  let count = 0
  const addBlock = (entity: Entity, matrix: Matrix, colour: string, depth: number) => {
    const block = drawing.blocks.get(valueOf(entity, 2) ?? '')
    if (!block || depth >= mostDeep) return
    addAll(block.entities, times(matrix, placeOf(entity, block.base)), colour, depth + 1)
  }
  const add = (entity: Entity, matrix: Matrix, around: string, depth: number) => {
    count += 1
    if (count > mostPoints) throw new Undrawable('too complex', `${count}`)
    const { type, parts } = entity
    if (drawing.layers.get(valueOf(entity, 8) ?? '')?.isOff || numberOf(entity, 60) === 1) return
    const colour = colourIn(drawing, entity, around)
    // What is seen from below is drawn as in a mirror.
    const seen = numberOf(entity, 230, 1) < 0 ? times(matrix, [-1, 0, 0, 1, 0, 0]) : matrix
    const curve = entryIn(curves, type)
    if (curve) {
      const points = curve(entity).map((point) => apply(seen, point))
      count += points.length
      const isFilled = type === 'SOLID' || type === 'TRACE'
      if (points.length > 1) shapes.push({ points, isFilled, colour, box: boxOf(points) })
    } else if (letterings.includes(type)) {
      const text = textIn(entity)
      if (text !== '') texts.push(text)
      shapes.push(...lettered(entity, text, seen, colour))
    } else if (type === 'INSERT' || type === 'DIMENSION') {
      addBlock(entity, seen, colour, depth)
      for (const part of parts) add(part, matrix, colour, depth)
    } else if (!unseen.includes(type)) missing.add(type)
  }
  const addAll = (entities: readonly Entity[], matrix: Matrix, colour: string, depth: number) => {
    for (const entity of entities) add(entity, matrix, colour, depth)
  }
  // What is laid out on paper repeats what is in the model.
  const model = drawing.entities.filter((entity) => numberOf(entity, 67) === 0)
  addAll(model.length > 0 ? model : drawing.entities, same, '#111111', 0)
  const seen = shapes.filter(({ box }) => box.every(Number.isFinite))
  if (seen.length === 0) throw new Undrawable('broken', 'nothing to draw')
  const corners = seen.flatMap(({ box }): Point[] => [
    [box[0], box[1]],
    [box[2], box[3]],
  ])
  return { shapes: seen, box: boxOf(corners), missing: [...missing].toSorted(), texts }
}
