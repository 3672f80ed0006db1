import { inGroups } from './in-groups.ts'
import { openSlices } from '../common/slices.ts'

/** So many are entered before those who wait for it are told. */
const mostAtOnce = 32

/**
 * Enters what many ask for in as few transactions as they are, each of some 20 ms. Where one fails, each part
 * of it is entered in a transaction of its own: what is wrong with one is not told to another.
 * @param transaction does all of a work or nothing
 * @param pauseMs between two of them, where each waits for the disk
 */
export const enterInGroups = (transaction: (work: () => void) => void, pauseMs = 0) =>
  inGroups<() => void, void>(
    async (works) => {
      const settled: PromiseSettledResult<void>[] = []
      const enter = (work: () => void): PromiseSettledResult<void> => {
        try {
          transaction(work)
          return { status: 'fulfilled', value: undefined }
        } catch (error) {
          return { status: 'rejected', reason: error }
        }
      }
      const slices = openSlices()
      while (settled.length < works.length) {
        const rest = works.slice(settled.length)
        let tried = 0
        const outcome = enter(() => {
          for (const work of rest) {
            if (tried > 0 && slices.isOver()) return
            tried += 1
            work()
          }
        })
        // Where no transaction could be begun, none of them was tried, and none of them will be now.
        const group = tried === 0 ? rest : rest.slice(0, tried)
        if (outcome.status === 'fulfilled' || tried <= 1) settled.push(...group.map(() => outcome))
        else settled.push(...group.map(enter))
        if (settled.length < works.length) await slices.next()
      }
      return settled
    },
    mostAtOnce,
    pauseMs,
  )
