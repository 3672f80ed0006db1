import './virtual-rows.css'
import { element } from '../element.ts'
import { scrollMark, scrollsFinely } from './bound-scroll.ts'

/**
 * Chromium lays nothing out beyond some 33 million pixels: what is higher is scrolled through by share, so
 * that the scroll bar reaches every row and the wheel still goes row by row.
 */
const mostPixels = 8_000_000

interface Options {
  /** Pixels; every row has it. */
  rowHeight: number
  /** Pixels above the rows that stay while they scroll. */
  headHeight?: number
  /** Draws the rows that are seen: those from `first` up to, not including, `end`. */
  fill: (first: number, end: number) => void
  signal: AbortSignal
}

/** Rows of which only those that are seen are in the document. */
export interface VirtualRows {
  /** Scrolls. Takes the focus, so that its keys can be heard. */
  element: HTMLElement
  /** Stays where it is while the rows scroll; holds the head. */
  layer: HTMLElement
  /** Holds the rows that are seen. */
  body: HTMLElement
  setCount: (count: number) => void
  /** Draws the rows that are seen again. */
  refresh: () => void
  /** Scrolls to a row, so far as is needed to see it. `share` of the height is left above it. */
  reveal: (row: number, share?: number) => void
  /** Scrolls by pixels. */
  scrollBy: (pixels: number) => void
  /** Rows that are wholly seen. */
  seen: () => { first: number; count: number }
}

const parts = () => {
  const body = element('div', { class: 'rows-body', role: 'rowgroup' })
  const layer = element('div', { class: 'rows-layer', role: 'presentation' }, body)
  const space = element('div', { class: 'rows-space', role: 'presentation' })
  const scroller = element('div', { class: 'rows', tabindex: '0', ...scrollMark }, layer, space)
  return { body, layer, space, scroller }
}

/** Pixels of so many rows, and of what is seen of them. */
const measuresOf = (scroller: HTMLElement, rowHeight: number, headHeight: number, count: () => number) => {
  const viewHeight = () => Math.max(rowHeight, scroller.clientHeight - headHeight)
  const wholeHeight = () => count() * rowHeight
  return {
    viewHeight,
    /** So far down the rows can be moved. */
    highest: () => Math.max(0, wholeHeight() - viewHeight()),
    /** So far the scroll bar goes. */
    longest: () => Math.max(0, Math.min(mostPixels, wholeHeight()) - viewHeight()),
    isScaled: () => wholeHeight() > mostPixels,
  }
}

/** Moves for a person; whoever listens is told of less than a pixel of the scroll bar too. */
const goer =
  (scroller: HTMLElement, top: () => number, moveTo: (pixels: number) => void) => (pixels: number) => {
    const [topBefore, scrolledBefore] = [top(), scroller.scrollTop]
    moveTo(pixels)
    if (top() !== topBefore && scroller.scrollTop === scrolledBefore)
      scroller.dispatchEvent(new Event('scroll'))
  }

interface Wheeled {
  isScaled: () => boolean
  rowHeight: number
  wheeled: (pixels: number) => void
}
/** Has the wheel move rows by pixels where the scroll bar goes by shares of them. */
const listenToWheel = (scroller: HTMLElement, { isScaled, rowHeight, wheeled }: Wheeled) =>
  scroller.addEventListener(
    'wheel',
    (event) => {
      if (!isScaled() || event.deltaY === 0 || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      wheeled(event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? rowHeight : 1))
    },
    { passive: false },
  )

/** @see VirtualRows */
export const virtualRows = ({ rowHeight, headHeight = 0, fill, signal }: Options): VirtualRows => {
  const { body, layer, space, scroller } = parts()
  let count = 0
  /** Pixels of all rows above the first that is seen. */
  let top = 0
  let scrolledTo = 0

  const { viewHeight, highest, longest, isScaled } = measuresOf(scroller, rowHeight, headHeight, () => count)
  const draw = () => {
    const first = Math.floor(top / rowHeight)
    const end = Math.min(count, Math.ceil((top + viewHeight()) / rowHeight))
    body.style.transform = `translateY(${first * rowHeight - top}px)`
    fill(first, end)
  }
  const moveTo = (pixels: number) => {
    top = Math.min(highest(), Math.max(0, pixels))
    scroller.scrollTop = highest() === 0 ? 0 : (top / highest()) * longest()
    scrolledTo = scroller.scrollTop
    draw()
  }
  const go = goer(scroller, () => top, moveTo)
  /** Takes over where it was scrolled to, but from here: that is known better than by its share. */
  const follow = () => {
    // What is not laid out, since nobody sees it, is scrolled by nobody.
    if (scroller.clientHeight === 0 || scroller.scrollTop === scrolledTo) return false
    scrolledTo = scroller.scrollTop
    top = longest() === 0 ? 0 : Math.min(highest(), (scrolledTo / longest()) * highest())
    return true
  }
  const followed = () => {
    if (follow()) draw()
  }
  scrollsFinely(scroller, {
    share: () => {
      followed()
      return highest() === 0 ? 0 : top / highest()
    },
    goTo: (share) => moveTo(share * highest()),
  })
  const layOut = () => {
    // What was scrolled a moment ago is told of in the next frame.
    follow()
    layer.style.height = `${scroller.clientHeight}px`
    space.style.height = `${longest()}px`
    moveTo(top)
  }
  scroller.addEventListener('scroll', followed)
  const wheeled = (pixels: number) => go(top + pixels)
  listenToWheel(scroller, { isScaled, rowHeight, wheeled })
  const observer = new ResizeObserver(layOut)
  observer.observe(scroller)
  signal.addEventListener('abort', () => observer.disconnect())

  return {
    element: scroller,
    layer,
    body,
    setCount: (next) => {
      // Its share is one of the rows that there were.
      follow()
      count = next
      layOut()
    },
    refresh: draw,
    reveal: (row, share) => {
      const start = row * rowHeight
      if (share !== undefined) go(start - share * viewHeight())
      else if (start < top) go(start)
      else if (start + rowHeight > top + viewHeight()) go(start + rowHeight - viewHeight())
    },
    scrollBy: (pixels) => go(top + pixels),
    seen: () => ({
      first: Math.ceil(top / rowHeight),
      count: Math.max(1, Math.floor(viewHeight() / rowHeight)),
    }),
  }
}
