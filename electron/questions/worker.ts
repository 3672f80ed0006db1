import { parentPort, workerData } from 'node:worker_threads'
import { farewell } from '../store/end-thread.ts'
import { openAnswers } from './answers.ts'
import type { Answered, Question } from './questions.ts'

const answers = openAnswers(workerData as { file: string; deskFile: string })

// Only main, which made this thread, speaks on the port.
parentPort?.on('message', (asked: Question | typeof farewell) => {
  if (asked === farewell) process.exit()
  const { id, name, input } = asked
  let answered: Answered
  try {
    const answer = answers[name] as (...input: unknown[]) => unknown
    answered = { id, value: answer(...input) }
  } catch (error) {
    answered = { id, trouble: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  parentPort?.postMessage(answered)
})
