import { getDocument } from 'unpdf/pdfjs'
import { element } from '../element.ts'
import { readWhole } from '../content.ts'
import type { Draw } from '../kind.ts'

const mostPages = 50

/** Pages of a PDF as pictures. */
export const draw: Draw = async (content, { root, addFacts, signal }) => {
  const data = await readWhole(content)
  const pdf = await getDocument({ data, useSystemFonts: true, disableFontFace: true }).promise
  addFacts({ name: 'pages', value: String(pdf.numPages) })
  for (let number = 1; number <= Math.min(mostPages, pdf.numPages) && !signal.aborted; number += 1) {
    const page = await pdf.getPage(number)
    const viewport = page.getViewport({ scale: 1.5 })
    const canvas = element('canvas', { role: 'img', 'aria-label': String(number) })
    canvas.width = viewport.width
    canvas.height = viewport.height
    const context = canvas.getContext('2d')
    if (!context) throw new Error('No canvas')
    await page.render({ canvas, canvasContext: context, viewport }).promise
    root.append(canvas)
  }
  return {}
}
