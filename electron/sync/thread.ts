import { failureOf, Failed } from '../contract/failure.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { ContentsOf } from '../dialects/models.ts'
import type { ListName } from '../contract/lists.ts'
import { openRequestThread, ThreadClosed } from '../common/request-thread.ts'
import type { LookUp } from '../dialects/lookups.ts'
import type { Reached, Read, Wanted } from './read-lists.ts'
import type { Increment, ReadIncrement } from './read-increment.ts'
import type { HowToAsk, LookedUp, LookupRequest } from './serve-lookups.ts'
import type { Subject } from '../contract/subjects.ts'

/** The local copy of an archive. */
interface LocalCopy {
  archive: string
  file: string
  /** What it speaks, by its name. */
  dialect: string
}
/**
 * What is to be done with a local copy. Reading is answered by what was read; "open" when what another
 * definition read is read anew, also for a dialect that the archive is about to speak.
 */
type Task =
  | { kind: 'read'; wanted: Wanted }
  | { kind: 'read increment'; what: Increment; reached: Reached }
  | { kind: 'read contents'; of: ContentsOf; reached: Reached }
  | { kind: 'open'; dialect: string }
  | { kind: 'index' }
  | { kind: 'seen'; subject: Subject; id: string }
  | { kind: 'options'; list: ListName; body: unknown }
  | { kind: 'accept shrunk'; subject: string }
export type ReadingRequest = LocalCopy & Task
/** Its file is to be closed. */
export interface Closing {
  kind: 'close'
  archive: string
}

/** What the thread says of its own accord. */
export type Report =
  /** Rows of these lists were written and can be seen. */
  | { kind: 'written'; archive: string; subjects: Subject[] }
  /** Words of rows that came are in the index. */
  | { kind: 'indexed'; archive: string; isAll: boolean }
  | { kind: 'bug'; text: string }

interface Parts {
  script: URL
  /** The local copy of an archive. */
  fileOf: (archive: string) => string
  dialectOf: (archive: string) => Pick<Dialect, 'name'>
  seen: (archive: string, subjects: Subject[]) => void
  indexed: (archive: string, isAll: boolean) => void
  reportBug: (error: unknown) => string
}

export type Thread = ReturnType<typeof openThread>

/**
 * So long without anything to do it is kept: what has changed is read some minutes later, and until then its
 * memory is of use to others.
 */
const idleTimeoutMs = 10_000

/**
 * Elements are short-lived: what a long list leaves behind is to be let go of soon (`npm run bench -- app`
 * measures that). V8 lets a heap grow by more before it collects, the higher its limit is: with 512 MB a list
 * that has not changed takes a quarter more time, with 2 GB some 20 MB more memory.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 1_400 }

/**
 * The thread that reads the lists of archives and writes the local copies, so that the window never waits for
 * either. It is the only one that writes; where it breaks, the next request starts it anew, and a local copy
 * is as it was after the last whole step.
 */
export const openThread = ({ script, fileOf, dialectOf, seen, indexed, reportBug }: Parts) => {
  const thread = openRequestThread<ReadingRequest | Closing | LookupRequest, Report>({
    task: 'reads lists',
    script,
    resourceLimits,
    idleTimeoutMs,
    heard: (report) => {
      if (report.kind === 'written') seen(report.archive, report.subjects)
      else if (report.kind === 'indexed') indexed(report.archive, report.isAll)
      else reportBug(report.text)
    },
    ended: (error) => new Failed({ kind: 'bug', reference: reportBug(error) }),
  })
  const copyOf = (archive: string): LocalCopy => ({
    archive,
    file: fileOf(archive),
    dialect: dialectOf(archive).name,
  })

  const answerTo = (asked: ReadingRequest | LookupRequest): Promise<unknown> =>
    thread.request(asked).catch((error: unknown) => {
      // The program ends, and nobody is left to hear of it.
      if (error instanceof ThreadClosed) return new Promise<never>(() => undefined)
      throw error
    })
  const request = async (archive: string, what: Task): Promise<Read> => {
    try {
      // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- serve-reading.ts answers so
      return (await answerTo({ ...copyOf(archive), ...what })) as Read
    } catch (error) {
      return { changed: [], complete: [], failure: failureOf(error, reportBug) }
    }
  }
  const post = (archive: string, what: Task) => thread.post({ ...copyOf(archive), ...what })
  const lookUp = async (how: HowToAsk, name: LookupRequest['name'], input: unknown[]) => {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- serve-lookups.ts answers so
    const { value, failure } = (await answerTo({ kind: 'look up', how, name, input })) as LookedUp
    if (failure) throw new Failed(failure)
    return value
  }

  return {
    read: (archive: string, wanted: Wanted) => request(archive, { kind: 'read', wanted }),
    /** Reads what is new alone: news with the packages that they name, or whatever has changed. */
    readIncrement: async (archive: string, what: Increment, reached: Reached): Promise<ReadIncrement> => ({
      nameless: 0,
      ...(await request(archive, { kind: 'read increment', what, reached })),
    }),
    /** Reads what stands in a unit or below a node. */
    readContents: (archive: string, of: ContentsOf, reached: Reached) =>
      request(archive, { kind: 'read contents', of, reached }),
    /**
     * Reads anew what another definition, or another dialect, read of an archive.
     * @throws Failed disk where the copy cannot be written
     */
    open: async (archive: string, dialect: Dialect): Promise<void> => {
      const { failure } = await request(archive, { kind: 'open', dialect: dialect.name })
      if (failure) throw new Failed(failure)
    },
    /** Looks for something in whole lists of an archive, which nobody keeps. @param how as it is then */
    lookingUp:
      (how: () => Promise<HowToAsk>): LookUp =>
      (name, ...input) =>
        // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the answer is that of the name
        how().then((known) => lookUp(known, name, input)) as Promise<never>,
    /** Goes on with the index of words where an earlier run ended. */
    index: (archive: string) => post(archive, { kind: 'index' }),
    /** A person saw a record: it no longer counts as changed. */
    markSeen: (archive: string, subject: Subject, id: string) => post(archive, { kind: 'seen', subject, id }),
    holdOptions: (archive: string, list: ListName, body: unknown) =>
      post(archive, { kind: 'options', list, body }),
    acceptShrunk: (archive: string, subject: string) => post(archive, { kind: 'accept shrunk', subject }),
    /** Breaks off what is read of an archive, and closes its file; what ended has nothing open. */
    release: async (archive: string): Promise<void> => {
      await thread.settled()
      if (thread.isRunning()) await thread.request({ kind: 'close', archive }).catch(() => undefined)
    },
    close: thread.close,
  }
}
