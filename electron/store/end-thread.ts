import { once } from 'node:events'
import { setTimeout as pass } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'

const patienceMs = 1_000

/** What a thread is told before it ends. */
export const farewell = 'end'

/**
 * Ends a thread that works on a database: it is asked to go between two of its steps, since one that is cut off inside SQLite can take
 * the whole process with it. One that does not listen is cut off all the same.
 */
export const endThread = async (worker: Worker | undefined): Promise<void> => {
  if (!worker) return
  const gone = once(worker, 'exit').catch(() => undefined)
  worker.postMessage(farewell)
  await Promise.race([gone, pass(patienceMs, undefined, { ref: false })])
  await worker.terminate()
}
