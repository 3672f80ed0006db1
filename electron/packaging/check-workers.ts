import { Worker } from 'node:worker_threads'

/** What a thread that checks found; and its last word, without which nobody knows what it left out. */
export type CheckWorkerMessage<Found> = { found: Found } | 'over'

/** A thread takes some 25 MB; so much is kept of this many names. */
const namesPerThread = 300_000

/** How many of the threads there is memory for beside what is kept of so many names. */
export const threadsForNames = (names: number, threads: number) =>
  Math.max(1, threads - Math.floor(names / namesPerThread))

interface CheckWorkers<Data, Found> {
  script: URL
  count: number
  data: Data
  take: (found: Found) => void
  /** Stops the other threads, where one failed. */
  stop: () => void
  /** A thread ran out of memory: the others go on; what this one had begun is not known. */
  lost: () => void
}

/**
 * Runs threads that check a part each, until all are done.
 * @throws where a thread ended without its last word: what it was to read is not known to be sound
 */
export const runCheckWorkers = <Data, Found>({
  script,
  count,
  data,
  take,
  stop,
  lost,
}: CheckWorkers<Data, Found>) =>
  Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<void>((done, failed) => {
          const thread = new Worker(script, {
            workerData: data,
            execArgv: [],
            resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 },
          })
          let isOver = false
          thread.on('message', (message: CheckWorkerMessage<Found>) => {
            if (message === 'over') isOver = true
            else take(message.found)
          })
          thread.once('error', (error: NodeJS.ErrnoException) => {
            if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
              lost()
              isOver = true
              return
            }
            stop()
            failed(error)
          })
          thread.once('exit', () => {
            if (isOver) return done()
            stop()
            failed(new Error('A thread that checks ended without a word.'))
          })
        }),
    ),
  )
