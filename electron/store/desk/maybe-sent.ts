import type { DatabaseSync } from 'node:sqlite'
import { prepare, prepareOne } from '../../common/statements.ts'

/**
 * What may have been sent by a later state of this file. A copy that is written over the file (rsync
 * --inplace, a snapshot of the computer) leaves its number on the disk as it was, and nobody can tell that it
 * came back: so whatever was to be sent when the file was opened is asked for once before it is.
 */
export const openMaybeSent = (database: DatabaseSync) => {
  const lastOf = (table: 'job' | 'orderDraft') =>
    prepareOne<{ last: number }>(database, `select coalesce(max(rowid), 0) as last from ${table}`).get().last
  const last = { job: lastOf('job'), draft: lastOf('orderDraft') }
  const older = prepare<{ found: number }>(
    database,
    `select 1 as found from job where id = ?1 and rowid <= ?2
     union all select 1 from orderDraft where id = ?1 and rowid <= ?3`,
  )
  const added = new Set<string>()
  const settled = new Set<string>()
  return {
    /** Whether a job or a draft was there when the file was opened, and was not asked for since. */
    has: (id: string): boolean =>
      !settled.has(id) && (added.has(id) || older.get(id, last.job, last.draft) !== undefined),
    /** The same of one that was made of what was there. */
    add: (id: string): void => void added.add(id),
    /** The archive was asked for it. */
    settle: (id: string): void => void settled.add(id),
  }
}
