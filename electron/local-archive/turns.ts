import { setImmediate as nextTurn } from 'node:timers/promises'

const longestTurnMs = 20

/**
 * Lets others have their turn in the middle of long work, whenever it has lasted 20 ms since the last time.
 */
export const takeTurns = () => {
  let began = performance.now()
  return {
    isDue: () => performance.now() - began >= longestTurnMs,
    give: async () => {
      await nextTurn()
      began = performance.now()
    },
  }
}
