import { setImmediate as afterOthers } from 'node:timers/promises'

/** So long everything else waits at most where a window is among it. */
const windowSliceMs = 4
/** So long others wait at most elsewhere. */
const usualSliceMs = 20
/** So many things are put in order at once. */
const shortRun = 128

/**
 * Slices of the time of a thread: says when one is over, after which others have their turn.
 * @param sliceMs how long others wait at most
 */
export const openSlices = (sliceMs = usualSliceMs) => {
  let ends = performance.now() + sliceMs
  return {
    isOver: () => performance.now() > ends,
    /** Lets others have their turn, and begins the next one. */
    next: async () => {
      await afterOthers()
      ends = performance.now() + sliceMs
    },
  }
}
export type Slices = ReturnType<typeof openSlices>

/**
 * Does something with each of many things, and lets others have their turn every few milliseconds.
 * @param isOver whether it is to end before all of them had their turn
 */
export const inSlices = async <T>(
  all: readonly T[],
  work: (one: T) => void,
  isOver: () => boolean = () => false,
): Promise<void> => {
  const slices = openSlices(windowSliceMs)
  for (const one of all) {
    if (slices.isOver()) {
      await slices.next()
      if (isOver()) return
    }
    work(one)
  }
}

/**
 * The same things in order, put there while others have their turn every few milliseconds. What compares as
 * equal stays as it is.
 */
export const sortedInSlices = async <T extends object>(
  all: readonly T[],
  compare: (one: T, other: T) => number,
): Promise<T[]> => {
  const slices = openSlices(windowSliceMs)
  let runs: T[][] = []
  for (let at = 0; at < all.length; at += shortRun) {
    if (slices.isOver()) await slices.next()
    runs.push(all.slice(at, at + shortRun).sort(compare))
  }
  const merge = async (one: readonly T[], other: readonly T[]): Promise<T[]> => {
    const merged: T[] = []
    const end = one.length + other.length
    for (let [left, right] = [0, 0]; left + right < end;) {
      if (slices.isOver()) await slices.next()
      const [first, second] = [one[left], other[right]]
      const isSecond = second !== undefined && (first === undefined || compare(first, second) > 0)
      const taken = isSecond ? second : first
      if (taken === undefined) break
      merged.push(taken)
      if (isSecond) right += 1
      else left += 1
    }
    return merged
  }
  while (runs.length > 1) {
    const longer: T[][] = []
    for (let at = 0; at < runs.length; at += 2) longer.push(await merge(runs[at] ?? [], runs[at + 1] ?? []))
    runs = longer
  }
  return runs[0] ?? []
}
