import type { Worker } from 'node:worker_threads'
import { background, toProcess } from './background.ts'

/** A thread that rested for so long is ended: nothing stays where nothing happens. */
const longestRestMs = 5_000

/**
 * Threads that are kept for the next work of their kind, since to begin one takes longer than much of it. One
 * that rests keeps no process from ending.
 * @param begin begins a thread
 */
export const openRestingThreads = (begin: () => Worker) => {
  const resting = new Map<Worker, NodeJS.Timeout>()
  const gone = new WeakSet<Worker>()
  return {
    take: (): Worker => {
      for (const [thread, ending] of resting) {
        clearTimeout(ending)
        resting.delete(thread)
        thread.ref()
        return thread
      }
      // Whoever waits for its word hears that it broke; after that it belongs to nobody.
      const thread = begin().on('error', () => undefined)
      return thread.once('exit', () => {
        gone.add(thread)
        clearTimeout(resting.get(thread))
        resting.delete(thread)
      })
    },
    /** Its work is done. */
    leave: (thread: Worker) => {
      // It can end after its last word: whoever took it then would wait for ever.
      if (gone.has(thread)) return
      thread.unref()
      const end = () => {
        resting.delete(thread)
        background(thread.terminate(), toProcess)
      }
      resting.set(thread, setTimeout(end, longestRestMs).unref())
    },
  }
}
