import { openRequestThread } from '../../common/request-thread.ts'

/** What is counted of a content that two threads read, in bytes. */
export const stepBytes = 1024 * 1024

/** A content whose CRC-32 is asked for, of a file that is open in this process. */
export interface CrcRequest {
  handle: number
  from: number
  bytes: number
  /** How many steps of it the one who asks has read; below zero once nobody wants the CRC any more. */
  steps: Int32Array<SharedArrayBuffer>
}

/** The CRC-32 of a content that somebody else reads meanwhile. */
export interface PendingCrc {
  /** Hears how many bytes were read by now. */
  reached: (bytes: number) => void
  /** The CRC-32; undefined where nothing is known. */
  crc: () => Promise<number | undefined>
  /** Nobody wants it any more. */
  cancel: () => void
}

/**
 * A thread that computes the CRC-32 of what another one reads and hashes meanwhile: to do both takes that one
 * a third longer. It stays near, so that the disk gives each part once.
 */
export const openCrcThread = (script: URL) => {
  const thread = openRequestThread<CrcRequest>({
    task: 'computes CRC-32',
    script,
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
  })
  return {
    begin: (handle: number, from: number, bytes: number): PendingCrc => {
      const steps = new Int32Array(new SharedArrayBuffer(4))
      const answered = thread.request({ handle, from, bytes, steps }).then(
        (crc) => (typeof crc === 'number' ? crc : undefined),
        // A file whose CRC is not known counts as unread, and `readUnread` reads it once more.
        () => undefined,
      )
      const tell = (value: number) => {
        Atomics.store(steps, 0, value)
        Atomics.notify(steps, 0)
      }
      return {
        reached: (reached) => tell(Math.floor(reached / stepBytes)),
        crc: () => answered,
        cancel: () => tell(-1),
      }
    },
    close: async () => {
      await thread.terminate()
      await thread.close()
    },
  }
}
export type CrcThread = ReturnType<typeof openCrcThread>
