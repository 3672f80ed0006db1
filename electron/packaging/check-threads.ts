import { Worker } from 'node:worker_threads'
import { openRestingThreads } from '../common/resting-threads.ts'

/** Begins a thread that checks one package after the other. */
const begin = (script: URL) =>
  new Worker(script, {
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 96 },
    // Whoever waits for its word hears that it broke; after that it belongs to no check.
  }).on('error', () => undefined)

/** Where a check takes a thread, and what becomes of the thread once it has reported. */
export interface CheckThreads {
  take: (script: URL) => Worker
  leave: (thread: Worker, script: URL) => unknown
}

/** A thread for each check. */
export const freshThreads: CheckThreads = { take: begin, leave: (thread) => thread.terminate() }

/** Threads that are kept for the next check, for those who check many packages. */
export const keptThreads = (): CheckThreads => {
  const kept = new Map<string, ReturnType<typeof openRestingThreads>>()
  const of = (script: URL) => {
    const threads = kept.get(script.href) ?? openRestingThreads(() => begin(script))
    kept.set(script.href, threads)
    return threads
  }
  return {
    take: (script) => of(script).take(),
    leave: (thread, script) => of(script).leave(thread),
  }
}
