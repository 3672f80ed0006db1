/** Longer than this nobody waits at a time: whoever is always asked for rows would starve the counts. */
const mostMs = 10_000
const lookAgainMs = 100

/**
 * Waits in this thread while another one is asked for rows, and goes on after some seconds all the same.
 * @param asked how many questions that one has; shared with whoever counts them
 */
export const yieldToRows = (asked: Int32Array): void => {
  const until = performance.now() + mostMs
  let waiting = Atomics.load(asked, 0)
  while (waiting > 0 && performance.now() < until) {
    Atomics.wait(asked, 0, waiting, lookAgainMs)
    waiting = Atomics.load(asked, 0)
  }
}
