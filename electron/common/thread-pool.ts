import type { Worker } from 'node:worker_threads'
import { background, toProcess } from './background.ts'

/** A thread that was idle for so long is ended: nothing stays where nothing happens. */
const idleTimeoutMs = 5_000

/**
 * Threads that are kept for the next work of their kind, since to begin one takes longer than much of it. One
 * that is idle keeps no process from ending.
 * @param begin begins a thread
 */
export const openThreadPool = (begin: () => Worker) => {
  const idle = new Map<Worker, NodeJS.Timeout>()
  const gone = new WeakSet<Worker>()
  return {
    /** Gives an idle thread, or a new one. Whoever takes it gives it back with `release`, or ends it. */
    take: (): Worker => {
      // The one that worked last, so that one too many ends although others are taken.
      const [thread, ending] = [...idle].at(-1) ?? []
      if (thread) {
        clearTimeout(ending)
        idle.delete(thread)
        thread.ref()
        return thread
      }
      // Whoever waits for its word hears that it broke; after that it belongs to nobody.
      const begun = begin().on('error', () => undefined)
      return begun.once('exit', () => {
        gone.add(begun)
        clearTimeout(idle.get(begun))
        idle.delete(begun)
      })
    },
    /** Its work is done: it is kept for the next, and ended once it was idle for five seconds. */
    release: (thread: Worker) => {
      // It can end after its last word: whoever took it then would wait for ever.
      if (gone.has(thread)) return
      thread.unref()
      const end = () => {
        idle.delete(thread)
        background(thread.terminate(), toProcess)
      }
      idle.set(thread, setTimeout(end, idleTimeoutMs).unref())
    },
  }
}
