import './map.css'
import { element } from '../element.ts'
import type { MapLayer } from '../formats/geopackage.ts'
import type { Shapes } from '../formats/well-known-binary.ts'
import type { Stage } from '../kind.ts'
import type { Beside } from './database.ts'

interface Options {
  stage: Stage
  goTo: (row: number) => void
  signal: AbortSignal
}

/** Numbers of all places that are drawn at most. */
const mostNumbers = 4_000_000
const margin = 24
const pointRadius = 4
/** Metres of a degree of latitude. */
const degree = 111_320
/** Pixels of the scale at most. */
const longestScale = 160
/** Pixels from a place at which it is still meant. */
const reach = 12

interface Feature {
  row: number
  shapes: Shapes
}
interface Box {
  left: number
  right: number
  bottom: number
  top: number
}

const numbersOf = ({ points, lines, polygons }: Shapes) => [points, ...lines, ...polygons.flat()]

const widen = (box: Box, shapes: Shapes) => {
  for (const numbers of numbersOf(shapes))
    for (let index = 0; index < numbers.length; index += 2) {
      const [x = NaN, y = NaN] = [numbers[index], numbers[index + 1]]
      if (!Number.isFinite(x) || !Number.isFinite(y)) continue
      box.left = Math.min(box.left, x)
      box.right = Math.max(box.right, x)
      box.bottom = Math.min(box.bottom, y)
      box.top = Math.max(box.top, y)
    }
}

/** The largest of 1, 2 and 5 times a power of ten that is not more. */
const roundLength = (most: number) => {
  const power = 10 ** Math.floor(Math.log10(most))
  return power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1)
}

/** A place of the layer in pixels. A degree of longitude is as wide as in the middle of what is shown. */
const projection = (box: Box, isInDegrees: boolean, width: number, height: number) => {
  const narrowed = isInDegrees ? Math.cos(((box.bottom + box.top) / 2) * (Math.PI / 180)) : 1
  const wide = Math.max(1e-9, (box.right - box.left) * narrowed)
  const high = Math.max(1e-9, box.top - box.bottom)
  const scale = Math.min((width - 2 * margin) / wide, (height - 2 * margin) / high)
  const [x0, y0] = [(width - wide * scale) / 2, (height + high * scale) / 2]
  return {
    scale,
    x: (x: number) => x0 + (x - box.left) * narrowed * scale,
    y: (y: number) => y0 - (y - box.bottom) * scale,
  }
}
type Projection = ReturnType<typeof projection>

const trace = (path: Path2D, numbers: number[], { x, y }: Projection) => {
  for (let index = 0; index < numbers.length; index += 2) {
    const [px, py] = [x(numbers[index] ?? 0), y(numbers[index + 1] ?? 0)]
    if (index === 0) path.moveTo(px, py)
    else path.lineTo(px, py)
  }
}

const paint = (
  context: CanvasRenderingContext2D,
  { shapes }: Feature,
  projected: Projection,
  isChosen: boolean,
) => {
  const areas = new Path2D()
  const lines = new Path2D()
  for (const ring of shapes.polygons.flat()) {
    trace(areas, ring, projected)
    areas.closePath()
  }
  for (const line of shapes.lines) trace(lines, line, projected)
  context.lineWidth = isChosen ? 3 : 1.25
  context.globalAlpha = isChosen ? 0.6 : 0.16
  context.fill(areas, 'evenodd')
  context.globalAlpha = 1
  context.stroke(areas)
  context.stroke(lines)
  for (let index = 0; index < shapes.points.length; index += 2) {
    context.beginPath()
    const radius = isChosen ? pointRadius * 1.75 : pointRadius
    context.arc(
      projected.x(shapes.points[index] ?? 0),
      projected.y(shapes.points[index + 1] ?? 0),
      radius,
      0,
      7,
    )
    context.globalAlpha = isChosen ? 1 : 0.7
    context.fill()
  }
}

/** The distance from a pixel to the nearest corner or point of a feature, in pixels. */
const distanceTo = ({ shapes }: Feature, { x, y }: Projection, left: number, top: number) => {
  let nearest = Infinity
  for (const numbers of numbersOf(shapes))
    for (let index = 0; index < numbers.length; index += 2)
      nearest = Math.min(nearest, Math.hypot(x(numbers[index] ?? 0) - left, y(numbers[index + 1] ?? 0) - top))
  return nearest
}

/** A map of a table: where its rows are. The row that is chosen stands out, and a click chooses one. */
export const drawMap = (layer: MapLayer, { stage, goTo, signal }: Options): Promise<Beside> => {
  const { say, language, note } = stage
  const canvas = element('canvas', { role: 'img', 'aria-label': say.database.map(layer.name) })
  const bar = element('i')
  const words = element('span')
  const scale = element('p', {}, words, bar)
  scale.hidden = true
  const made = element('div', { class: 'map' }, canvas, scale)
  const features: Feature[] = []
  const box: Box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity }
  let chosen = -1
  let projected: Projection | undefined

  const drawScale = ({ scale: pixels }: Projection) => {
    const metre = layer.isInDegrees ? pixels / degree : pixels
    const length = roundLength(longestScale / metre)
    const isLong = length >= 1000
    const unit = { style: 'unit', unit: isLong ? 'kilometer' : 'meter', maximumFractionDigits: 3 } as const
    words.textContent = new Intl.NumberFormat(language, unit).format(isLong ? length / 1000 : length)
    scale.setAttribute('aria-label', say.database.scale(words.textContent))
    bar.style.width = `${length * metre}px`
    scale.hidden = false
  }
  const draw = () => {
    const context = canvas.getContext('2d')
    if (!context || features.length === 0 || canvas.clientWidth === 0) return
    const ratio = window.devicePixelRatio
    canvas.width = canvas.clientWidth * ratio
    canvas.height = canvas.clientHeight * ratio
    context.scale(ratio, ratio)
    projected = projection(box, layer.isInDegrees, canvas.clientWidth, canvas.clientHeight)
    const { color } = getComputedStyle(canvas)
    context.strokeStyle = color
    context.fillStyle = color
    for (const feature of features) if (feature.row !== chosen) paint(context, feature, projected, false)
    const found = features.find(({ row }) => row === chosen)
    if (found) paint(context, found, projected, true)
    drawScale(projected)
  }
  const read = async () => {
    let numbers = 0
    for await (const found of layer.features(signal)) {
      for (const feature of found) {
        features.push(feature)
        widen(box, feature.shapes)
        numbers += numbersOf(feature.shapes).reduce((sum, { length }) => sum + length, 0)
      }
      if (numbers > mostNumbers) {
        note(say.database.mapCut(new Intl.NumberFormat(language).format(features.length)))
        break
      }
    }
    draw()
  }
  canvas.addEventListener('click', ({ offsetX, offsetY }) => {
    if (!projected) return
    let nearest = { row: -1, far: reach }
    for (const feature of features) {
      const far = distanceTo(feature, projected, offsetX, offsetY)
      if (far < nearest.far) nearest = { row: feature.row, far }
    }
    if (nearest.row >= 0) goTo(nearest.row)
  })
  const observer = new ResizeObserver(draw)
  observer.observe(canvas)
  signal.addEventListener('abort', () => observer.disconnect())
  read().catch(reportError)
  return Promise.resolve({
    element: made,
    choose: (row) => {
      chosen = row
      draw()
    },
  })
}
