import { open, rm, type FileHandle } from 'node:fs/promises'
import { background } from '../common/background.ts'
import { messageOf } from '../common/errors.ts'
import type { IncomingFile } from '../archive-client/download.ts'

interface Parts {
  /** Where it may lie while it is open. */
  file: string
  arriving: IncomingFile
  /** Breaks the fetching off. */
  stop: AbortController
  progressed: (bytes: number) => void
}

export type WholeFile = Awaited<ReturnType<typeof openWholeFile>>

/**
 * A file that its archive gives only whole: it is laid on the disk as it comes, and parts of it are read as
 * soon as they are there.
 * @throws the error of the disk where it cannot be laid there
 */
export const openWholeFile = async ({ file, arriving, stop, progressed }: Parts) => {
  const handle: FileHandle = await open(file, 'w+', 0o600).catch((error: unknown) => {
    stop.abort()
    throw error
  })
  let arrived = 0
  let failure: Error | undefined
  let isComplete = false
  let wake = Promise.withResolvers<void>()
  /** Whoever waits for more bytes looks again. */
  const wakeWaiting = () => {
    const waiting = wake
    wake = Promise.withResolvers<void>()
    waiting.resolve()
  }
  const fetchAll = async () => {
    for await (const part of arriving.body) {
      // A disk may take a part of what it is given.
      for (let done = 0; done < part.length;)
        done += (await handle.write(part, done, part.length - done, arrived + done)).bytesWritten
      arrived += part.length
      progressed(arrived)
      wakeWaiting()
    }
    isComplete = true
  }
  const fetching = fetchAll()
    .catch((error: unknown) => {
      failure = error instanceof Error ? error : new Error(messageOf(error))
    })
    .finally(wakeWaiting)
  background(fetching, () => undefined)
  return {
    /**
     * The bytes from `first` to `last`, both included, or fewer at the end of the file.
     * @throws what ended the fetching before they came
     */
    read: async (first: number, last: number): Promise<Buffer> => {
      while (arrived <= last && !isComplete) {
        if (failure !== undefined) throw failure
        await wake.promise
      }
      const bytes = Buffer.alloc(Math.max(0, Math.min(last + 1, arrived) - first))
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, first)
      return bytes.subarray(0, bytesRead)
    },
    /** Waits until all of it is there. @throws what ended the fetching before that */
    complete: async (): Promise<number> => {
      await fetching
      if (failure !== undefined) throw failure
      return arrived
    },
    /** @param reason what whoever still waits for bytes is told */
    close: async (reason: Error) => {
      stop.abort(reason)
      await fetching
      await handle.close()
      await rm(file, { force: true })
    },
  }
}
