import type { Subject } from '../archive-client/held-lists.ts'
import type { ListName } from '../contract/lists.ts'
import { openCacheFile } from './cache.ts'
import { rollback, transaction } from './open.ts'
import { packageTable } from './package-table.ts'
import { wordIndex } from './word-index.ts'

/**
 * The first rows after a pause are seen at once; while more keep coming, each step takes twice as long as the one before, since what
 * is written in one step shares the pages of indexes: fewer and larger ones cost the disk a fraction.
 */
const firstMs = 5
const longestMs = 2_000
const pauseMs = 1_000
/** So many rows get their words at a time that whoever asks for something else waits some ten milliseconds. */
const indexStep = 1_000

interface Parts {
  file: string
  /** Of the program: another one may read the same records in another way. */
  version: string
  /** Rows of these lists can be read now. */
  committed: (subjects: Subject[]) => void
}

export type Writer = ReturnType<typeof openWriter>

/**
 * Writes the local copy of one archive, alone. What is written comes together in transactions that are closed soon, so that readers
 * see it while a long list arrives; what must be seen at once and whole is written with `together`.
 */
export const openWriter = ({ file, version, committed }: Parts) => {
  const database = openCacheFile(file)
  database.exec('pragma cache_size = -16000; pragma temp_store = file; pragma wal_autocheckpoint = 4000')
  const packages = packageTable(database)
  const stamp = database.prepare(
    'insert into refreshed (subject, at) values (?, ?) on conflict do update set at = excluded.at',
  )
  const complete = database.prepare('update completion set completeAt = ?')
  // Another program may have read the same records in another way.
  const { readBy } = database.prepare('select readBy from completion').get() as { readBy: string }
  if (readBy !== version) {
    database.exec(`update element set digest = x'', bytes = 0`)
    database.prepare('update completion set readBy = ?').run(version)
  }
  const look = database.prepare(
    'update held set changed = null where subject = ? and id = ? and changed is not null',
  )
  const holdOptions = database.prepare(
    'insert into options (list, body) values (?, ?) on conflict do update set body = excluded.body',
  )
  const agree = database.prepare('update shrunk set agreed = 1 where subject = ?')
  const revise = database.prepare(
    'insert into revision (subject, n) values (?, 1) on conflict do update set n = n + 1',
  )
  const index = wordIndex(database)
  const touched = new Set<Subject>()
  let timer: NodeJS.Timeout | undefined
  let beganAt = 0
  let steppedAt = -pauseMs
  let patienceMs = firstMs
  let isOpen = false
  let isWhole = false
  let takenBack = 0
  let whyTakenBack: unknown

  const abandon = (why: unknown) => {
    if (!isOpen) return
    isOpen = false
    clearTimeout(timer)
    takenBack += 1
    whyTakenBack = why
    touched.clear()
    packages.forget()
    rollback(database)
  }
  /** A step that fails takes the whole transaction with it: an open one would fail every later step as well. */
  const orAbandon = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      abandon(error)
      throw error
    }
  }
  const commit = () => {
    if (!isOpen) return
    orAbandon(() => {
      packages.settle()
      for (const subject of touched) revise.run(subject)
      database.exec('commit')
    })
    isOpen = false
    clearTimeout(timer)
    const what = [...touched]
    touched.clear()
    committed(what)
  }
  /** What came of a long list so far is seen; the next step is longer. */
  const step = () => {
    commit()
    steppedAt = performance.now()
    patienceMs = Math.min(longestMs, patienceMs * 2)
  }
  const stepByItself = () => {
    try {
      step()
    } catch {
      // Nobody waits for a timer: the list whose rows were taken back hears of it when it is finished.
    }
  }
  const begin = () => {
    if (isOpen) return
    database.exec('begin immediate')
    ;[isOpen, beganAt] = [true, performance.now()]
    if (beganAt - steppedAt > pauseMs + longestMs) patienceMs = firstMs
    timer = setTimeout(stepByItself, patienceMs)
  }

  return {
    database,
    packages,
    /** Begins to write where nobody does. */
    begin,
    /** A row of a list was written; sooner or later it is seen. */
    wrote: (subject: Subject) => {
      touched.add(subject)
      if (!isWhole && performance.now() - beganAt > patienceMs) step()
    },
    /** What the work writes is seen all at once, or not at all. */
    together: (work: () => void) => {
      commit()
      begin()
      isWhole = true
      try {
        orAbandon(work)
        commit()
      } finally {
        isWhole = false
      }
    },
    commit,
    /** Brings the words of rows that came into the index, some at a time; false once all are there. */
    indexSome: (): boolean => {
      if (isOpen) return true
      return transaction(database, () => index(indexStep)) > 0
    },
    /** What was half written when something broke is as if it had never come. */
    abandon,
    /** How often something was abandoned, and why it was last: rows of other lists may have gone with it. */
    takenBack: () => ({ times: takenBack, why: whyTakenBack }),
    /** A person looked at a record: it no longer counts as changed. */
    look: (subject: Subject, id: string) => {
      begin()
      if (orAbandon(() => look.run(subject, id)).changes > 0) touched.add(subject)
      commit()
    },
    holdOptions: (list: ListName, body: unknown) => void holdOptions.run(list, JSON.stringify(body ?? null)),
    /** A list was complete at this time. */
    stamp: (subject: Subject, at: string) => void stamp.run(subject, at),
    /** All lists that the desk works with were. */
    complete: (at: string) => void complete.run(at),
    /** How much of the file may stand in memory. */
    keepInMemory: (bytes: number) => database.exec(`pragma cache_size = -${Math.floor(bytes / 1024)}`),
    /** A person agrees that a list may be as short as the archive says, when it is read again. */
    agree: (subject: string) => void agree.run(subject),
    close: () => {
      try {
        commit()
      } finally {
        database.close()
      }
    },
  }
}
