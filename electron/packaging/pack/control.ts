import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Failed } from '../contract/failure.ts'

/** A file to copy; `expected` is the checksum that its content must have, where one is known. */
export interface CopyJob {
  from: string
  to: string
  bytes: number
  /** Its time of change when it was planned, in ms; null where that does not matter. */
  modifiedMs: number | null
  expected: string | null
}

/** What all threads share: where the next file is, whether to stop, and how far the work is. */
export interface Control {
  /** next file, stop (0 or 1), files done, file now being read */
  counters: Int32Array<SharedArrayBuffer>
  /** bytes copied and bytes read back */
  bytes: BigInt64Array<SharedArrayBuffer>
}

export type WorkerMessage = { checksums: [index: number, sha256: string][] } | { failure: Failed['failure'] }

export interface CopyProgress {
  files: number
  /** Every byte is counted half when it is written and half when it is read back. */
  bytes: number
  file: string
}

const lookMs = 100

/**
 * Copies files in several threads: each is read once, hashed and written, then read back and compared before it counts. The threads
 * take the next file from a shared counter; stopping takes effect within one block of a file.
 * @param worker the thread's script: built, or the source where Node runs it
 * @returns sha256 of every file, in the order of the jobs
 * @throws Failed with the file at fault; DOMException AbortError when the signal said so. Files already written stay.
 */
export const copyFiles = async (jobs: CopyJob[], { worker, signal, onProgress }: { worker: URL; signal: AbortSignal; onProgress: (progress: CopyProgress) => void }): Promise<string[]> => {
  signal.throwIfAborted()
  if (jobs.length === 0) return []
  const control: Control = {
    counters: new Int32Array(new SharedArrayBuffer(16)),
    bytes: new BigInt64Array(new SharedArrayBuffer(16)),
  }
  const stop = () => Atomics.store(control.counters, 1, 1)
  const checksums: string[] = []
  let failure: Failed['failure'] | undefined

  const report = () =>
    onProgress({
      files: Atomics.load(control.counters, 2),
      bytes: Number((Atomics.load(control.bytes, 0) + Atomics.load(control.bytes, 1)) / 2n),
      file: jobs[Atomics.load(control.counters, 3)]?.from ?? '',
    })
  const looking = setInterval(report, lookMs)
  signal.addEventListener('abort', stop)
  try {
    const threads = Math.min(availableParallelism(), jobs.length)
    await Promise.all(
      Array.from(
        { length: threads },
        () =>
          new Promise<void>((done, failed) => {
            const thread = new Worker(worker, { workerData: { jobs, control } })
            thread.on('message', (message: WorkerMessage) => {
              if ('checksums' in message) for (const [index, sha256] of message.checksums) checksums[index] = sha256
              else {
                failure ??= message.failure
                stop()
              }
            })
            thread.once('error', (error: Error) => {
              stop()
              failed(error)
            })
            thread.once('exit', () => done())
          }),
      ),
    )
  } finally {
    clearInterval(looking)
    signal.removeEventListener('abort', stop)
  }
  if (failure) throw new Failed(failure)
  signal.throwIfAborted()
  report()
  return checksums
}
