import path from 'node:path'
import type { Dialect } from '../../electron/dialects/dialect.ts'
import { specification } from '../../electron/dialects/specification.ts'
import { openAnswers } from '../../electron/questions/answers.ts'
import type { Ask } from '../../electron/questions/questions.ts'
import { openDeskStore } from '../../electron/store/desk/desk-store.ts'

/**
 * What the thread of questions answers of an archive, in this very thread; beside it lies a desk, as always.
 */
export const answersOf = (file: string, archive = 'a', dialect: Dialect = specification) => {
  const deskFile = path.join(path.dirname(file), 'desk-of-answers.sqlite')
  openDeskStore(deskFile).close()
  const { answers } = openAnswers({ archive, file, dialect, deskFile })
  // The answer is that of the question that was named.
  const ask: Ask = (name, _archive, ...input) =>
    Promise.resolve((answers[name] as (...given: unknown[]) => unknown)(...input) as never)
  return { ...answers, ask }
}
