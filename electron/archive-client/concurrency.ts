/** So many answers are waited for at the same time at most: others work with the archive meanwhile. */
const mostAtOnce = 4
/** An answer that takes so much longer than its like is a sign that the archive is busy. */
const busyRatio = 1.5
/** The shortest time is forgotten by and by, since rows of one list differ. */
const forgetting = 1.02

export type Concurrency = ReturnType<typeof openConcurrency>

/**
 * How many requests for pages an archive bears at the same time: one more after each round of answers as
 * quick as before, half as many where they take longer (additive increase, multiplicative decrease, as in
 * RFC 5681 3.1).
 */
export const openConcurrency = (clock: () => number = () => performance.now()) => {
  let width = 2
  let underWay = 0
  /** Answers that were asked for before the width was halved last say nothing of the new one. */
  let former = 0
  const waiting: (() => void)[] = []
  /** By what was asked for: the shortest time that it took, in milliseconds. */
  const shortest = new Map<string, number>()

  const admit = () => {
    while (underWay < Math.floor(width) && waiting.length > 0) {
      underWay += 1
      waiting.shift()?.()
    }
  }
  const slowDown = () => {
    if (former > 0) return
    width = Math.max(1, width / 2)
    former = underWay
  }
  const note = (what: string, tookMs: number) => {
    const best = Math.min(tookMs, (shortest.get(what) ?? Infinity) * forgetting)
    shortest.set(what, best)
    if (tookMs > busyRatio * best) slowDown()
    else width = Math.min(mostAtOnce, width + 1 / width)
  }
  return {
    /**
     * Asks when the turn comes.
     * @param what a name for pages of one list and one length: these take as long as each other
     * @returns what came, and how long it took
     */
    run: async <T>(what: string, ask: () => Promise<T>): Promise<{ came: T; tookMs: number }> => {
      await new Promise<void>((go) => {
        waiting.push(go)
        admit()
      })
      const began = clock()
      let came: { came: T; tookMs: number } | undefined
      try {
        came = { came: await ask(), tookMs: clock() - began }
        return came
      } finally {
        underWay -= 1
        former = Math.max(0, former - 1)
        if (came) note(what, came.tookMs)
        else slowDown()
        admit()
      }
    },
    /** How many are asked at the same time now. */
    width: () => Math.floor(width),
  }
}
