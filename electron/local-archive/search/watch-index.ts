import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database.ts'
import { indexSlice } from './index-records.ts'

const betweenLooksMs = 1_000

/**
 * Enters into the search what waits for it, slice by slice, and lets others have their turn between two of
 * them. Each slice is a transaction: what a killed process had not entered waits still.
 * @returns how to stop
 */
export const watchIndex = (database: Database) => {
  const stop = new AbortController()
  const isWaiting = database.sqlite.prepare(
    'select exists (select 1 from indexing) or exists (select 1 from placing) as waits',
  )
  let said = ''
  const workOff = async () => {
    while (isWaiting.get()?.['waits'] === 1 && !stop.signal.aborted) {
      database.transaction(() => indexSlice(database))
      await nextTurn()
    }
  }
  const run = async () => {
    while (!stop.signal.aborted) {
      try {
        await workOff()
        said = ''
      } catch (error) {
        // A full disk, for instance; it is logged when it begins and not at each look.
        if (said !== String(error)) console.error('The search cannot be told what is new:', error)
        said = String(error)
      }
      await pause(betweenLooksMs, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  }
  const running = run()
  return async () => {
    stop.abort()
    await running
  }
}
