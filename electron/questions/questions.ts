import { openRequestThread } from '../common/request-thread.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Answers } from './answers.ts'

export interface Question {
  archive: string
  /** The local copy of the archive. */
  file: string
  /** What it speaks, by its name. */
  dialect: string
  name: keyof Answers
  input: unknown[]
}
/** The file of an archive is to be closed. */
export interface Closing {
  archive: string
  name: 'close'
}

export type Ask = <Name extends keyof Answers>(
  name: Name,
  archive: string,
  ...input: Parameters<Answers[Name]>
) => Promise<ReturnType<Answers[Name]>>

export type Questions = ReturnType<typeof openQuestions>

/**
 * The thread that answers what may take a walk through a million rows, so that main goes on hearing. It only
 * reads; where it breaks, the next question starts it anew.
 */
export const openQuestions = ({
  script,
  fileOf,
  dialectOf,
  deskFile,
}: {
  script: URL
  /** The local copy of an archive. */
  fileOf: (archive: string) => string
  dialectOf: (archive: string) => Pick<Dialect, 'name'>
  deskFile: string
}) => {
  const thread = openRequestThread<Question | Closing>({
    task: 'answers questions',
    script,
    workerData: { deskFile },
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 96 },
  })
  const ask: Ask = async (name, archive, ...input) =>
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- serve-questions.ts calls what is named
    thread.request({
      archive,
      file: fileOf(archive),
      dialect: dialectOf(archive).name,
      name,
      input,
    }) as Promise<never>

  return {
    ask,
    /** Closes the file of an archive; a thread that ended has closed it. */
    release: async (archive: string): Promise<void> => {
      if (thread.isRunning()) await thread.request({ archive, name: 'close' }).catch(() => undefined)
    },
    close: thread.close,
  }
}
