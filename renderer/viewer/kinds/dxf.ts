import { entryIn } from '../../../electron/common/records.ts'
import { readWhole } from '../content.ts'
import { element } from '../element.ts'
import type { Draw } from '../kind.ts'
import { readDxf, type Drawing } from '../formats/dxf.ts'
import { shapesOf, type Box, type Shape, type Shapes } from '../formats/dxf-shapes.ts'
import type { Part, Picture } from '../parts/picture.ts'
import { pauser } from '../parts/pause.ts'
import { showPictures } from '../parts/picture-stage.ts'

const mostBytes = 64 * 1024 * 1024
/** Pixels on the longer side: as near as one can come; and when all of it is as large as a sheet of paper. */
const longSide = 40_000
const sheetSide = 2_000
/** Space around it, of the longer side. */
const margin = 0.03

/** So many letters of it are there for a screen reader. */
const mostRead = 50_000

/** Units of length by their number ($INSUNITS). */
const units: Record<number, string> = {
  1: 'in',
  2: 'ft',
  4: 'mm',
  5: 'cm',
  6: 'm',
  7: 'km',
  10: 'yd',
  14: 'dm',
}
const versions: Record<string, string> = {
  AC1009: 'R12',
  AC1012: 'R13',
  AC1014: 'R14',
  AC1015: '2000',
  AC1018: '2004',
  AC1021: '2007',
  AC1024: '2010',
  AC1027: '2013',
  AC1032: '2018',
}

const isSeen = (box: Box, [left, bottom, right, top]: Box) =>
  box[0] <= right && box[2] >= left && box[1] <= top && box[3] >= bottom

const drawShape = (context: CanvasRenderingContext2D, shape: Shape, scale: number) => {
  const { points, isFilled, colour, lettering } = shape
  context.strokeStyle = colour
  context.fillStyle = colour
  const [start, ...others] = points
  if (!start) return
  if (lettering) {
    const size = lettering.height * scale
    if (size < 1.5) return
    context.save()
    context.translate(start[0] * scale, -start[1] * scale)
    context.rotate(-lettering.angle)
    context.font = `${size * 1.35}px 'Inter Variable', sans-serif`
    context.fillText(lettering.text, 0, 0)
    context.restore()
    return
  }
  context.beginPath()
  context.moveTo(start[0] * scale, -start[1] * scale)
  for (const [x, y] of others) context.lineTo(x * scale, -y * scale)
  if (isFilled) context.fill()
  else context.stroke()
}

/** Lines keep their width at every size. */
const pictureOfShapes = ({ shapes, box }: Shapes): Picture => {
  const [left, bottom, right, top] = box
  const size = Math.max(right - left, top - bottom) || 1
  const space = size * margin
  const perUnit = longSide / (size + 2 * space)
  const paint = async (part: Part, context: CanvasRenderingContext2D, signal: AbortSignal) => {
    const pause = pauser()
    const scale = perUnit / part.reduction
    const from = left - space + part.left / perUnit
    const upTo = top + space - part.top / perUnit
    const around = 4 / scale
    const seen: Box = [
      from - around,
      upTo - part.height / perUnit - around,
      from + part.width / perUnit + around,
      upTo + around,
    ]
    context.translate(-from * scale, upTo * scale)
    context.lineWidth = 1.2
    context.lineJoin = 'round'
    for (const [index, shape] of shapes.entries()) {
      if (isSeen(shape.box, seen)) drawShape(context, shape, scale)
      if (index % 500 === 0) await pause()
      if (signal.aborted) break
    }
    return true
  }
  return {
    width: (right - left + 2 * space) * perUnit,
    height: (top - bottom + 2 * space) * perUnit,
    enlarged: longSide / sheetSide,
    paint,
  }
}

const factsOf = ({ layers, units: unit, version }: Drawing, { box }: Shapes, language: string) => {
  const number = new Intl.NumberFormat(language, { maximumSignificantDigits: 5 })
  const sides = [box[2] - box[0], box[3] - box[1]].map((side) => number.format(side))
  return [
    { name: 'extent', value: `${sides.join(' × ')} ${units[unit] ?? ''}`.trim() },
    { name: 'layers', value: layers.size > 0 ? String(layers.size) : '' },
    { name: 'version', value: version === '' ? '' : `AutoCAD ${entryIn(versions, version) ?? version}` },
  ]
}

/** Drawings in DXF: lines, arcs, curves, fills and letters, seen from above. */
export const draw: Draw = async (content, stage) => {
  const { addFacts, note, say, language } = stage
  const drawing = readDxf(await readWhole(content, mostBytes))
  const shapes = shapesOf(drawing)
  addFacts(...factsOf(drawing, shapes, language))
  const off = [...drawing.layers.values()].filter(({ isOff }) => isOff).length
  if (off > 0) note(say.pictures.layersOff(off))
  if (shapes.missing.length > 0) note(say.pictures.notDrawn(shapes.missing.slice(0, 12).join(', ')))
  const picture = pictureOfShapes(shapes)
  const pictures = { name: content.name, count: 1, open: () => Promise.resolve(picture) }
  const controls = await showPictures(pictures, stage)
  const text = shapes.texts.join('\n')
  stage.root.append(element('p', { class: 'unseen' }, text.slice(0, mostRead)))
  controls.text = () => text
  return controls
}
