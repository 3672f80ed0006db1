import type { DatabaseSync } from 'node:sqlite'
import type { Account } from './accounts/accounts.ts'
import type { Source } from './resources/resource.ts'
import { visibleRows } from './visibility.ts'
import { prepare, prepareOne } from '../common/statements.ts'

const perRead = 32

/**
 * The bytes of a record without its closing brace; as a blob, since of a text SQLite would count every
 * character.
 */
const open = (body: string) => `substr(cast(${body} as blob), 1, length(cast(${body} as blob)) - 1)`

/**
 * AICs with what is nested in them, as the bytes that the archive keeps: 100 000 packages cost neither their
 * parsing nor their place in memory. The permissions of the one who asks are put before each closing brace
 * (specification 2.9).
 */
export const packageSource = (sqlite: DatabaseSync, permissions: string[], account: Account): Source => {
  const visible = `and ${visibleRows('information package', account)}`
  const tops = `from record indexed by package_by_level where kind = 'information package'
      and cast(body ->> 'package_type' as text) = '1' ${visible}`
  const mine = `,"permissions":${JSON.stringify(permissions)}`
  // Put in order by what is read, of which an index has the order: an aggregate that sorts copies every byte.
  const nested = `select group_concat(${open('body')} || :mine || '}', ',') from (
    select body from record indexed by package_by_aic
     where kind = 'information package' and cast(body ->> 'aic' as text) = top.id ${visible} order by seq)`
  const whole =
    `${open('top.body')} || :mine || ',"information_packages":[' || coalesce((${nested}), '') || ` +
    `'],"new_version_in_progress":null}'`

  return {
    count: () => prepareOne<{ count: number }>(sqlite, `select count(*) as count ${tops}`).get().count,
    pieces: function* (from, length) {
      const read = prepareOne<{ last: number | null; records: number; bytes: Uint8Array | null }>(
        sqlite,
        `select max(seq) as last, count(*) as records,
          cast(group_concat(${whole}, ',') as blob) as bytes
         from (select seq, id, body ${tops} and seq > :after order by seq limit :limit) top`,
      )
      const start =
        from === 0
          ? { seq: -1 }
          : prepare<{ seq: number }>(sqlite, `select seq ${tops} order by seq limit 1 offset ?`).get(from - 1)
      let left = length
      for (let after = start?.seq ?? null; after !== null && left > 0;) {
        const { last, records, bytes } = read.get({ mine, after, limit: Math.min(perRead, left) })
        if (bytes) yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        left -= records
        after = last
      }
    },
  }
}
