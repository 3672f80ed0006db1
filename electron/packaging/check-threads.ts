import { Worker } from 'node:worker_threads'
import { openThreadPool } from '../common/thread-pool.ts'

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
  release: (thread: Worker, script: URL) => unknown
}

/** A thread for each check. */
export const freshThreads: CheckThreads = { take: begin, release: (thread) => thread.terminate() }

/** Threads that are kept for the next check, for those who check many packages. */
export const pooledThreads = (): CheckThreads => {
  const pools = new Map<string, ReturnType<typeof openThreadPool>>()
  const of = (script: URL) => {
    const pool = pools.get(script.href) ?? openThreadPool(() => begin(script))
    pools.set(script.href, pool)
    return pool
  }
  return {
    take: (script) => of(script).take(),
    release: (thread, script) => of(script).release(thread),
  }
}
