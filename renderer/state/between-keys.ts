/** Keys that follow each other within this time are of one movement. */
const movementMs = 150

let pressedAt = -Infinity
let waiting: (() => void)[] = []

const goOn = () => {
  const all = waiting
  waiting = []
  for (const next of all) next()
}

addEventListener(
  'keydown',
  () => {
    pressedAt = performance.now()
    // What the key does is on screen then, and the next one is as far away as it can be.
    if (waiting.length > 0) requestAnimationFrame(() => setTimeout(goOn))
  },
  { capture: true },
)

/**
 * Waits for a moment at which no key waits for the page: now where none was pressed lately; else once the
 * next one is drawn, or none came. What nobody asked for is drawn then.
 */
export const betweenKeys = (): Promise<void> =>
  performance.now() - pressedAt > movementMs
    ? Promise.resolve()
    : new Promise((next) => {
        waiting.push(next)
        setTimeout(goOn, movementMs)
      })
