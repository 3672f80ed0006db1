import { Worker } from 'node:worker_threads'
import { background, toProcess } from '../common/background.ts'

/** A thread that rested for so long is ended: nothing stays where nothing happens. */
const longestRestMs = 5_000

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

/**
 * Threads that are kept for the next check, for those who check many packages: to begin a thread takes longer
 * than to check a small package. A thread that rests keeps no process from ending.
 */
export const keptThreads = (): CheckThreads => {
  const resting = new Map<Worker, { script: string; ending: NodeJS.Timeout }>()
  return {
    take: (script) => {
      for (const [thread, rest] of resting) {
        if (rest.script !== script.href) continue
        clearTimeout(rest.ending)
        resting.delete(thread)
        thread.ref()
        return thread
      }
      const thread = begin(script)
      thread.once('exit', () => resting.delete(thread))
      return thread
    },
    leave: (thread, script) => {
      thread.unref()
      const ending = setTimeout(() => {
        resting.delete(thread)
        background(thread.terminate(), toProcess)
      }, longestRestMs)
      ending.unref()
      resting.set(thread, { script: script.href, ending })
    },
  }
}
