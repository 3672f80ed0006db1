/**
 * Lets so many at once do something; others wait in their order.
 * @returns what waits for a place, and then gives what leaves it, once or more often
 */
export const semaphore = (places: number) => {
  const waiting: (() => void)[] = []
  let free = places
  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((begin) => waiting.push(begin))
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
