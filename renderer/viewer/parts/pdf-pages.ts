import './pdf-pages.css'
import { TextLayer, type PDFDocumentProxy, type PDFPageProxy, type RenderTask } from 'pdfjs-dist'
import { element } from '../element.ts'
import { scrollMark } from './bound-scroll.ts'
import type { Stage } from '../kind.ts'
import { markRanges, rangesOf, revealRange } from './marked-ranges.ts'
import { linksOf } from './pdf-links.ts'

/** CSS pixels for a point. */
const cssPixels = 96 / 72
/** Chromium lays nothing out beyond some 33 million pixels. */
const mostHeight = 30_000_000
/** Pixels of a page that is drawn: more of them are no sharper on any screen. */
const mostPixels = 16_000_000
const margin = 16
const [smallest, largest, step] = [0.1, 8, 1.25]

/** A page that is in view, or nearly. */
interface Drawing {
  page: PDFPageProxy
  task: RenderTask | undefined
  text: HTMLElement
}

/** Pages of a PDF below one another, of which those near the view are drawn and no others. */
export class PdfPages {
  readonly element: HTMLElement
  readonly #pdf: PDFDocumentProxy
  readonly #stage: Stage
  readonly #boxes: HTMLElement[]
  readonly #observer: IntersectionObserver
  /** Width and height of the first page in points: what others have until they are known. */
  readonly #first: { width: number; height: number }
  readonly #near = new Set<number>()
  readonly #drawings = new Map<number, Promise<Drawing>>()
  #isDrawing = false
  #scale: number | 'fit' | 'whole' = 'fit'
  #rotation = 0
  #number = 1
  #words = ''
  #shown: { page: number; place: number } | undefined

  constructor(pdf: PDFDocumentProxy, first: { width: number; height: number }, stage: Stage) {
    this.#pdf = pdf
    this.#first = first
    this.#stage = stage
    const { say } = stage
    this.#boxes = Array.from({ length: pdf.numPages }, (_, index) =>
      element('section', {
        class: 'pdf-page',
        'data-page': String(index + 1),
        'aria-label': say.pageOf(index + 1, pdf.numPages),
      }),
    )
    this.element = element('div', { class: 'pdf-pages', tabindex: '0', ...scrollMark }, ...this.#boxes)
    this.#observer = new IntersectionObserver((entries) => this.#moved(entries), {
      root: this.element,
      rootMargin: '100% 0px',
    })
    const resized = new ResizeObserver(() => {
      this.#layOut()
      // Pages without a size would all be in view.
      for (const box of this.#boxes) this.#observer.observe(box)
    })
    stage.signal.addEventListener('abort', () => {
      this.#observer.disconnect()
      resized.disconnect()
    })
    this.element.addEventListener('scroll', () => this.#scrolled())
    resized.observe(this.element)
  }

  get number() {
    return this.#number
  }

  /** Degrees by which the pages are turned to the right. */
  get rotation() {
    return this.#rotation
  }

  goTo(number: number) {
    const wanted = Math.max(1, Math.min(this.#boxes.length, Math.round(number)))
    this.#boxes[wanted - 1]?.scrollIntoView({ block: 'start' })
    this.#number = wanted
    this.#tell()
  }

  zoom(to: 'in' | 'out' | 'fit' | 'whole') {
    const wanted = to === 'in' ? this.#factor() * step : to === 'out' ? this.#factor() / step : to
    this.#scale = typeof wanted === 'number' ? Math.min(largest, Math.max(smallest, wanted)) : wanted
    this.#layOut()
    this.#redraw()
  }

  rotate() {
    this.#rotation = (this.#rotation + 90) % 360
    for (const box of this.#boxes) box.removeAttribute('style')
    this.#layOut()
    this.#redraw()
  }

  /** Marks words on the pages that are drawn, and on those that will be. */
  mark(words: string) {
    this.#words = words
    this.#shown = undefined
    this.#markDrawn().catch(reportError)
  }

  /** Goes to where words stand for the `place`th time on a page. */
  async reveal(page: number, place: number) {
    this.#shown = { page, place }
    if (page !== this.#number) this.goTo(page)
    this.#near.add(page)
    await this.#draw(page)
    await this.#markDrawn()
    const drawing = await this.#drawings.get(page)
    const range = drawing && rangesOf(drawing.text, this.#words)[place]
    if (range) revealRange(range)
  }

  /** Screen pixels for each CSS pixel of a page. */
  #factor() {
    if (typeof this.#scale === 'number') return this.#scale
    const isTurned = this.#rotation % 180 !== 0
    const { width, height } = this.#first
    const across = (this.element.clientWidth - 2 * margin) / ((isTurned ? height : width) * cssPixels)
    const down = (this.element.clientHeight - 2 * margin) / ((isTurned ? width : height) * cssPixels)
    const fitting = this.#scale === 'fit' ? Math.min(across, 2) : Math.min(across, down)
    return Math.max(smallest, fitting)
  }

  #pixelsOf({ width, height }: { width: number; height: number }) {
    const most = mostHeight / (this.#boxes.length * this.#first.height)
    const scale = Math.min(most, this.#factor() * cssPixels)
    const isTurned = this.#rotation % 180 !== 0
    return { scale, width: (isTurned ? height : width) * scale, height: (isTurned ? width : height) * scale }
  }

  /** Gives every page its size, and stays at the place where one was. */
  #layOut() {
    const box = this.#boxes[this.#number - 1]
    const share =
      box && box.offsetHeight > 0 ? (this.element.scrollTop - box.offsetTop) / box.offsetHeight : 0
    const { width, height } = this.#pixelsOf(this.#first)
    this.element.style.setProperty('--page-width', `${width}px`)
    this.element.style.setProperty('--page-height', `${height}px`)
    if (box) this.element.scrollTop = box.offsetTop + share * box.offsetHeight
    this.#tell()
  }

  #tell() {
    const page = { number: this.#number, of: this.#boxes.length }
    this.#stage.stands({ page, zoom: Math.round(this.#factor() * 100) })
  }

  #scrolled() {
    const { left, top, width, height } = this.element.getBoundingClientRect()
    const seen = document.elementFromPoint(left + width / 2, top + height / 3)?.closest('.pdf-page')
    const number = seen instanceof HTMLElement ? Number(seen.dataset['page']) : this.#number
    if (number === this.#number) return
    this.#number = number
    this.#tell()
  }

  #moved(entries: IntersectionObserverEntry[]) {
    for (const { target, isIntersecting } of entries) {
      if (!(target instanceof HTMLElement)) continue
      const number = Number(target.dataset['page'])
      if (isIntersecting) this.#near.add(number)
      else this.#leave(number)
    }
    this.#drawNear().catch(reportError)
  }

  /** Draws the pages near the view, one after the other, the nearest first. */
  async #drawNear() {
    if (this.#isDrawing) return
    this.#isDrawing = true
    for (;;) {
      const distance = (number: number) => Math.abs(number - this.#number)
      const [next] = [...this.#near]
        .filter((number) => !this.#drawings.has(number))
        .toSorted((a, b) => distance(a) - distance(b))
      if (next === undefined || this.#stage.signal.aborted) break
      await this.#draw(next).then(
        ({ task }) => task?.promise.catch(() => {}),
        () => {},
      )
    }
    this.#isDrawing = false
  }

  #leave(number: number) {
    this.#near.delete(number)
    const drawing = this.#drawings.get(number)
    if (!drawing) return
    this.#drawings.delete(number)
    this.#boxes[number - 1]?.replaceChildren()
    drawing.then(
      ({ task, page }) => {
        task?.cancel()
        page.cleanup()
      },
      () => {},
    )
  }

  #redraw() {
    for (const number of this.#near) {
      const before = this.#drawings.get(number)
      this.#drawings.delete(number)
      before?.then(
        ({ task }) => task?.cancel(),
        () => {},
      )
    }
    this.#drawNear().catch(reportError)
  }

  #draw(number: number): Promise<Drawing> {
    const before = this.#drawings.get(number)
    if (before) return before
    const drawing = this.#drawPage(number)
    this.#drawings.set(number, drawing)
    drawing
      .then(({ task }) => task?.promise)
      .catch((error: unknown) => {
        if (
          this.#stage.signal.aborted ||
          (error instanceof Error && error.name === 'RenderingCancelledException')
        )
          return
        this.#boxes[number - 1]?.replaceChildren(element('p', {}, this.#stage.say.pageUnreadable))
      })
    return drawing
  }

  async #drawPage(number: number): Promise<Drawing> {
    const page = await this.#pdf.getPage(number)
    const box = this.#boxes[number - 1]
    const text = element('div', { class: 'textLayer' })
    if (!box || !this.#near.has(number)) return { page, task: undefined, text }
    const plain = page.getViewport({ scale: 1 })
    const { scale, width, height } = this.#pixelsOf(plain)
    const isLikeFirst =
      Math.abs(plain.width - this.#first.width) < 1 && Math.abs(plain.height - this.#first.height) < 1
    box.style.width = isLikeFirst ? '' : `${width}px`
    box.style.height = isLikeFirst ? '' : `${height}px`
    box.style.setProperty('--total-scale-factor', String(scale))
    const viewport = page.getViewport({ scale, rotation: page.rotate + this.#rotation })
    const sharpness = Math.min(devicePixelRatio, Math.sqrt(mostPixels / (viewport.width * viewport.height)))
    const canvas = element('canvas', { 'aria-hidden': 'true' })
    canvas.width = Math.max(1, Math.floor(viewport.width * sharpness))
    canvas.height = Math.max(1, Math.floor(viewport.height * sharpness))
    const transform = [sharpness, 0, 0, sharpness, 0, 0]
    const task = page.render({ canvas, viewport, transform })
    task.promise.then(
      () => box.querySelector('canvas.before')?.remove(),
      () => {},
    )
    const [before] = box.getElementsByTagName('canvas')
    before?.classList.add('before')
    box.replaceChildren(...(before ? [before] : []), canvas, text)
    await new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport }).render()
    box.append(...(await linksOf(this.#pdf, page, viewport, this.#stage.say, (to) => this.goTo(to))))
    if (this.#words !== '') this.#markDrawn().catch(reportError)
    return { page, task, text }
  }

  async #markDrawn() {
    const all: Range[] = []
    let shown: Range | undefined
    for (const [number, drawing] of this.#words === '' ? [] : this.#drawings) {
      const ranges = rangesOf((await drawing).text, this.#words)
      all.push(...ranges)
      if (this.#shown?.page === number) shown = ranges[this.#shown.place]
    }
    markRanges(all, shown)
  }
}
