import { numberOf, numbersOf, type Entity } from './dxf.ts'

export type Point = readonly [number, number]

const turn = 2 * Math.PI
/** A full circle is drawn with so many lines. */
const perTurn = 96
const mostOfSpline = 2_000

/** Points from one angle to another one, to the left. */
const arcPoints = (at: (angle: number) => Point, from: number, to: number): Point[] => {
  let span = (to - from) % turn
  if (span <= 1e-9) span += turn
  const count = Math.max(2, Math.ceil((span / turn) * perTurn))
  return Array.from({ length: count + 1 }, (_, index) => at(from + (span * index) / count))
}

const circleAt =
  ([x, y]: Point, radius: number) =>
  (angle: number): Point => [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]

export const circlePoints = (entity: Entity): Point[] => {
  const middle: Point = [numberOf(entity, 10), numberOf(entity, 20)]
  const radians = Math.PI / 180
  const isArc = entity.type === 'ARC'
  const [from, to] = isArc ? [numberOf(entity, 50) * radians, numberOf(entity, 51) * radians] : [0, turn]
  return arcPoints(circleAt(middle, numberOf(entity, 40)), from, to)
}

export const ellipsePoints = (entity: Entity): Point[] => {
  const [x, y] = [numberOf(entity, 10), numberOf(entity, 20)]
  const [longX, longY] = [numberOf(entity, 11), numberOf(entity, 21)]
  const ratio = numberOf(entity, 40, 1)
  const at = (angle: number): Point => {
    const [along, across] = [Math.cos(angle), Math.sin(angle) * ratio]
    return [x + longX * along - longY * across, y + longY * along + longX * across]
  }
  return arcPoints(at, numberOf(entity, 41), numberOf(entity, 42, turn))
}

/** From one corner to the next one: a line, or an arc by the tangent of a quarter of its angle. */
const bulged = (from: Point, to: Point, bulge: number): Point[] => {
  if (Math.abs(bulge) < 1e-6) return [to]
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const lift = (1 - bulge ** 2) / (4 * bulge)
  const middle: Point = [(from[0] + to[0]) / 2 - dy * lift, (from[1] + to[1]) / 2 + dx * lift]
  const angleOf = ([x, y]: Point) => Math.atan2(y - middle[1], x - middle[0])
  const at = circleAt(middle, Math.hypot(from[0] - middle[0], from[1] - middle[1]))
  const points =
    bulge > 0
      ? arcPoints(at, angleOf(from), angleOf(to))
      : arcPoints(at, angleOf(to), angleOf(from)).toReversed()
  return points.slice(1)
}

interface Corner {
  at: Point
  bulge: number
}

/** Corners of a light polyline stand in it, those of an old one follow it. */
const cornersOf = ({ type, groups, parts }: Entity): Corner[] => {
  if (type === 'POLYLINE')
    return parts
      .filter((part) => (numberOf(part, 70) & 16) === 0)
      .map((part) => ({ at: [numberOf(part, 10), numberOf(part, 20)], bulge: numberOf(part, 42) }))
  const corners: { at: [number, number]; bulge: number }[] = []
  for (const [group, value] of groups) {
    const last = corners.at(-1)
    if (group === 10) corners.push({ at: [Number(value) || 0, 0], bulge: 0 })
    else if (group === 20 && last) last.at[1] = Number(value) || 0
    else if (group === 42 && last) last.bulge = Number(value) || 0
  }
  return corners
}

export const polylinePoints = (entity: Entity): Point[] => {
  const corners = cornersOf(entity)
  const isClosed = entity.type !== 'LEADER' && (numberOf(entity, 70) & 1) === 1
  const [first] = corners
  if (!first) return []
  const points: Point[] = [first.at]
  for (const [index, { at, bulge }] of corners.entries()) {
    const next = corners[index + 1] ?? (isClosed ? first : undefined)
    if (next) points.push(...bulged(at, next.at, bulge))
  }
  return points
}

const pairs = (entity: Entity, x: number, y: number): Point[] => {
  const second = numbersOf(entity, y)
  return numbersOf(entity, x).map((value, index) => [value, second[index] ?? 0])
}

/** A point of a B-spline (de Boor); weights are passed over. */
const splineAt = (at: number, degree: number, knots: number[], control: Point[]): Point => {
  let span = degree
  while (span < control.length - 1 && (knots[span + 1] ?? Infinity) <= at) span += 1
  const points = Array.from(
    { length: degree + 1 },
    (_, index): Point => control[span - degree + index] ?? [0, 0],
  )
  for (let round = 1; round <= degree; round += 1)
    for (let index = degree; index >= round; index -= 1) {
      const left = knots[span - degree + index] ?? 0
      const width = (knots[span + 1 + index - round] ?? 0) - left
      const share = width === 0 ? 0 : (at - left) / width
      const [before, after] = [points[index - 1] ?? [0, 0], points[index] ?? [0, 0]]
      points[index] = [before[0] * (1 - share) + after[0] * share, before[1] * (1 - share) + after[1] * share]
    }
  return points[degree] ?? [0, 0]
}

export const splinePoints = (entity: Entity): Point[] => {
  const degree = Math.min(10, Math.max(1, numberOf(entity, 71, 3)))
  const [knots, control] = [numbersOf(entity, 40), pairs(entity, 10, 20)]
  if (control.length <= degree || knots.length < control.length + degree + 1)
    return control.length > 0 ? control : pairs(entity, 11, 21)
  const [from, to] = [knots[degree] ?? 0, knots[control.length] ?? 0]
  const count = Math.min(mostOfSpline, control.length * 12)
  return Array.from({ length: count + 1 }, (_, index) =>
    splineAt(from + ((to - from) * index) / count, degree, knots, control),
  )
}
