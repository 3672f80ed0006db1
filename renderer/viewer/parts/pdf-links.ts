import type { PageViewport, PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import { element } from '../element.ts'
import type { ViewerWords } from '../../language/viewer.en.ts'

/** More links on a page are left out. */
const mostLinks = 500

interface Link {
  rect: number[]
  /** A place in the document: its name, or a page and where on it. */
  dest?: string | unknown[]
  /** An address elsewhere, which is said and not gone to. */
  unsafeUrl?: string
}

const isLink = (annotation: unknown): annotation is Link =>
  typeof annotation === 'object' &&
  annotation !== null &&
  'subtype' in annotation &&
  annotation.subtype === 'Link' &&
  'rect' in annotation &&
  Array.isArray(annotation.rect)

/** The page that a link leads to; undefined where there is none. */
const pageOf = async (pdf: PDFDocumentProxy, dest: string | unknown[]) => {
  const place: unknown[] | null = typeof dest === 'string' ? await pdf.getDestination(dest) : dest
  const target = place?.[0]
  if (typeof target === 'number') return target + 1
  if (typeof target !== 'object' || target === null || !('num' in target) || !('gen' in target))
    return undefined
  const { num, gen } = target
  if (typeof num !== 'number' || typeof gen !== 'number') return undefined
  return (await pdf.getPageIndex({ num, gen })) + 1
}

/** The links of a page: those within the document as buttons, the others as the address that they have. */
export const linksOf = async (
  pdf: PDFDocumentProxy,
  page: PDFPageProxy,
  viewport: PageViewport,
  say: ViewerWords,
  goTo: (page: number) => void,
): Promise<HTMLElement[]> => {
  const annotations: unknown[] = await page.getAnnotations()
  return annotations
    .filter(isLink)
    .slice(0, mostLinks)
    .flatMap(({ rect, dest, unsafeUrl }) => {
      if (!dest && !unsafeUrl) return []
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = viewport.convertToViewportRectangle(rect).map(Number)
      const link = dest
        ? element('button', { class: 'pdf-link', type: 'button', 'aria-label': say.linkInside })
        : element('span', { class: 'pdf-link', title: String(unsafeUrl).slice(0, 500) })
      Object.assign(link.style, {
        left: `${Math.min(x1, x2)}px`,
        top: `${Math.min(y1, y2)}px`,
        width: `${Math.abs(x2 - x1)}px`,
        height: `${Math.abs(y2 - y1)}px`,
      })
      if (dest)
        link.addEventListener('click', () => {
          pageOf(pdf, dest).then((number) => {
            if (number !== undefined) goTo(number)
          }, reportError)
        })
      return [link]
    })
}
