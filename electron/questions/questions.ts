import { Worker } from 'node:worker_threads'
import { endThread } from '../store/end-thread.ts'
import type { Answers } from './answers.ts'

export interface Question {
  id: number
  name: keyof Answers
  input: unknown[]
}
export type Answered = { id: number; value: unknown } | { id: number; trouble: string }

export type Ask = <Name extends keyof Answers>(
  name: Name,
  ...input: Parameters<Answers[Name]>
) => Promise<ReturnType<Answers[Name]>>

/**
 * The thread that answers what may take a walk through a million rows, so that main goes on hearing. It only reads; where it breaks,
 * the next question starts it anew.
 */
export const openQuestions = ({
  script,
  file,
  deskFile,
}: {
  script: URL
  file: string
  deskFile: string
}) => {
  const waiting = new Map<number, { answer: (value: never) => void; fail: (error: Error) => void }>()
  let thread: Worker | undefined
  let last = 0

  const start = () => {
    const worker = new Worker(script, {
      workerData: { file, deskFile },
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

  const ask: Ask = (name, ...input) =>
    new Promise((answer, fail) => {
      last += 1
      thread ??= start()
      thread.postMessage({ id: last, name, input } satisfies Question)
      waiting.set(last, { answer, fail })
    })

  return {
    ask,
    close: () => endThread(thread),
  }
}
