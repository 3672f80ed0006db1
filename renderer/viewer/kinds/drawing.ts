import { readWhole } from '../content.ts'
import { element } from '../element.ts'
import { Undrawable, type Draw } from '../kind.ts'
import { dimensionsFact } from '../formats/picture-facts.ts'
import type { Picture } from '../parts/picture.ts'
import { showPictures } from '../parts/picture-stage.ts'

/** Above this a drawing is no picture that somebody made, and would keep the computer busy for minutes. */
const mostElements = 200_000

/**
 * How many elements a drawing in SVG amounts to when everything that it uses again is counted again. Ten
 * groups that use each other ten times are ten thousand million elements in a kilobyte.
 * @returns Infinity for what uses itself
 */
const elementsOf = (drawing: Document): number => {
  const known = new Map<Element, number>()
  const open = new Set<Element>()
  const count = (element: Element): number => {
    const before = known.get(element)
    if (before !== undefined) return before
    if (open.has(element)) return Infinity
    open.add(element)
    let sum = 1
    for (const child of element.children) sum += count(child)
    const address = element.localName === 'use' ? hrefOf(element) : ''
    const used = address.startsWith('#') ? drawing.getElementById(address.slice(1)) : null
    if (used) sum += count(used)
    open.delete(element)
    known.set(element, sum)
    return sum
  }
  return count(drawing.documentElement)
}

const hrefOf = (element: Element) =>
  element.getAttribute('href') ?? element.getAttributeNS('http://www.w3.org/1999/xlink', 'href') ?? ''

const isLength = (written: string | null) => written !== null && /^\s*[\d.]+(?!.*%)/.test(written)

/**
 * The same drawing with a size, where it has none and says only which part of its plane it shows: Chromium
 * would take the size of what it is painted to, and cut it.
 */
const sized = (drawing: Document): string | undefined => {
  const root = drawing.documentElement
  const [, , width = NaN, height = NaN] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number)
  if (isLength(root.getAttribute('width')) && isLength(root.getAttribute('height'))) return undefined
  if (root.localName !== 'svg' || !(width > 0 && height > 0)) return undefined
  root.setAttribute('width', String(width))
  root.setAttribute('height', String(height))
  return new XMLSerializer().serializeToString(drawing)
}

/** Pixels on the longer side: as near as one can come to a drawing, which has none of its own. */
const longSide = 16_384

/** Painting is put off until somebody looks at the pixels. */
const paintNow = (context: CanvasRenderingContext2D) => {
  try {
    context.getImageData(0, 0, 1, 1)
  } catch {
    // Pixels of a drawing with HTML in it may be painted, but not read.
  }
}

/** Lines stay lines: each part is painted anew at the size at which it is seen. */
const pictureOfDrawing = (image: HTMLImageElement): Picture => {
  const [width, height] = [image.naturalWidth || 300, image.naturalHeight || 150]
  const enlarged = longSide / Math.max(width, height)
  return {
    width: Math.max(1, width * enlarged),
    height: Math.max(1, height * enlarged),
    enlarged,
    paint: ({ left, top, width: w, height: h }, context) => {
      const [x, y, across, down] = [left / enlarged, top / enlarged, w / enlarged, h / enlarged]
      context.drawImage(image, x, y, across, down, 0, 0, context.canvas.width, context.canvas.height)
      paintNow(context)
      return true
    },
  }
}

/**
 * A drawing in SVG becomes pixels in this process (a canvas that is to be read back is painted by the
 * processor), since what takes for ever to paint would else hold up the process that paints every window.
 */
export const draw: Draw = async (content, stage) => {
  const bytes = await readWhole(content, 32 * 1024 * 1024)
  const text = new TextDecoder().decode(bytes)
  // What is no XML is refused where it is drawn.
  const drawing = new DOMParser().parseFromString(text, 'image/svg+xml')
  if (elementsOf(drawing) > mostElements) throw new Undrawable('too complex')
  const address = URL.createObjectURL(new Blob([sized(drawing) ?? bytes], { type: 'image/svg+xml' }))
  stage.signal.addEventListener('abort', () => URL.revokeObjectURL(address))
  const image = element('img', { alt: '', src: address })
  await image.decode()
  const { naturalWidth, naturalHeight } = image
  stage.addFacts(dimensionsFact({ width: naturalWidth, height: naturalHeight }, stage))
  const picture = pictureOfDrawing(image)
  return showPictures({ name: content.name, count: 1, open: () => Promise.resolve(picture) }, stage)
}
