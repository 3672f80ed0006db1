import { setTimeout as pass } from 'node:timers/promises'

/** So long a page that is ready has this computer to itself: it draws its first rows. */
const drawingMs = 600
/** A page that does not come is waited for no longer. */
const longestMs = 5_000

/** Lets the page of a window that opens draw before anything else is begun. */
export const openPageFirst = () => {
  const ready = Promise.withResolvers<void>()
  return {
    /** The page is ready. */
    ready: ready.resolve,
    /** Waits until it has drawn, at most 5.6 s. */
    drawn: async (): Promise<void> => {
      await Promise.race([ready.promise, pass(longestMs, undefined, { ref: false })])
      await pass(drawingMs, undefined, { ref: false })
    },
  }
}
