import { once } from 'node:events'
import { setTimeout as pass } from 'node:timers/promises'
import { Worker, type ResourceLimits } from 'node:worker_threads'

/** How long a thread that is asked to end may take, before it is cut off. */
const longestEndMs = 1_000

/** What a thread is told to end. */
export const endMessage = 'end'
/** What a thread is told that was asked nothing for a while: it ends, unless it has work to go on with. */
export const endIfIdleMessage = 'end if idle'

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
  /** It was told to end if it is idle, is not, and goes on. */
  | { kind: 'not idle' }

/** The thread was closed while somebody waited for its answer. */
export class ThreadClosed extends Error {}

interface Parts<Event> {
  /** What it does, for the error that says that it ended: "reads lists". */
  task: string
  script: URL
  workerData?: unknown
  resourceLimits: ResourceLimits
  /**
   * Asked nothing for so long, and with nothing to go on with, it ends and gives its memory back. Left out
   * where it stays.
   */
  idleTimeoutMs?: number | undefined
  /** Hears what it says without being asked. */
  heard?: (event: Event) => void
  /** It ended by itself. @returns what those are told who wait for it */
  ended?: (error: Error) => Error
}

/** Those who wait for an answer, by the ids of their requests. */
const openWaiting = <Event>(heard: Parts<Event>['heard']) => {
  const waiting = new Map<number, { answer: (value: unknown) => void; fail: (error: Error) => void }>()
  let last = 0
  const take = (id: number) => {
    const asker = waiting.get(id)
    waiting.delete(id)
    return asker
  }
  return {
    isAnyone: () => waiting.size > 0,
    /** @returns the id of the request */
    add: (answer: (value: unknown) => void, fail: (error: Error) => void): number => {
      last += 1
      waiting.set(last, { answer, fail })
      return last
    },
    /** Does what a request needs. @throws what went wrong, where nobody waits who could be told */
    attempt: (id: number | null, work: () => void) => {
      try {
        work()
      } catch (error) {
        const asker = id === null ? undefined : take(id)
        if (!asker) throw error
        asker.fail(error instanceof Error ? error : new Error(String(error)))
      }
    },
    failAll: (error: Error) => {
      for (const { fail } of waiting.values()) fail(error)
      waiting.clear()
    },
    hear: (reply: Exclude<Reply<Event>, { kind: 'not idle' }>) => {
      if (reply.kind === 'event') return heard?.(reply.event)
      const asker = take(reply.id)
      if (reply.kind === 'answer') asker?.answer(reply.value)
      else asker?.fail(new Error(reply.message))
    },
  }
}

/** Waits for what a thread does of its own accord, and not for ever. */
const withinBound = (over: Promise<unknown>) =>
  Promise.race([over, pass(longestEndMs, undefined, { ref: false })])

/** Asks a thread to end between two of its steps; one that does not listen is cut off. */
const endThread = async (worker: Worker): Promise<void> => {
  const gone = once(worker, 'exit').catch(() => undefined)
  worker.postMessage(endMessage)
  await withinBound(gone)
  await worker.terminate()
}

/**
 * Tells a thread to end if it is idle, and keeps what is asked of it meanwhile: until it says that it goes
 * on, or is gone, nobody knows whether it would still hear of it.
 */
const openIdleEnd = <Body>() => {
  let pending: { asked: Request<Body>[]; settled: PromiseWithResolvers<void> } | undefined
  return {
    begin: (worker: Worker) => {
      pending = { asked: [], settled: Promise.withResolvers() }
      worker.postMessage(endIfIdleMessage)
    },
    isPending: () => pending !== undefined,
    settled: async (): Promise<void> => pending?.settled.promise,
    keep: (request: Request<Body>) => void pending?.asked.push(request),
    /** @returns what was asked meanwhile */
    settle: (): Request<Body>[] => {
      const asked = pending?.asked ?? []
      pending?.settled.resolve()
      pending = undefined
      return asked
    },
  }
}

/** Starts a thread: the program goes on until it ended. @param over hears once or twice that it did */
const startThread = <Event>(
  { task, script, workerData, resourceLimits }: Parts<Event>,
  heard: (reply: Reply<Event>) => void,
  over: (error: Error, isBroken: boolean) => void,
): Worker =>
  new Worker(script, { name: task, workerData, resourceLimits })
    .on('message', heard)
    .on('error', (error) => over(error instanceof Error ? error : new Error(String(error)), true))
    .on('exit', (code) => over(new Error(`The thread that ${task} ended (${code}).`), code !== 0))

/**
 * A thread that answers requests. It is started by the first one; where it breaks, everyone who waits is
 * told, and the next request starts it anew.
 * @param Body what it is asked
 * @param Event what it says without being asked
 */
export const openRequestThread = <Body, Event = never>(parts: Parts<Event>) => {
  const { idleTimeoutMs, ended = (error) => error } = parts
  const waiting = openWaiting(parts.heard)
  let thread: Worker | undefined
  const idleEnd = openIdleEnd<Body>()
  let isClosed = false
  // One that was closed is not started again: nobody would close it then.
  const send = (request: Request<Body>) =>
    waiting.attempt(request.id, () => {
      if (isClosed) throw new ThreadClosed()
      idleTimer?.refresh()
      if (idleEnd.isPending()) return idleEnd.keep(request)
      thread ??= start()
      thread.postMessage(request)
    })
  /** It is not idle, or is gone: what it was asked meanwhile is asked now. */
  const goOn = () => {
    const asked = idleEnd.settle()
    if (!isClosed) asked.forEach(send)
  }
  const start = () => {
    /** Whatever ended it: nobody waits for an answer that nothing is left to give. */
    const over = (error: Error, isBroken: boolean) => {
      if (thread !== worker) return
      thread = undefined
      if (isClosed) waiting.failAll(new ThreadClosed())
      else if (!idleEnd.isPending()) waiting.failAll(ended(error))
      else if (isBroken) ended(error)
      goOn()
    }
    const heard = (reply: Reply<Event>) => {
      idleTimer?.refresh()
      if (reply.kind === 'not idle') goOn()
      else waiting.hear(reply)
    }
    const worker = startThread(parts, heard, over)
    return worker
  }
  const endIfIdle = () => {
    if (thread && !waiting.isAnyone() && !idleEnd.isPending()) idleEnd.begin(thread)
  }
  const idleTimer = idleTimeoutMs === undefined ? undefined : setTimeout(endIfIdle, idleTimeoutMs).unref()
  return {
    isRunning: () => thread !== undefined,
    /** Waits until one that was told to end if it is idle is gone, or goes on. */
    settled: idleEnd.settled,
    /** Starts it before it is asked, so that its first answer comes sooner. */
    begin: () => {
      idleTimer?.refresh()
      if (!isClosed) thread ??= start()
    },
    /**
     * Asks for an answer, whose type the caller knows by what was asked.
     * @throws Error what went wrong in the thread; what `ended` made of its end; ThreadClosed while it is
     * closed, and from then on
     */
    request: (body: Body): Promise<unknown> =>
      new Promise((answer, fail) => send({ id: waiting.add(answer, fail), body })),
    /** Tells it something that nobody waits for. */
    post: (body: Body) => {
      if (!isClosed) send({ id: null, body })
    },
    /** Cuts it off where it is, for one that works on no database: everyone who waits is told. */
    terminate: async () => {
      idleEnd.settle()
      await thread?.terminate()
    },
    /**
     * Ends it: it is asked to end between two of its steps, since one that is cut off inside SQLite can take
     * the whole process with it. One that does not listen is cut off all the same.
     */
    close: async (): Promise<void> => {
      clearTimeout(idleTimer)
      // What it was told before it had ended or gone on is done before.
      if (idleEnd.isPending()) await withinBound(idleEnd.settled())
      isClosed = true
      if (thread) await endThread(thread)
    },
  }
}
