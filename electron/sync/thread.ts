import { Worker } from 'node:worker_threads'
import { endThread } from '../store/end-thread.ts'
import type { Subject } from '../archive-client/held-lists.ts'
import type { ListName } from '../contract/lists.ts'
import type { Read, Wanted } from './read-lists.ts'

export type Order =
  | { kind: 'read'; id: number; wanted: Wanted }
  | { kind: 'look'; archive: string; subject: Subject; id: string }
  | { kind: 'options'; archive: string; list: ListName; body: unknown }
  | { kind: 'agree'; archive: string; subject: string }

export type Report =
  | { kind: 'done'; id: number; read: Read }
  /** Rows of these lists were written and can be seen. */
  | { kind: 'seen'; lists: { archive: string; subject: Subject }[] }
  /** Words of rows that came are in the index. */
  | { kind: 'indexed'; isAll: boolean }
  | { kind: 'bug'; text: string }

interface Parts {
  script: URL
  /** The local copy. */
  file: string
  version: string
  seen: (lists: { archive: string; subject: Subject }[]) => void
  indexed: (isAll: boolean) => void
  bug: (error: unknown) => string
}

export type Thread = ReturnType<typeof openThread>

/**
 * The thread that reads the archive's lists and writes the local copy, so that the window never waits for either. It is the only
 * one that writes; where it breaks, the next order starts it anew, and the local copy is as it was after the last whole step.
 */
export const openThread = ({ script, file, version, seen, indexed, bug }: Parts) => {
  const waiting = new Map<number, (read: Read) => void>()
  let thread: Worker | undefined
  let orders = 0
  let isClosed = false

  const start = () => {
    // Elements are short-lived: small limits let go of what a long list leaves behind soon enough (measured by `npm run bench -- app`).
    const worker = new Worker(script, {
      workerData: { file, version },
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 },
    })
    worker.unref()
    worker.on('message', (report: Report) => {
      if (report.kind === 'seen') seen(report.lists)
      else if (report.kind === 'indexed') indexed(report.isAll)
      else if (report.kind === 'bug') bug(report.text)
      else {
        waiting.get(report.id)?.(report.read)
        waiting.delete(report.id)
      }
    })
    /** Whatever ended it: nobody waits for a reading that nothing is left to do. */
    const over = (error: unknown) => {
      if (thread !== worker) return
      thread = undefined
      const reference = bug(error)
      for (const answer of waiting.values()) answer({ changed: [], failure: { kind: 'bug', reference } })
      waiting.clear()
    }
    worker.on('error', over)
    worker.on('exit', (code) => {
      if (!isClosed) over(new Error(`The thread that reads lists ended (${code}).`))
    })
    return worker
  }
  const give = (order: Order) => {
    thread ??= start()
    thread.postMessage(order)
  }

  return {
    read: (wanted: Wanted): Promise<Read> =>
      new Promise((answered) => {
        orders += 1
        waiting.set(orders, answered)
        give({ kind: 'read', id: orders, wanted })
      }),
    look: (archive: string, subject: Subject, id: string) => give({ kind: 'look', archive, subject, id }),
    holdOptions: (archive: string, list: ListName, body: unknown) =>
      give({ kind: 'options', archive, list, body }),
    agree: (archive: string, subject: string) => give({ kind: 'agree', archive, subject }),
    close: () => {
      isClosed = true
      return endThread(thread)
    },
  }
}
