import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { JournalAct, JournalCheck } from '../../contract/activity.ts'
import { prepare } from '../../common/statements.ts'

/** Nothing that was written is changed or taken away: the database itself refuses it. */
export const journalTables = `
  create table journal (number integer primary key, ms integer not null, at text not null,
    archive text not null, act text not null, name text not null, place text not null, detail text not null,
    digest blob not null) strict;
  create trigger journal_stays before update on journal begin
    select raise(abort, 'The journal is only written on.'); end;
  create trigger journal_keeps before delete on journal begin
    select raise(abort, 'The journal is only written on.'); end;`

/** One line of the journal: what was done at this desk, to what, and where it is seen. */
export interface JournalEntry {
  archive: string
  act: JournalAct
  name: string
  /** The address of its page: "transfers/ID". */
  place: string
  detail: string
}

export interface JournalRow extends JournalEntry {
  number: number
  ms: number
  at: string
  digest: Uint8Array
}

/**
 * Each line's digest covers the line and the digest before it, so that no earlier line can be changed without
 * all later ones (SHA-256).
 */
const digestOf = (
  before: Uint8Array,
  { number, at: time, archive, act, name, place, detail }: Omit<JournalRow, 'digest' | 'ms'>,
) =>
  createHash('sha256')
    .update(before)
    .update(JSON.stringify([number, time, archive, act, name, place, detail]))
    .digest()

const nothing = new Uint8Array(0)

/** Whether a line is the one after the other, as it was written. */
export const continues = (before: Pick<JournalRow, 'number' | 'digest'> | undefined, line: JournalRow) =>
  line.number === (before?.number ?? 0) + 1 &&
  Buffer.compare(digestOf(before?.digest ?? nothing, line), line.digest) === 0

/** What this desk did, line after line, each bound to the one before. */
export const openJournal = (database: DatabaseSync, now: () => Date) => {
  const last = prepare<Pick<JournalRow, 'number' | 'digest'>>(
    database,
    'select number, digest from journal order by number desc limit 1',
  )
  const add = database.prepare(
    `insert into journal (number, ms, at, archive, act, name, place, detail, digest)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const all = prepare<JournalRow>(
    database,
    'select number, ms, at, archive, act, name, place, detail, digest from journal order by number',
  )

  function* lines() {
    yield* all.iterate()
  }

  return {
    write: (entry: JournalEntry) => {
      const before = last.get()
      const moment = now()
      const line = { ...entry, number: (before?.number ?? 0) + 1, at: moment.toISOString() }
      add.run(
        line.number,
        moment.getTime(),
        line.at,
        line.archive,
        line.act,
        line.name,
        line.place,
        line.detail,
        digestOf(before?.digest ?? nothing, line),
      )
    },
    /** Whether every line is as it was written, and none is missing before the last. */
    check: (): JournalCheck => {
      let before: Uint8Array = nothing
      let count = 0
      for (const line of lines()) {
        count += 1
        if (line.number !== count || Buffer.compare(digestOf(before, line), line.digest) !== 0)
          return { count, head: '', brokenAt: count }
        before = line.digest
      }
      return { count, head: Buffer.from(before).toString('hex'), brokenAt: null }
    },
    /** The lines as they are exported: one JSON object each, with its digest. */
    texts: function* () {
      for (const { digest, ms: _, ...line } of lines())
        yield `${JSON.stringify({ ...line, digest: Buffer.from(digest).toString('hex') })}\n`
    },
  }
}

export type Journal = ReturnType<typeof openJournal>
