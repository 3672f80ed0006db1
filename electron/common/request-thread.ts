import { once } from 'node:events'
import { setTimeout as pass } from 'node:timers/promises'
import { Worker, type ResourceLimits } from 'node:worker_threads'
import { background, toProcess } from './background.ts'

const patienceMs = 1_000

/** What a thread is told before it ends. */
export const farewell = 'end'

/** What a thread is asked; without an id, nobody waits for an answer. */
export interface Request<Body> {
  id: number | null
  body: Body
}
/** What a thread says: an answer, or an event of its own accord. */
export type Reply<Event> =
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failure'; id: number; message: string }
  | { kind: 'event'; event: Event }

/** The thread was closed while somebody waited for its answer. */
export class ThreadClosed extends Error {}

interface Parts<Event> {
  /** What it does, for the error that says that it ended: "reads lists". */
  task: string
  script: URL
  workerData?: unknown
  resourceLimits: ResourceLimits
  /**
   * Asked nothing for so long it ends, and gives its memory back: for one that does nothing but answer. Left
   * out where it stays.
   */
  idleMs?: number | undefined
  /** Hears what it says without being asked. */
  heard?: (event: Event) => void
  /** It ended by itself. @returns what those are told who wait for it */
  ended?: (error: Error) => Error
}

/** Those who wait for an answer, by the ids of their requests. */
const openWaiting = <Event>(heard: Parts<Event>['heard']) => {
  const waiting = new Map<number, { answer: (value: unknown) => void; fail: (error: Error) => void }>()
  return {
    waiting,
    failAll: (error: Error) => {
      for (const { fail } of waiting.values()) fail(error)
      waiting.clear()
    },
    hear: (reply: Reply<Event>) => {
      if (reply.kind === 'event') return heard?.(reply.event)
      const asker = waiting.get(reply.id)
      waiting.delete(reply.id)
      if (reply.kind === 'answer') asker?.answer(reply.value)
      else asker?.fail(new Error(reply.message))
    },
  }
}

/** Threads that were asked to go between two of their steps; one that does not listen is cut off. */
const openFarewells = () => {
  const leaving = new Set<Promise<unknown>>()
  return {
    say: async (worker: Worker): Promise<void> => {
      const gone = once(worker, 'exit').catch(() => undefined)
      worker.postMessage(farewell)
      const ending = Promise.race([gone, pass(patienceMs, undefined, { ref: false })]).then(() =>
        worker.terminate(),
      )
      leaving.add(ending)
      await ending
      leaving.delete(ending)
    },
    /** Waits until all of them are gone. */
    over: async (): Promise<void> => void (await Promise.all(leaving)),
  }
}

/**
 * A thread that answers requests. It is started by the first one, and keeps no program from ending; where it
 * breaks, everyone who waits is told, and the next request starts it anew.
 * @param Body what it is asked
 * @param Event what it says without being asked
 */
export const openRequestThread = <Body, Event = never>({
  task,
  script,
  workerData,
  resourceLimits,
  idleMs,
  heard,
  ended = (error) => error,
}: Parts<Event>) => {
  const { waiting, failAll, hear } = openWaiting(heard)
  let thread: Worker | undefined
  const farewells = openFarewells()
  let last = 0
  let isClosed = false
  const start = () => {
    const worker = new Worker(script, { name: task, workerData, resourceLimits })
    worker.unref()
    /** Whatever ended it: nobody waits for an answer that nothing is left to give. */
    const over = (error: Error) => {
      if (thread !== worker) return
      thread = undefined
      failAll(isClosed ? new ThreadClosed() : ended(error))
    }
    worker.on('message', hear)
    worker.on('message', () => idle?.refresh())
    worker.on('error', (error) => over(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', (code) => over(new Error(`The thread that ${task} ended (${code}).`)))
    return worker
  }
  const rest = () => {
    if (!thread || waiting.size > 0) return
    background(farewells.say(thread), toProcess)
    thread = undefined
  }
  const idle = idleMs === undefined ? undefined : setTimeout(rest, idleMs).unref()
  // One that was closed is not started again: nobody would close it then.
  const send = (request: Request<Body>) => {
    if (isClosed) throw new ThreadClosed()
    thread ??= start()
    thread.postMessage(request)
    idle?.refresh()
  }

  return {
    isRunning: () => thread !== undefined,
    /** Waits until those are gone that ended because nobody asked them. */
    rested: farewells.over,
    /** Starts it before it is asked, so that its first answer comes sooner. */
    begin: () => {
      if (!isClosed) thread ??= start()
    },
    /**
     * Asks for an answer, whose type the caller knows by what was asked.
     * @throws Error what went wrong in the thread; what `ended` made of its end; ThreadClosed while it is
     * closed, and from then on
     */
    request: (body: Body): Promise<unknown> =>
      new Promise((answer, fail) => {
        last += 1
        send({ id: last, body })
        waiting.set(last, { answer, fail })
      }),
    /** Tells it something that nobody waits for. */
    post: (body: Body) => {
      if (!isClosed) send({ id: null, body })
    },
    /** Cuts it off where it is, for one that works on no database: everyone who waits is told. */
    terminate: async () => void (await thread?.terminate()),
    /**
     * Ends it: it is asked to go between two of its steps, since one that is cut off inside SQLite can take
     * the whole process with it. One that does not listen is cut off all the same.
     */
    close: async (): Promise<void> => {
      isClosed = true
      clearTimeout(idle)
      if (thread) background(farewells.say(thread), toProcess)
      await farewells.over()
    },
  }
}
