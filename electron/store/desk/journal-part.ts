import type { DatabaseSync } from 'node:sqlite'
import { prepare, prepareOne } from '../../common/statements.ts'
import type { JournalEntry, JournalRow } from './journal.ts'

/** What the journal has of one thing: the last of its lines, oldest first, and how many there are. */
export interface JournalPart {
  lines: Pick<JournalRow, 'at' | 'act'>[]
  count: number
}

/**
 * What the journal of the desk (attached as "desk") says of what has a page at this desk. The whole journal
 * is walked through: for threads that answer questions.
 */
export const openJournalPart = (database: DatabaseSync) => {
  const ofPlace = 'from desk.journal where archive = ? and place = ?'
  const last = prepare<JournalPart['lines'][number]>(
    database,
    `select at, act ${ofPlace} order by number desc limit ?`,
  )
  const counted = prepareOne<{ count: number }>(database, `select count(*) as count ${ofPlace}`)
  /** @param place the address of its page: "transfers/ID" */
  return (archive: string, place: JournalEntry['place'], most: number): JournalPart => ({
    lines: last.all(archive, place, most).toReversed(),
    count: counted.get(archive, place).count,
  })
}
