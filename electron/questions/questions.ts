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

/** What a thread that answers questions is started with. */
export interface ThreadData {
  deskFile: string
  /** How much of the files may stand in its memory. */
  bytes: number
  /** Whether nobody waits at it for the next key. */
  isLowPriority: boolean
  /** How many questions wait for rows. */
  rowsAsked: Int32Array
}

/**
 * What counts and compares everything that is held: a second or more where a million packages are. Whoever
 * opens a list, moves in it or types in it waits for none of it. (`packageUniform`
 * is not among it: the first rows of their list wait for that.)
 */
const counting: ReadonlySet<keyof Answers> = new Set<keyof Answers>([
  'storage',
  'copiesOfMedia',
  'risky',
  'packageFacet',
  'recordFacet',
  'recordUniform',
  'activityFacet',
  'activityUniform',
  'transferFacet',
  'transferUniform',
  'foundFacets',
  'foundIds',
])

/**
 * So much of the files stands in the memory of each thread, in bytes: a jump in a million rows is no faster
 * with twelve times as much, since the system keeps what was read of a file anyway.
 */
const inMemory = 4_000 * 1024

/** So long a thread that is asked nothing is kept, with its rows in memory and the counts that it knows. */
const idleTimeoutMs = 15_000

/**
 * Two threads that answer what may take a walk through a million rows, so that main goes on hearing: one
 * gives rows, the other counts. They only read; where one breaks, the next question starts it anew.
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
  const rowsAsked = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const openThread = (task: string, isLowPriority: boolean) =>
    openRequestThread<Question | Closing>({
      task,
      script,
      workerData: { deskFile, bytes: inMemory, isLowPriority, rowsAsked } satisfies ThreadData,
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 96 },
      idleTimeoutMs,
    })
  const ofRows = openThread('answers questions', false)
  const ofCounts = openThread('counts what is held', true)
  const requestRows = async (question: Question): Promise<unknown> => {
    Atomics.add(rowsAsked, 0, 1)
    try {
      return await ofRows.request(question)
    } finally {
      Atomics.sub(rowsAsked, 0, 1)
      Atomics.notify(rowsAsked, 0)
    }
  }
  const ask: Ask = async (name, archive, ...input) => {
    const question = {
      archive,
      file: fileOf(archive),
      dialect: dialectOf(archive).name,
      name,
      input,
    }
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- serve-questions.ts calls what is named
    return (counting.has(name) ? ofCounts.request(question) : requestRows(question)) as Promise<never>
  }

  return {
    ask,
    /** Starts or keeps the thread that gives rows: whoever opens a window, or uses it again, soon asks it. */
    begin: ofRows.begin,
    /** Closes the file of an archive; a thread that ended has closed it. */
    release: async (archive: string): Promise<void> => {
      await Promise.all([ofRows.settled(), ofCounts.settled()])
      const running = [ofRows, ofCounts].filter((thread) => thread.isRunning())
      await Promise.allSettled(running.map((thread) => thread.request({ archive, name: 'close' })))
    },
    close: async (): Promise<void> => {
      await Promise.all([ofRows.close(), ofCounts.close()])
    },
  }
}
