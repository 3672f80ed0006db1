import { setImmediate as afterOthers } from 'node:timers/promises'
import type { JobKind } from '../contract/jobs.ts'
import type { DueJob } from '../store/desk/job-lists.ts'

/** How what is due of a kind goes to an archive. */
interface HowToSend {
  /** How many go at the same time at most. */
  most: number
  /**
   * Tries to send one, and keeps what comes of it.
   * @param isByHand a person sends it: it goes though it was to wait
   * @returns false where it does not go yet, and was left as it is
   */
  attempt: (id: string, isByHand: boolean) => Promise<boolean>
  /** One that a person sends, though it was to wait. */
  only?: string | undefined
}

/** What waits of a kind for an archive. */
interface Queue {
  /** Those that a person sends: they go first. */
  byHand: string[]
  /** What was due when it was looked at last, and has not had its turn. */
  due: string[]
  /** The last one of those: the next ones stand behind it. Undefined where all there were have been seen. */
  seen: DueJob | null | undefined
  /** What had its turn since somebody asked for what is due: it waits for the next time. */
  attempted: Set<string>
  /** Something may be due that was not when it was looked at last. */
  hasNews: boolean
  /** How many work at it; one that found nothing left is none from that moment on. */
  working: number
  workers: Set<Promise<void>>
}

/** So long the others wait for a queue at most. */
const longestTurnMs = 8

/**
 * The next few jobs of a kind that may go to an archive at a moment (ISO 8601), in the order of sending:
 * behind another, or from the first; none where there are no more.
 */
export type DueJobs = (archive: string, kind: JobKind, moment: string, after: DueJob | null) => DueJob[]

interface Parts {
  /** Whether something of an archive may go; what a person sends by hand goes though the queue is stopped. */
  mayGo: (archive: string, isByHand: boolean) => boolean
  dueJobs: DueJobs
  now: () => Date
  /** Hears of an error that no attempt kept. */
  report: (error: unknown) => void
}

const emptyQueue = (): Queue => ({
  byHand: [],
  due: [],
  seen: undefined,
  attempted: new Set(),
  hasNews: false,
  working: 0,
  workers: new Set(),
})

/**
 * Looks at the next jobs that are due, and from the first again where something may be due that was not.
 * @returns false where all have been seen, and there is no news
 */
const lookFurther = (
  { dueJobs, now }: Pick<Parts, 'dueJobs' | 'now'>,
  archive: string,
  kind: JobKind,
  queue: Queue,
): boolean => {
  if (queue.seen === undefined) {
    if (!queue.hasNews) return false
    queue.hasNews = false
    queue.seen = null
  }
  const found = dueJobs(archive, kind, now().toISOString(), queue.seen)
  queue.due = found.map(({ id }) => id).filter((id) => !queue.attempted.has(id))
  queue.seen = found.at(-1)
  return true
}

/** What waits of each kind for each archive, and who works at it. */
export const openQueues = (parts: Parts) => {
  const { mayGo, report } = parts
  const queues = new Map<string, Queue>()
  const queueOf = (archive: string, kind: JobKind): Queue => {
    const name = `${kind} ${archive}`
    const known = queues.get(name)
    if (known) return known
    const queue = emptyQueue()
    queues.set(name, queue)
    return queue
  }
  /** Attempts one after the other until nothing is left of a queue that may go. */
  const workThrough = async (archive: string, kind: JobKind, queue: Queue, attempt: HowToSend['attempt']) => {
    let turnEnds = performance.now() + longestTurnMs
    queue.working += 1
    try {
      for (;;) {
        if (performance.now() > turnEnds) {
          await afterOthers()
          turnEnds = performance.now() + longestTurnMs
        }
        const sent = queue.byHand.shift()
        if (sent !== undefined && mayGo(archive, true)) {
          queue.attempted.add(sent)
          queue.hasNews = (await attempt(sent, true)) || queue.hasNews
          continue
        }
        if (!mayGo(archive, false)) return
        if (queue.due.length === 0 && lookFurther(parts, archive, kind, queue)) continue
        const next = queue.due.shift()
        if (next === undefined) return
        if (queue.attempted.has(next)) continue
        queue.attempted.add(next)
        // One that does not go yet may go once another has gone.
        if (await attempt(next, false)) queue.hasNews = true
        else queue.attempted.delete(next)
      }
    } catch (error) {
      // A disk without space ends it, and the next one finds everything as it was.
      report(error)
    } finally {
      queue.working -= 1
    }
  }

  return {
    /**
     * Sends what is due of a kind to an archive, in the order of sending, each once; what becomes due while
     * that is done goes too.
     * @returns when nothing is left that may go
     */
    sendDue: async (archive: string, kind: JobKind, { most, attempt, only }: HowToSend): Promise<void> => {
      const queue = queueOf(archive, kind)
      queue.due = []
      queue.seen = undefined
      queue.hasNews = true
      if (only === undefined) queue.attempted.clear()
      else queue.byHand.push(only)
      for (let free = most - queue.working; free > 0; free -= 1) {
        const worker: Promise<void> = workThrough(archive, kind, queue, attempt).finally(() =>
          queue.workers.delete(worker),
        )
        queue.workers.add(worker)
      }
      await Promise.all(queue.workers)
    },
    /** Fulfilled when nobody works at any queue. */
    ended: () => Promise.allSettled([...queues.values()].flatMap(({ workers }) => [...workers])),
  }
}
