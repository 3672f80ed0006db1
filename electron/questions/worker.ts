import { parentPort, workerData } from 'node:worker_threads'
import { noteDamage } from '../store/cache-file.ts'
import { farewell } from '../store/end-thread.ts'
import { openFiles } from '../store/open-files.ts'
import { openAnswers } from './answers.ts'
import type { Answered, Closing, Question } from './questions.ts'

const { deskFile } = workerData as { deskFile: string }

const files = openFiles({
  open: (archive, file) => openAnswers({ archive, file, deskFile }),
  most: 3,
  // Rows are fetched from all over a long list; what was read stays for the next one (measured by `npm run bench -- room`).
  bytes: 48_000 * 1024,
  fewestBytes: 2_000 * 1024,
  isIdle: () => true,
})

const answerTo = ({ id, archive, file, name, input }: Question): Answered => {
  try {
    const answer = files.of(archive, file).answers[name] as (...input: unknown[]) => unknown
    return { id, value: answer(...input) }
  } catch (error) {
    noteDamage(file, error)
    return { id, trouble: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

// Only main, which made this thread, speaks on the port.
parentPort?.on('message', (asked: Question | Closing | typeof farewell) => {
  if (asked === farewell) process.exit()
  if (asked.name === 'close') files.close(asked.archive)
  parentPort?.postMessage(
    asked.name === 'close' ? ({ id: asked.id, value: undefined } satisfies Answered) : answerTo(asked),
  )
})
