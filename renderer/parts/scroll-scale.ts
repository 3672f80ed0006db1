/**
 * Chromium lays nothing out beyond 33 554 428 pixels of the device: of what is higher, lists are scrolled
 * through by share, so that their bar reaches every row. In CSS pixels, for scales of up to 4.
 */
const mostPixels = 8_000_000

/** Where a list is scrolled to, whose rows may be higher together than what can be laid out. */
export interface ScrollScale {
  isScaled: boolean
  /** The pixels of the rows above what is seen at the very end. */
  lastTop: number
  /** Pixels that are laid out for all rows. */
  laidOut: number
  /** The pixels of the rows above what is seen, at a place of the scroll bar; and the way back. */
  topAt: (scrollTop: number) => number
  scrollTopAt: (top: number) => number
}

/**
 * @param whole pixels of all rows
 * @param view pixels of what is seen of them
 */
export const scrollScale = (whole: number, view: number): ScrollScale => {
  const laidOut = Math.min(whole, mostPixels)
  const lastTop = Math.max(0, whole - view)
  const lastScrollTop = Math.max(0, laidOut - view)
  const isScaled = whole > laidOut
  const within = (top: number) => Math.min(lastTop, Math.max(0, top))
  return {
    isScaled,
    lastTop,
    laidOut,
    topAt: (scrollTop) => {
      if (!isScaled) return scrollTop
      // The end of the bar is rounded to pixels of the device; it is the end of the rows all the same.
      return scrollTop > lastScrollTop - 1 ? lastTop : within((scrollTop / lastScrollTop) * lastTop)
    },
    scrollTopAt: (top) => (isScaled ? (within(top) / lastTop) * lastScrollTop : top),
  }
}

/**
 * Hears how far the wheel would scroll an element, in CSS pixels, which then does not scroll by itself.
 * @returns ends it
 */
export const hearWheel = (element: HTMLElement, scroll: (pixels: number) => void): (() => void) => {
  const wheeled = (event: WheelEvent) => {
    if (event.deltaY === 0 || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    scroll(event.deltaY)
  }
  // Only while it is asked for: whoever may refuse a wheel makes the browser wait for it.
  element.addEventListener('wheel', wheeled, { passive: false })
  return () => element.removeEventListener('wheel', wheeled)
}
