import type { View } from '../messages.ts'

/** What scrolls in a drawing where that is not all of it carries this mark. */
export const scrollMark = { 'data-scrolls': '' }

/** What is scrolled by parts of a pixel: its pixels say too little of where it is. */
interface FineScroll {
  /** From 0 to 1 of its way down. */
  share: () => number
  goTo: (share: number) => void
}
const fineScrolls = new WeakMap<Element, FineScroll>()
/** Has an element be asked for its place by what is bound to it, and not its pixels. */
export const scrollsFinely = (scroller: Element, fine: FineScroll) => void fineScrolls.set(scroller, fine)

const scrollerIn = (): Element =>
  document.querySelector('[data-scrolls]') ?? document.scrollingElement ?? document.documentElement

/**
 * How far a drawing is scrolled, for one beside it that is to follow: of every kind but pictures, which are
 * moved and not scrolled.
 * @param moved told where it stands whenever a person scrolls; what was asked for is not told
 */
export const openBoundScroll = (moved: (view: View) => void) => {
  let asked: { scroller: Element; top: number; left: number } | undefined
  const topOf = (scroller: Element) => fineScrolls.get(scroller)?.share() ?? scroller.scrollTop
  const shareOf = (place: number, whole: number, seen: number) => (whole > seen ? place / (whole - seen) : 0)
  const scrolled = () => {
    const scroller = scrollerIn()
    const [top, left] = [topOf(scroller), scroller.scrollLeft]
    if (asked?.scroller === scroller && asked.top === top && asked.left === left) return
    asked = undefined
    moved({
      x: shareOf(left, scroller.scrollWidth, scroller.clientWidth),
      y: fineScrolls.has(scroller) ? top : shareOf(top, scroller.scrollHeight, scroller.clientHeight),
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
      const fine = fineScrolls.get(scroller)
      fine?.goTo(y)
      scroller.scrollTo({
        ...(fine ? {} : { top: y * (scroller.scrollHeight - scroller.clientHeight) }),
        left: x * (scroller.scrollWidth - scroller.clientWidth),
        behavior: 'instant',
      })
      asked = { scroller, top: topOf(scroller), left: scroller.scrollLeft }
    },
  }
}
