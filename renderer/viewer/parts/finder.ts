import type { Standing } from '../messages.ts'

interface Options<Place> {
  /** All places where the words stand, in their order, some at a time, so that others get their turn. */
  scan: (words: string, signal: AbortSignal) => AsyncIterable<Place[]>
  /** Whether a place comes after the beginning of what is seen now. */
  isAhead: (place: Place) => boolean
  show: (place: Place, words: string) => void
  /** Marks what is seen, as soon as the words are known; nothing for empty ones. */
  mark: (words: string) => void
  stands: (standing: Standing) => void
  signal: AbortSignal
}

/** More places than anybody steps through are not kept. */
const mostPlaces = 100_000

/**
 * Goes from one place where words stand to the next, while they are still looked for: the first one is shown
 * when it is found, and how many there are is told at the end, or that not all could be looked through.
 */
export const finderOf = <Place>({ scan, isAhead, show, mark, stands, signal }: Options<Place>) => {
  let words = ''
  let places: Place[] = []
  let shown = -1
  let isOver = true
  let hasFailed = false
  let leaving = new AbortController()
  let grown = Promise.withResolvers<void>()

  const tell = () =>
    stands({ found: { number: shown + 1, of: isOver ? places.length : null, isIncomplete: hasFailed } })
  const collect = async (looked: AbortController) => {
    try {
      for await (const found of scan(words, looked.signal)) {
        if (looked.signal.aborted) return
        for (const place of found.slice(0, mostPlaces - places.length)) places.push(place)
        grown.resolve()
        grown = Promise.withResolvers()
        if (places.length >= mostPlaces) break
      }
    } catch (error) {
      hasFailed = !looked.signal.aborted
      throw error
    } finally {
      if (!looked.signal.aborted) {
        isOver = true
        grown.resolve()
        if (shown >= 0 || places.length === 0) tell()
      }
    }
  }
  const begin = (next: string) => {
    leaving.abort()
    leaving = new AbortController()
    words = next
    places = []
    shown = -1
    isOver = false
    hasFailed = false
    mark(words)
    collect(leaving).catch(reportError)
  }
  const placeAfter = (isBackwards: boolean): number | undefined => {
    if (shown >= 0) {
      const next = shown + (isBackwards ? -1 : 1)
      if (next >= 0 && next < places.length) return next
      return isOver ? (next + places.length) % places.length : undefined
    }
    const ahead = places.findIndex(isAhead)
    if (ahead >= 0) return ahead
    return isOver && places.length > 0 ? 0 : undefined
  }
  signal.addEventListener('abort', () => leaving.abort())

  /** Looks for other words, or goes on to the next place of the same. */
  return async (text: string, isBackwards: boolean) => {
    if (text === '') {
      leaving.abort()
      words = ''
      mark('')
      return
    }
    const isWorthAnotherTry = hasFailed && places.length === 0
    if (text !== words || isWorthAnotherTry) begin(text)
    const looked = leaving
    let next = placeAfter(isBackwards)
    while (next === undefined && !isOver && !looked.signal.aborted) {
      tell()
      await Promise.race([grown.promise, aborted(looked.signal)])
      next = placeAfter(isBackwards)
    }
    const place = next === undefined ? undefined : places[next]
    if (looked.signal.aborted) return
    if (next !== undefined && place !== undefined) {
      shown = next
      show(place, words)
    }
    tell()
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }))
