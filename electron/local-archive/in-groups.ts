import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { background, toProcess } from '../common/background.ts'

/**
 * Does for many at once what each of them asks for: whoever comes while it is done for others waits for the
 * next time. So one that comes alone waits for nobody, and of many each costs little.
 * @param work says of each what became of it, in their order; what it throws is told to all of them
 * @param most so many at once
 * @param pauseMs between two times, so that more of them come in between
 */
export const inGroups = <Item, Result>(
  work: (items: Item[]) => Promise<PromiseSettledResult<Result>[]>,
  most: number,
  pauseMs = 0,
) => {
  const waiting: { item: Item; done: (result: Result) => void; failed: (error: unknown) => void }[] = []
  let isWorking = false
  let over = -Infinity

  const workOff = async () => {
    isWorking = true
    while (waiting.length > 0) {
      const leftMs = over + pauseMs - performance.now()
      // Those who come in the same turn are done for at once too.
      await (leftMs > 0 ? pause(leftMs) : nextTurn())
      const group = waiting.splice(0, most)
      const [settled] = await Promise.allSettled([work(group.map(({ item }) => item))])
      group.forEach(({ done, failed }, index) => {
        const result = settled.status === 'fulfilled' ? settled.value[index] : settled
        if (result?.status === 'fulfilled') done(result.value)
        else failed(result?.reason ?? new Error('Nothing is known of it.'))
      })
      over = performance.now()
    }
    isWorking = false
  }

  return (item: Item) =>
    new Promise<Result>((done, failed) => {
      waiting.push({ item, done, failed })
      if (!isWorking) background(workOff(), toProcess)
    })
}
