import path from 'node:path'
import { openAnswers } from '../electron/questions/answers.ts'
import type { Ask } from '../electron/questions/questions.ts'
import { openDeskStore } from '../electron/store/desk.ts'

/** What the thread of questions answers, in this very thread; beside it lies a desk, as always. */
export const answersOf = (file: string) => {
  const deskFile = path.join(path.dirname(file), 'desk-of-answers.sqlite')
  openDeskStore(deskFile).close()
  const answers = openAnswers({ file, deskFile })
  // The answer is that of the question that was named.
  const ask: Ask = (name, ...input) =>
    Promise.resolve((answers[name] as (...given: unknown[]) => unknown)(...input) as never)
  return { ...answers, ask }
}
