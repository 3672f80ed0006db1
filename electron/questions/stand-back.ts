/** Longer than this nobody stands back at a time: whoever is always asked would starve the others. */
const mostMs = 10_000
const lookAgainMs = 100

/**
 * Waits in this thread while others are asked something, and goes on after some seconds all the same.
 * @param asked how many questions they have; shared with whoever counts them
 */
export const standBack = (asked: Int32Array): void => {
  const until = performance.now() + mostMs
  let waiting = Atomics.load(asked, 0)
  while (waiting > 0 && performance.now() < until) {
    Atomics.wait(asked, 0, waiting, lookAgainMs)
    waiting = Atomics.load(asked, 0)
  }
}
