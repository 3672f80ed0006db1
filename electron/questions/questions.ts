import { Worker } from 'node:worker_threads'
import { endThread } from '../store/end-thread.ts'
import type { Answers } from './answers.ts'

export interface Question {
  id: number
  archive: string
  /** The local copy of the archive. */
  file: string
  name: keyof Answers
  input: unknown[]
}
/** The file of an archive is to be closed. */
export interface Closing {
  id: number
  archive: string
  name: 'close'
}
export type Answered = { id: number; value: unknown } | { id: number; trouble: string }

export type Ask = <Name extends keyof Answers>(
  name: Name,
  archive: string,
  ...input: Parameters<Answers[Name]>
) => Promise<ReturnType<Answers[Name]>>

/**
 * The thread that answers what may take a walk through a million rows, so that main goes on hearing. It only reads; where it breaks,
 * the next question starts it anew.
 */
export const openQuestions = ({
  script,
  fileOf,
  deskFile,
}: {
  script: URL
  /** The local copy of an archive. */
  fileOf: (archive: string) => string
  deskFile: string
}) => {
  const waiting = new Map<number, { answer: (value: never) => void; fail: (error: Error) => void }>()
  let thread: Worker | undefined
  let last = 0

  const start = () => {
    const worker = new Worker(script, {
      workerData: { deskFile },
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 96 },
    })
    worker.unref()
    worker.on('message', (answered: Answered) => {
      const asker = waiting.get(answered.id)
      waiting.delete(answered.id)
      if ('trouble' in answered) asker?.fail(new Error(answered.trouble))
      else asker?.answer(answered.value as never)
    })
    /** Whatever ended it: nobody waits for an answer that nothing is left to give. */
    const over = (error: Error) => {
      if (thread !== worker) return
      thread = undefined
      for (const { fail } of waiting.values()) fail(error)
      waiting.clear()
    }
    worker.on('error', (error) => over(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', (code) => over(new Error(`The thread that answers questions ended (${code}).`)))
    return worker
  }

  const put = (question: Omit<Question, 'id'> | Omit<Closing, 'id'>) =>
    new Promise<never>((answer, fail) => {
      last += 1
      thread ??= start()
      thread.postMessage({ id: last, ...question } satisfies Question | Closing)
      waiting.set(last, { answer, fail })
    })
  // The answer is that of the question that was named.
  const ask: Ask = async (name, archive, ...input) => put({ archive, file: fileOf(archive), name, input })

  return {
    ask,
    /** Closes the file of an archive; a thread that ended has closed it. */
    letGo: async (archive: string): Promise<void> => {
      if (thread) await put({ archive, name: 'close' }).catch(() => undefined)
    },
    close: () => endThread(thread),
  }
}
