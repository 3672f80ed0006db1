import { Worker } from 'node:worker_threads'
import { endThread } from '../store/end-thread.ts'
import type { Subject } from '../archive-client/held-lists.ts'
import { failureOf } from '../contract/failure.ts'
import type { ListName } from '../contract/lists.ts'
import type { Read, Wanted } from './read-lists.ts'

/** The local copy of an archive. */
interface Place {
  archive: string
  file: string
}
/** What is to be done with a local copy. */
export type Order = Place &
  (
    | { kind: 'read'; id: number; wanted: Wanted }
    | { kind: 'index' }
    | { kind: 'look'; subject: Subject; id: string }
    | { kind: 'options'; list: ListName; body: unknown }
    | { kind: 'agree'; subject: string }
  )
/** Its file is to be closed. */
export interface Closing {
  kind: 'close'
  archive: string
  id: number
}

export type Report =
  | { kind: 'done'; id: number; read: Read }
  | { kind: 'closed'; id: number }
  /** Rows of these lists were written and can be seen. */
  | { kind: 'seen'; archive: string; subjects: Subject[] }
  /** Words of rows that came are in the index. */
  | { kind: 'indexed'; archive: string; isAll: boolean }
  | { kind: 'bug'; text: string }

interface Parts {
  script: URL
  /** The local copy of an archive. */
  fileOf: (archive: string) => string
  version: string
  seen: (archive: string, subjects: Subject[]) => void
  indexed: (archive: string, isAll: boolean) => void
  bug: (error: unknown) => string
}

export type Thread = ReturnType<typeof openThread>

/**
 * The thread that reads the lists of archives and writes the local copies, so that the window never waits for either. It is the only
 * one that writes; where it breaks, the next order starts it anew, and a local copy is as it was after the last whole step.
 */
export const openThread = ({ script, fileOf, version, seen, indexed, bug }: Parts) => {
  const waiting = new Map<number, (read: Read) => void>()
  const closing = new Map<number, () => void>()
  let thread: Worker | undefined
  let orders = 0
  let isClosed = false

  const start = () => {
    // Elements are short-lived: small limits let go of what a long list leaves behind soon enough (measured by `npm run bench -- app`).
    const worker = new Worker(script, {
      workerData: { version },
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 },
    })
    worker.unref()
    worker.on('message', (report: Report) => {
      if (report.kind === 'seen') seen(report.archive, report.subjects)
      else if (report.kind === 'indexed') indexed(report.archive, report.isAll)
      else if (report.kind === 'bug') bug(report.text)
      else if (report.kind === 'closed') {
        closing.get(report.id)?.()
        closing.delete(report.id)
      } else {
        waiting.get(report.id)?.(report.read)
        waiting.delete(report.id)
      }
    })
    /** Whatever ended it: nobody waits for a reading that nothing is left to do. */
    const over = (error: unknown) => {
      if (thread !== worker) return
      thread = undefined
      // What ended has nothing open.
      for (const done of closing.values()) done()
      closing.clear()
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
  const give = (order: Order | Closing) => {
    thread ??= start()
    thread.postMessage(order)
  }

  return {
    read: (archive: string, wanted: Wanted): Promise<Read> =>
      new Promise((answered) => {
        orders += 1
        const id = orders
        try {
          const file = fileOf(archive)
          waiting.set(id, answered)
          give({ kind: 'read', archive, file, id, wanted })
        } catch (error) {
          answered({ changed: [], failure: failureOf(error, bug) })
        }
      }),
    /** Goes on with the index of words where an earlier run ended. */
    index: (archive: string) => give({ kind: 'index', archive, file: fileOf(archive) }),
    look: (archive: string, subject: Subject, id: string) =>
      give({ kind: 'look', archive, file: fileOf(archive), subject, id }),
    holdOptions: (archive: string, list: ListName, body: unknown) =>
      give({ kind: 'options', archive, file: fileOf(archive), list, body }),
    agree: (archive: string, subject: string) =>
      give({ kind: 'agree', archive, file: fileOf(archive), subject }),
    /** Breaks off what is read of an archive, and closes its file. */
    letGo: (archive: string): Promise<void> =>
      new Promise((done) => {
        if (!thread) return done()
        orders += 1
        closing.set(orders, done)
        give({ kind: 'close', archive, id: orders })
      }),
    close: () => {
      isClosed = true
      return endThread(thread)
    },
  }
}
