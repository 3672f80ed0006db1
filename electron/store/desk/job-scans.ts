import type { DatabaseSync } from 'node:sqlite'
import type { KeptCreation, KeptTransfer } from './desk-store.ts'
import { toCreation, toTransfer } from './job-rows.ts'
import type { LocalRecord } from '../search/local-matches.ts'
import { openJobRows } from './job-table.ts'

/**
 * Every job of a kind, however many there are: for threads that answer questions and for tests, never for the
 * thread that hears the window.
 */
export const openJobScans = (database: DatabaseSync) => {
  const { many } = openJobRows(database)
  const texts = database.prepare(
    `select id, state, ${['name', 'identifier', 'description', 'organization', 'person', 'email']
      .map((field) => `coalesce(iif(json_valid(body), body ->> '$.form.${field}', ''), '') as ${field}`)
      .join(', ')}
      from job where archive = ? and kind = 'transfer' and removed is null order by made desc, id desc`,
  )
  const counted = database.prepare(
    `select kind, state, iif(json_valid(body), coalesce(body ->> '$.failure.kind', ''), '') as failure,
        coalesce(max(triedAt), '') as last, count(*) as count
      from job where archive = ? and removed is null group by 1, 2, 3 order by 1, 2, 3`,
  )
  return {
    /** How many jobs there are of each kind, by how far they are and how they failed. */
    counts: (archive: string) =>
      counted.all(archive).map(({ kind, state, failure, last, count }) => ({
        kind: String(kind),
        state: String(state),
        failure: String(failure),
        last: String(last),
        count: Number(count),
      })),
    creations: (archive: string): KeptCreation[] =>
      many(`archive = ? and kind = 'creation' and removed is null order by place`, archive).map(toCreation),
    transfers: (archive: string): KeptTransfer[] =>
      many(`archive = ? and kind = 'transfer' and removed is null order by made desc, id desc`, archive).map(
        toTransfer,
      ),
    /** What each transfer can be found by; nothing else of its body is read. */
    *transferTexts(archive: string): Generator<LocalRecord> {
      for (const row of texts.iterate(archive)) {
        const { id, state, name, identifier, description, organization, person, email } = row
        yield {
          place: `transfers/${String(id)}`,
          title: String(name || id),
          note: String(identifier),
          state: String(state),
          text: [description, organization, person, email].join(' '),
        }
      }
    },
  }
}
