import type { View } from '../messages.ts'

/** What scrolls in a drawing where that is not all of it carries this mark. */
export const scrollMark = { 'data-scrolls': '' }

const scrollerIn = (): Element =>
  document.querySelector('[data-scrolls]') ?? document.scrollingElement ?? document.documentElement

/**
 * How far a drawing is scrolled, for one beside it that is to follow: of every kind but pictures, which are
 * moved and not scrolled.
 * @param moved told where it stands whenever a person scrolls; what was asked for is not told
 */
export const openBoundScroll = (moved: (view: View) => void) => {
  let asked: { scroller: Element; top: number; left: number } | undefined
  const shareOf = (place: number, whole: number, seen: number) => (whole > seen ? place / (whole - seen) : 0)
  const scrolled = () => {
    const scroller = scrollerIn()
    const { scrollTop: top, scrollLeft: left } = scroller
    if (asked?.scroller === scroller && asked.top === top && asked.left === left) return
    asked = undefined
    moved({
      x: shareOf(left, scroller.scrollWidth, scroller.clientWidth),
      y: shareOf(top, scroller.scrollHeight, scroller.clientHeight),
      zoom: 1,
    })
  }
  return {
    /** Listens until the signal: also to what scrolls inside. */
    listen: (signal: AbortSignal) =>
      document.addEventListener(
        'scroll',
        ({ target }) => {
          if (target === document || target === scrollerIn()) scrolled()
        },
        { capture: true, passive: true, signal },
      ),
    move: ({ x, y }: View) => {
      const scroller = scrollerIn()
      scroller.scrollTo({
        top: y * (scroller.scrollHeight - scroller.clientHeight),
        left: x * (scroller.scrollWidth - scroller.clientWidth),
        behavior: 'instant',
      })
      asked = { scroller, top: scroller.scrollTop, left: scroller.scrollLeft }
    },
  }
}
