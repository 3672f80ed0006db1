import type { PDFDocumentProxy } from 'pdfjs-dist'
import { contentOf, type Content } from '../content.ts'
import { openPdf, paperOf, statedOf } from '../formats/pdf.ts'
import { onExceeded } from '../formats/pdf-bounds.ts'
import type { Draw } from '../kind.ts'
import { attachmentsOf } from '../parts/attachments.ts'
import { finderOf } from '../parts/finder.ts'
import { placesOf } from '../parts/marked-ranges.ts'
import { pause } from '../parts/pause.ts'
import { PdfPages } from '../parts/pdf-pages.ts'
import { openCanvas } from '../parts/picture.ts'
import { smallOf } from '../parts/small-picture.ts'

/** So much text is given to be copied at most. */
const mostText = 16_000_000

/** The text of a page, in the order in which it stands in the file. */
const textOfPage = async (pdf: PDFDocumentProxy, number: number) => {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent()
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
}

/** A page as it is printed: what is not seen is not painted in time otherwise. */
const paintPage = async (
  pdf: PDFDocumentProxy,
  { number, rotation }: Pick<PdfPages, 'number' | 'rotation'>,
  side: number,
): Promise<HTMLCanvasElement> => {
  const page = await pdf.getPage(number)
  const { width, height } = page.getViewport({ scale: 1 })
  const scale = side / Math.max(width, height)
  const viewport = page.getViewport({ scale, rotation: page.rotate + rotation })
  const { canvas } = openCanvas(
    Math.max(1, Math.floor(viewport.width)),
    Math.max(1, Math.floor(viewport.height)),
  )
  await page.render({ canvas, viewport, intent: 'print' }).promise
  return canvas
}

/** Where words stand, page by page. */
async function* placesIn(pdf: PDFDocumentProxy, words: string, signal: AbortSignal) {
  for (let page = 1; page <= pdf.numPages && !signal.aborted; page += 1) {
    const text = await textOfPage(pdf, page).catch(() => '')
    const found = placesOf(text, words)
    yield found.map((_, place) => ({ page, place }))
    await pause()
  }
}

const filesIn = async (pdf: PDFDocumentProxy): Promise<Content[]> => {
  const files: unknown = await pdf.getAttachments().catch(() => null)
  if (typeof files !== 'object' || files === null) return []
  return Object.values(files).flatMap((file: unknown) => {
    if (typeof file !== 'object' || file === null || !('filename' in file) || !('content' in file)) return []
    const { filename, content } = file
    if (typeof filename !== 'string' || !(content instanceof Uint8Array)) return []
    return [contentOf(filename, new Uint8Array(content))]
  })
}

/** A PDF page by page, of which only the pages near the view are read and drawn. */
export const draw: Draw = async (content, stage) => {
  const { root, addFacts, note, say, signal } = stage
  let isSaid = false
  onExceeded(() => {
    if (!isSaid) note(say.pageTooMuch)
    isSaid = true
  })
  const pdf = await openPdf(content, signal)
  const first = (await pdf.getPage(1)).getViewport({ scale: 1 })
  const pages = new PdfPages(pdf, first, stage)
  root.classList.add('filled')
  root.append(pages.element)
  // Its tools come at once with the page and the size at which it stands.
  pages.zoom('fit')
  const stated = await statedOf(pdf)
  addFacts(
    ...stated,
    { name: 'pages', value: String(pdf.numPages) },
    { name: 'pageSize', value: paperOf(first.width, first.height) },
  )
  filesIn(pdf).then((files) => {
    if (files.length > 0 && !signal.aborted) root.prepend(attachmentsOf(files, stage))
  }, reportError)
  const find = finderOf<{ page: number; place: number }>({
    scan: (words, ended) => placesIn(pdf, words, ended),
    isAhead: ({ page }) => page >= pages.number,
    show: ({ page, place }) => {
      pages.reveal(page, place).catch(reportError)
    },
    mark: (words) => pages.mark(words),
    stands: (standing) => stage.stands(standing),
    signal,
  })
  return {
    zoom: (to) => pages.zoom(to),
    rotate: () => pages.rotate(),
    goToPage: (number) => pages.goTo(number),
    find,
    small: async (side, page = pages.number) => {
      const number = Math.min(pdf.numPages, Math.max(1, page))
      return smallOf(await paintPage(pdf, { number, rotation: pages.rotation }, side), side)
    },
    text: async () => {
      let text = ''
      for (let page = 1; page <= pdf.numPages && text.length < mostText; page += 1)
        // A page whose text cannot be read takes that of no other.
        text += `${await textOfPage(pdf, page).catch(() => '')}\n\n`
      return text.slice(0, mostText)
    },
  }
}
