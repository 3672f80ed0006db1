import { openRequestThread } from '../../common/request-thread.ts'

/** What is counted of a content that is read by two, in bytes. */
export const stepBytes = 1024 * 1024

/** A content whose CRC-32 is asked for, of a file that is open in this process. */
export interface ContentToSum {
  handle: number
  from: number
  bytes: number
  /** How many steps of it the one who asks has read; below zero once nobody wants the sum any more. */
  steps: Int32Array<SharedArrayBuffer>
}

/** The sum of a content that somebody reads. */
export interface SumBeside {
  /** Hears how many bytes were read by now. */
  reached: (bytes: number) => void
  /** The CRC-32; undefined where nothing is known. */
  sum: () => Promise<number | undefined>
  leave: () => void
}

/**
 * A thread that sums what another one reads and hashes meanwhile: to do both takes that one a third longer.
 * It stays near, so that the disk gives each part once.
 */
export const openSumThread = (script: URL) => {
  const thread = openRequestThread<ContentToSum>({
    task: 'sums files',
    script,
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
  })
  return {
    begin: (handle: number, from: number, bytes: number): SumBeside => {
      const steps = new Int32Array(new SharedArrayBuffer(4))
      const summed = thread.request({ handle, from, bytes, steps }).then(
        (sum) => (typeof sum === 'number' ? sum : undefined),
        // Whatever was not summed is read once more by who sees to the rest.
        () => undefined,
      )
      const tell = (value: number) => {
        Atomics.store(steps, 0, value)
        Atomics.notify(steps, 0)
      }
      return {
        reached: (reached) => tell(Math.floor(reached / stepBytes)),
        sum: () => summed,
        leave: () => tell(-1),
      }
    },
    close: async () => {
      await thread.terminate()
      await thread.close()
    },
  }
}
export type SumThread = ReturnType<typeof openSumThread>
