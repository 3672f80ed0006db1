/**
 * Lets so many at once do something; others wait in their order.
 * @returns what waits for a place, and then gives what leaves it, once or more often
 */
const semaphore = (places: number) => {
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

/**
 * The same, of which each lets the next one begin when it has left or lasted for so long: many that are short
 * take one place after the other, and those that are long do not wait for each other.
 * @param afterMs in milliseconds
 */
export const staggered = (places: number, afterMs: number) => {
  const begin = semaphore(places)
  const beginNext = semaphore(1)
  return async () => {
    const leave = await begin()
    const letNext = await beginNext()
    const lasting = setTimeout(letNext, afterMs)
    return () => {
      clearTimeout(lasting)
      letNext()
      leave()
    }
  }
}
