import type { Dialects } from '../dialects/dialects.ts'
import { lowerPriority } from '../common/lower-priority.ts'
import { serveRequests } from '../common/serve-requests.ts'
import { dataOfThread } from '../common/worker-data.ts'
import { noteDamage } from '../store/cache/cache-file.ts'
import { openFiles } from '../store/open-files.ts'
import { openAnswers } from './answers.ts'
import { yieldToRows } from './yield-to-rows.ts'
import type { Closing, Question, ThreadData } from './questions.ts'

const { deskFile, bytes, isLowPriority, rowsAsked } = dataOfThread<ThreadData>()

const openCopies = (dialects: Dialects) =>
  openFiles({
    open: (archive, file, dialect: string) =>
      Object.assign(
        openAnswers({
          archive,
          file,
          dialect: dialects.named(dialect),
          deskFile,
          yieldToRows: () => isLowPriority && yieldToRows(rowsAsked),
        }),
        { dialect },
      ),
    most: 3,
    bytes,
    fewestBytes: 2_000 * 1024,
    isIdle: () => true,
  })

/** Answers questions in this thread, of archives that speak one of some dialects. */
export const serveQuestions = (dialects: Dialects): void => {
  if (isLowPriority) lowerPriority()
  const files = openCopies(dialects)
  serveRequests<Question | Closing>((asked) => {
    const { archive, name } = asked
    if (name === 'close') return files.close(archive)
    const { file, dialect, input } = asked
    try {
      // What an archive speaks can change.
      if (files.known(archive)?.dialect !== dialect) files.close(archive)
      // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- `ask` gives what the one that it names takes
      const answer = files.of(archive, file, dialect).answers[name] as (...input: unknown[]) => unknown
      return answer(...input)
    } catch (error) {
      noteDamage(file, error)
      throw error
    }
  })
}
