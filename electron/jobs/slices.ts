import { setImmediate as afterOthers } from 'node:timers/promises'

/** So long the window waits for a walk at most. */
const longestSliceMs = 8

/**
 * Does something with each of many things, and lets others have their turn every few milliseconds.
 * @param isOver whether it is to end before all of them had their turn
 */
export const inSlices = async <T>(
  all: readonly T[],
  work: (one: T) => void,
  isOver: () => boolean,
): Promise<void> => {
  let ends = performance.now() + longestSliceMs
  for (const one of all) {
    if (performance.now() > ends) {
      await afterOthers()
      ends = performance.now() + longestSliceMs
      if (isOver()) return
    }
    work(one)
  }
}
