import './virtual-rows.css'
import { element } from '../element.ts'
import { scrollMark } from './bound-scroll.ts'

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

/** @see VirtualRows */
export const virtualRows = ({ rowHeight, headHeight = 0, fill, signal }: Options): VirtualRows => {
  const body = element('div', { class: 'rows-body', role: 'rowgroup' })
  const layer = element('div', { class: 'rows-layer', role: 'presentation' }, body)
  const space = element('div', { class: 'rows-space', role: 'presentation' })
  const scroller = element('div', { class: 'rows', tabindex: '0', ...scrollMark }, layer, space)
  let count = 0
  /** Pixels of all rows above the first that is seen. */
  let top = 0
  let scrolledTo = 0

  const viewHeight = () => Math.max(rowHeight, scroller.clientHeight - headHeight)
  const wholeHeight = () => count * rowHeight
  const highest = () => Math.max(0, wholeHeight() - viewHeight())
  const longest = () => Math.max(0, Math.min(mostPixels, wholeHeight()) - viewHeight())
  const isScaled = () => wholeHeight() > mostPixels

  const draw = () => {
    const first = Math.floor(top / rowHeight)
    const end = Math.min(count, Math.ceil((top + viewHeight()) / rowHeight))
    body.style.transform = `translateY(${first * rowHeight - top}px)`
    fill(first, end)
  }
  const scrollTopOf = (pixels: number) => (highest() === 0 ? 0 : (pixels / highest()) * longest())
  const moveTo = (pixels: number) => {
    top = Math.min(highest(), Math.max(0, pixels))
    scroller.scrollTop = scrollTopOf(top)
    scrolledTo = scroller.scrollTop
    draw()
  }
  /** Takes over where it was scrolled to, but from here: that is known better than by its share. */
  const follow = () => {
    // What is not laid out, since nobody sees it, is scrolled by nobody.
    if (scroller.clientHeight === 0 || scroller.scrollTop === scrolledTo) return false
    scrolledTo = scroller.scrollTop
    top = longest() === 0 ? 0 : Math.min(highest(), (scrolledTo / longest()) * highest())
    return true
  }
  const layOut = () => {
    // What was scrolled a moment ago is told of in the next frame.
    follow()
    layer.style.height = `${scroller.clientHeight}px`
    space.style.height = `${longest()}px`
    moveTo(top)
  }
  scroller.addEventListener('scroll', () => {
    if (follow()) draw()
  })
  scroller.addEventListener(
    'wheel',
    (event) => {
      if (!isScaled() || event.deltaY === 0 || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      moveTo(top + event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? rowHeight : 1))
    },
    { passive: false },
  )
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
      if (share !== undefined) moveTo(start - share * viewHeight())
      else if (start < top) moveTo(start)
      else if (start + rowHeight > top + viewHeight()) moveTo(start + rowHeight - viewHeight())
    },
    scrollBy: (pixels) => moveTo(top + pixels),
    seen: () => ({
      first: Math.ceil(top / rowHeight),
      count: Math.max(1, Math.floor(viewHeight() / rowHeight)),
    }),
  }
}
