import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { textOf, type NewElement } from '../cache/row-table.ts'
import { prepare, prepareOne } from '../../common/statements.ts'

/** An element that waits until its list is complete. */
export interface Laid extends NewElement {
  number: number
  /** Under what it is found again: the id of its first record. */
  key: string
  /** The held element that it takes the place of. */
  element: number | null
  pass: number
}

type StagedBody = Pick<Laid, 'rows' | 'unreadable'>
type StagedRow = Omit<Laid, 'rows' | 'unreadable'> & { body: string }

/** Keeps what differs from the local copy aside, on disk, until its list is complete. */
export const staging = (database: DatabaseSync) => {
  database.exec(
    `create temp table if not exists staged (number integer primary key, snapshot text not null,
      key text not null, element integer, pass integer not null, digest text not null, bytes integer not null,
      body text not null) strict;
     create unique index if not exists temp.staged_by_key on staged (snapshot, key)`,
  )
  const snapshot = randomUUID()
  const one = prepare<{ number: number; pass: number; digest: string }>(
    database,
    'select number, pass, digest from staged where snapshot = ? and key = ?',
  )
  const put = prepareOne<{ number: number }>(
    database,
    `insert into staged (snapshot, key, element, pass, digest, bytes, body) values (?, ?, ?, ?, ?, ?, ?)
     on conflict (snapshot, key) do update
       set pass = excluded.pass, digest = excluded.digest, bytes = excluded.bytes, body = excluded.body
       returning number`,
  )
  const after = prepare<StagedRow>(
    database,
    `select number, key, element, pass, digest, bytes, body from staged
        where snapshot = ? and number > ? order by number limit 1`,
  )
  let count = 0
  return {
    count: () => count,
    one: (key: string) => (count === 0 ? undefined : one.get(snapshot, key)),
    lay: ({ key, element, pass, digest, bytes, rows, unreadable }: Omit<Laid, 'number'>): number => {
      count += 1
      const records = rows.map(({ model, raw, text }) =>
        text === undefined ? { model, raw } : { model, text: textOf(text) },
      )
      const body = JSON.stringify({ rows: records, unreadable })
      return put.get(snapshot, key, element, pass, digest, bytes, body).number
    },
    all: function* (): Generator<Laid> {
      for (let row = after.get(snapshot, 0); row; row = after.get(snapshot, row.number)) {
        const { body, ...laid } = row
        // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- a temporary table, of lay()
        const { rows, unreadable } = JSON.parse(body) as StagedBody
        yield { ...laid, rows, unreadable }
      }
    },
    clear: () => {
      count = 0
      database.prepare('delete from staged where snapshot = ?').run(snapshot)
    },
  }
}

export type Staging = ReturnType<typeof staging>
