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
    worker.on('error', (error) => {
      for (const { fail } of waiting.values()) fail(error instanceof Error ? error : new Error(String(error)))
      waiting.clear()
      thread = undefined
    })
    return worker
  }

  const ask: Ask = (name, ...input) =>
    new Promise((answer, fail) => {
      last += 1
      waiting.set(last, { answer, fail })
      thread ??= start()
      thread.postMessage({ id: last, name, input } satisfies Question)
    })

  return {
    ask,
    close: () => endThread(thread),
  }
}
