import { announcement } from '../state/announce.svelte.ts'
import { failureOf } from '../state/command.svelte.ts'
import type * as Places from './places.ts'

/** So long after the window opened nobody waits for its first page any more. */
const drawnMs = 1_000

/**
 * The code of the places that the window hardly ever opens with: it comes once the first page is drawn, or as
 * soon as somebody goes there.
 */
class LazyPlaces {
  places = $state.raw<typeof Places>()
  #isComing = false

  /** Sees to it that it comes; where that fails, the next who goes there tries again. */
  fetch = (): void => {
    if (this.#isComing) return
    this.#isComing = true
    import('./places.ts').then(
      (places) => (this.places = places),
      (error: unknown) => {
        this.#isComing = false
        reportError(error)
        announcement.fail(failureOf(error))
      },
    )
  }

  /** Fetches it in a while. @returns ends that */
  start = (): (() => void) => {
    const timer = setTimeout(this.fetch, drawnMs)
    return () => clearTimeout(timer)
  }
}

export const lazyPlaces = new LazyPlaces()
