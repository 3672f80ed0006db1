import type { BrowserContext, Page } from 'playwright'

/** Something that was seen where it was not a moment before, though nobody had done anything. */
interface Shift {
  /** What moved: what it is, and its first words. */
  what: string
  /** By so many pixels to the right and down, and so much larger. */
  right: number
  down: number
  wider: number
  higher: number
  /** Milliseconds since the page was begun to be loaded. */
  at: number
  address: string
  /** It stands where the page tells what goes on in the archive. */
  tellsWork: boolean
}

/** Runs in the page, before anything of its own. */
const observe = () => {
  /**
   * What happens so soon after something was done, or after the page was loaded, is an answer to that.
   * Chromium allows half a second (`hadRecentInput`, https://wicg.github.io/layout-instability/), which an
   * archive that shares a computer with other work does not always keep to.
   */
  const answersWithinMs = 1_000
  /** By less than this nobody sees anything move. */
  const leastPixels = 1
  const watched = window as unknown as { isWatched?: boolean; tellShift: (shift: Shift) => void }
  if (window !== window.top || watched.isWatched === true) return
  watched.isWatched = true
  let done = performance.now()
  // A journey puts text into fields and goes to addresses without a key.
  for (const type of ['pointerdown', 'keydown', 'click', 'input', 'change', 'hashchange'])
    addEventListener(type, ({ timeStamp }) => (done = timeStamp), { capture: true })
  /**
   * An archive is being read, or something is done that was ordered: what comes of it has to find its place,
   * however long it takes.
   */
  const busy = 'header [role=status][aria-busy=true], button[aria-busy=true]'
  let isAnswering = false
  new MutationObserver((changes) => {
    // Words of another language are longer or shorter.
    if (changes.some(({ attributeName }) => attributeName === 'lang')) done = performance.now()
    const isBusy = document.querySelector(busy) !== null
    if (isAnswering && !isBusy) done = performance.now()
    isAnswering = isBusy
    // A header that has just come may be busy already, and a button that was pressed may go with its answer.
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['aria-busy', 'lang'] })
  const elementOf = (node: Node | null) => (node instanceof Element ? node : (node?.parentElement ?? null))
  /**
   * The main column of the Desk and what stands last on a package's page tell what goes on in the archive:
   * what ends goes away there, and what begins comes. In a narrow window the Desk's other column stands below
   * that.
   */
  const ofWork = () =>
    `${matchMedia('(max-width: 1100px)').matches ? '.desk > .column' : '.desk > div.column'}, ` +
    `.record .making, .record .work, .record .state`
  const tellsWork = (node: Node | null) => (elementOf(node)?.closest(ofWork()) ?? null) !== null
  const whatIs = (node: Node | null) => {
    const element = elementOf(node)
    if (!element) return 'something that is gone'
    const nameOf = (one: Element) =>
      [one.localName, ...[...one.classList].filter((name) => !name.startsWith('svelte-'))].join('.')
    const words = (element.textContent ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 40)
    const above = element.parentElement ? `${nameOf(element.parentElement)} > ` : ''
    return `${above}${nameOf(element)} “${words}”`
  }
  new PerformanceObserver((list) => {
    // TypeScript does not know this kind of entry: https://wicg.github.io/layout-instability/
    for (const { hadRecentInput, startTime, sources } of list.getEntries() as unknown as {
      hadRecentInput: boolean
      startTime: number
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
    }[]) {
      if (hadRecentInput || isAnswering || Math.abs(startTime - done) < answersWithinMs) continue
      for (const { node, previousRect, currentRect } of sources) {
        const shift = {
          what: whatIs(node),
          right: Math.round(currentRect.x - previousRect.x),
          down: Math.round(currentRect.y - previousRect.y),
          wider: Math.round(currentRect.width - previousRect.width),
          higher: Math.round(currentRect.height - previousRect.height),
          at: Math.round(startTime),
          address: location.hash,
          tellsWork: tellsWork(node),
        }
        // What ends where it ended, as a number at the right edge does, is longer or shorter.
        const isBeside = Math.abs(shift.right) >= leastPixels
        const endsBeside = Math.abs(shift.right + shift.wider) >= leastPixels
        if ((isBeside && endsBeside) || Math.abs(shift.down) >= leastPixels) watched.tellShift(shift)
      }
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

const sentence = ({ what, right, down, wider, higher, at, address }: Shift) =>
  `${what} moved by ${right} px to the right and ${down} px down (${wider} px wider, ${higher} px higher), ` +
  `${at} ms after the page was loaded, at ${address === '' ? 'its start' : address}`

/**
 * The page of a place moves as a whole where the one line comes or goes that says above it that the archive
 * is not reached: it is to be seen, on whatever page one is.
 */
const isWholePlace = ({ what }: Shift) => what.startsWith('div.place > ')

const moved: string[] = []

/** What moved by itself on pages that are watched, as sentences; asking begins anew. */
export const takeShifts = (): string[] => moved.splice(0)

/**
 * Watches every page of an app, whenever it is opened or loaded again, for what moves by itself.
 * @param first the page that is there already; what moved on it before is told too
 */
export const watchShifts = async (pages: BrowserContext, first: Page): Promise<void> => {
  await pages.exposeFunction('tellShift', (shift: Shift) => {
    if (!isWholePlace(shift) && !shift.tellsWork) moved.push(sentence(shift))
  })
  await pages.addInitScript(observe)
  await first.evaluate(observe)
}
