import { failureOf, type Failure } from '../contract/failure.ts'
import { leftIn, type JobKind, type JobStates } from '../contract/jobs.ts'
import { isDueAt, nextAttempt, type Wait } from './delays.ts'
import { openQueues, type DueJobs } from './queues.ts'

interface Parts {
  /** Whether a person has stopped everything that goes to an archive by itself. */
  isPaused: (archive: string) => boolean
  /** Jobs that may go to an archive; whether each does, its kind knows. */
  dueJobs: DueJobs
  now: () => Date
  /** From 0 to 1: how much a wait is lengthened, so that desks do not all come at once. */
  random: () => number
  /** Writes an unexpected error to the log and gives the reference a person can quote. */
  reportBug: (error: unknown) => string
}

/** What a kind does with a job. */
export interface Work {
  /** Done before `run` is, and at once: what it throws reaches whoever began the job. */
  begin?: () => void
  /**
   * The signal is aborted where a person stops the job, and with the reason "quit" where the program ends.
   */
  run: (signal: AbortSignal) => Promise<void>
  /** Called when nothing is being done with the job any more, however that ended. */
  ended?: () => void
}

interface Running {
  stop: AbortController
  ended: Promise<void>
}

/**
 * What is the same for jobs of every kind: each is worked at once at most, can be stopped, and is waited for
 * when the program ends; those that are due go in the order of sending, so many at the same time; what failed
 * is tried again later each time, as late as the archive asks; a queue that a person stopped sends only what
 * is sent by hand. What a job is and does, its kind knows.
 */
export const openEngine = ({ isPaused, dueJobs, now, random, reportBug }: Parts) => {
  const running = new Map<string, Running>()
  let isStopped = false

  const perform = async (id: string, work: Work) => {
    const stop = new AbortController()
    const ended = Promise.withResolvers<void>()
    running.set(id, { stop, ended: ended.promise })
    try {
      work.begin?.()
      await work.run(stop.signal)
    } finally {
      running.delete(id)
      ended.resolve()
      work.ended?.()
    }
  }
  /** An error that could not even be kept: what is left half done is found by the next look. */
  const report = (error: unknown) => void failureOf(error, reportBug)
  /**
   * Whether something of an archive may go; what a person sends by hand goes though the queue is stopped.
   */
  const mayGo = (archive: string, isByHand: boolean) => !isStopped && (isByHand || !isPaused(archive))

  const queues = openQueues({ mayGo, dueJobs, now, report })
  return {
    isRunning: (id: string) => running.has(id),
    /** The jobs that are being worked at. */
    running: (): string[] => [...running.keys()],
    /** Whether the program ends: nothing more is begun. */
    isStopped: () => isStopped,
    /** Whether anything of an archive goes by itself. */
    mayGo: (archive: string): boolean => mayGo(archive, false),
    /** The state of a job as it is now: one that says that it is worked at, and is not, was left. */
    stateOf: <Kind extends JobKind>(kind: Kind, job: { id: string; state: JobStates[Kind] }) =>
      running.has(job.id) ? job.state : leftIn(kind, job.state),
    /**
     * Works at a job, where nobody does yet and the program does not end.
     * @returns when that is over
     * @throws what `begin` throws; errors of `run` are for its kind to keep, what is left of them is told
     */
    run: (id: string, work: Work): Promise<void> => {
      if (isStopped || running.has(id)) return Promise.resolve()
      const refused: unknown[] = []
      const begin = () => {
        try {
          work.begin?.()
        } catch (error) {
          refused.push(error)
          throw error
        }
      }
      const over = perform(id, { ...work, begin }).catch((error: unknown) => {
        if (!refused.includes(error)) report(error)
      })
      if (refused.length > 0) throw refused[0]
      return over
    },
    /** The same for whoever waits for it: errors of the work are theirs. */
    perform,
    sendDue: queues.sendDue,
    /** Stops the work at a job; its kind says what that leaves. */
    abort: (id: string) => running.get(id)?.stop.abort(),
    /** Fulfilled when nothing is being done with a job. */
    ended: async (id: string) => running.get(id)?.ended,
    isDue: (job: Wait) => isDueAt(job, now()),
    /** A job after an attempt that failed: how often it was tried, and when it is tried again. */
    afterAttempt: ({ attempts }: { attempts: number }, failure: Failure | null) => ({
      attempts: attempts + 1,
      ...nextAttempt(attempts, failure, now(), random()),
    }),
    /** Begins nothing more, and stops what is under way; fulfilled when all of it has ended. */
    stop: async () => {
      isStopped = true
      for (const { stop } of running.values()) stop.abort('quit')
      await Promise.allSettled([...running.values()].map(({ ended }) => ended))
      await queues.ended()
    },
  }
}

export type Engine = ReturnType<typeof openEngine>
