import type { DatabaseSync } from 'node:sqlite'
import type { ListName } from '../../contract/lists.ts'
import { openMending, recordText } from './bundles.ts'
import { openCacheFile } from './cache.ts'
import { prepare, prepareOne } from '../../common/statements.ts'
import { transaction } from '../../common/transaction.ts'
import { readFormerAnew } from './former-rows.ts'
import { packageTable } from './package-table.ts'
import { wordIndex } from './word-index.ts'
import { openWriteSteps } from './write-steps.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import type { Subject } from '../../contract/subjects.ts'

/**
 * So many rows get their words at a time that whoever asks for something else waits some ten milliseconds.
 */
const indexStep = 1_000

/**
 * How many pages of 4 kB are written before they are brought from the log into the file: each time waits for
 * the disk twice, and pages of indexes that change again and again are brought once. It is felt in long lists
 * alone (half the time of writing one), and needs so much of the disk meanwhile.
 */
const pagesBetweenCheckpoints = 16_000
/** How much of the log stays on the disk afterwards. */
const keptLogBytes = 16_000_000

interface Parts {
  file: string
  /** What the archive speaks. What is held of lists that it reads otherwise is read anew at once. */
  dialect: Dialect
  /** Rows of these lists can be read now. */
  committed: (subjects: Subject[]) => void
}

export type Writer = ReturnType<typeof openWriter>

/**
 * Notes that a person looked at a record, and says whether it counted as changed until then. One that could
 * not be shown is read anew.
 */
const openLooks = (database: DatabaseSync) => {
  const note = database.prepare('update held set looked = 1 where subject = ? and id = ? and looked = 0')
  const unmark = database.prepare(
    'update held set changed = null where subject = ? and id = ? and changed is not null',
  )
  const seen = prepare<{ number: number; raw: string | null }>(
    database,
    `select number, ${recordText} from held where subject = ? and id = ?`,
  )
  const mend = openMending(database)
  return (subject: Subject, id: string): boolean => {
    const row = seen.get(subject, id)
    if (row?.raw === null) mend(row.number)
    note.run(subject, id)
    return unmark.run(subject, id).changes > 0
  }
}

/**
 * Writes the local copy of one archive, alone. What is written comes together in steps that are committed
 * soon, so that readers see it while a long list arrives; what must be seen at once and whole is written in
 * one `transaction`.
 */
export const openWriter = ({ file, dialect, committed }: Parts) => {
  const database = openCacheFile(file)
  database.exec(
    `pragma cache_size = -16000; pragma temp_store = file;
     pragma wal_autocheckpoint = ${pagesBetweenCheckpoints}; pragma journal_size_limit = ${keptLogBytes}`,
  )
  const packages = packageTable(database)
  const index = wordIndex(database, dialect)
  const revise = database.prepare(
    'insert into revision (subject, n) values (?, 1) on conflict do update set n = n + 1',
  )
  const stamp = database.prepare(
    'insert into refreshed (subject, at) values (?, ?) on conflict do update set at = excluded.at',
  )
  const complete = database.prepare('update completion set completeAt = ?, tookMs = ?')
  const lookAt = openLooks(database)
  const holdOptions = database.prepare(
    'insert into options (list, body) values (?, ?) on conflict do update set body = excluded.body',
  )
  const lastElement = prepareOne<{ n: number | null }>(database, 'select max(number) as n from element')
  const acceptShrunk = database.prepare('update shrunk set agreed = 1 where subject = ?')
  const steps = openWriteSteps({
    database,
    beforeCommit: (subjects) => {
      packages.updateShown()
      for (const subject of subjects) revise.run(subject)
    },
    committed,
    abandoned: packages.forget,
  })

  const writer = {
    database,
    dialect,
    packages,
    write: steps.write,
    wrote: steps.wrote,
    transaction: steps.transaction,
    commit: steps.commit,
    abandon: steps.abandon,
    takenBack: steps.takenBack,
    /** Brings the words of rows that came into the index, some at a time; false once all are there. */
    indexSome: (): boolean => {
      if (steps.isOpen()) return true
      return transaction(database, () => index(indexStep)) > 0
    },
    /** A person saw a record: it counts as changed once it changes after that. */
    markSeen: (subject: Subject, id: string) =>
      steps.transaction(() => {
        if (lookAt(subject, id)) steps.wrote(subject)
      }),
    holdOptions: (list: ListName, body: unknown) => void holdOptions.run(list, JSON.stringify(body ?? null)),
    /** The number of the element that came last, of whatever list; 0 where none is held. */
    lastElement: (): number => lastElement.get().n ?? 0,
    /** A list was complete at this time. */
    stamp: (subject: Subject, time: string) => void stamp.run(subject, time),
    /** All lists that the desk works with were, and reading them took so long. */
    complete: (time: string, tookMs: number) => void complete.run(time, tookMs),
    /** How much of the file may stand in memory. */
    keepInMemory: (bytes: number) => database.exec(`pragma cache_size = -${Math.floor(bytes / 1024)}`),
    /** Lets the list be as short as the archive gave it, when it is read again. */
    acceptShrunk: (subject: string) => void acceptShrunk.run(subject),
    close: () => {
      try {
        steps.commit()
      } finally {
        database.close()
      }
    },
  }
  try {
    readFormerAnew(writer)
  } catch (error) {
    database.close()
    throw error
  }
  return writer
}
