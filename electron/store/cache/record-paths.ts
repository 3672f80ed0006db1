import type { DatabaseSync } from 'node:sqlite'
import type { WhichRecords } from '../../contract/description.ts'
import { prepare } from '../../common/statements.ts'

interface PlacedRecord {
  id: string
  above: string | null
  title: string
}

/** Where records of description stand, and what refers to them. */
export const recordPaths = (database: DatabaseSync) => {
  const byId = prepare<PlacedRecord>(
    database,
    `select id, above, model ->> '$.title' as title from held where subject = ? and id = ?`,
  )

  /** What a record stands below, from the top. */
  const pathTo = ({ list, id }: Pick<WhichRecords, 'list'> & { id: string }) => {
    const path: { id: string; title: string }[] = []
    let above = byId.get(`description/${list}`, id)
    while (above?.above && path.length < 100) {
      above = byId.get(`description/${list}`, above.above)
      if (above) path.unshift({ id: above.id, title: above.title })
    }
    return path
  }

  /** More are not put in the order of their list, which would look at each of them. */
  const mostInOrder = 2_000
  /** Records that refer to one ("list:id"), the first of each list. */
  const referring = (target: string, most: number) => {
    const lists = prepare<{ subject: string; total: number }>(
      database,
      'select subject, count(*) as total from reference where target = ? group by subject',
    ).all(target)
    const first = prepare<{ id: string }>(
      database,
      'select id from reference where target = ? and subject = ? order by id limit ?',
    )
    const firstInOrder = prepare<{ id: string }>(
      database,
      `select h.id from reference r join held h on h.subject = r.subject and h.id = r.id
        where r.target = ? and r.subject = ? order by h.position, h.number limit ?`,
    )
    return lists.map(({ subject, total }) => ({
      subject,
      total,
      ids: (total > mostInOrder ? first : firstInOrder).all(target, subject, most).map(({ id }) => id),
    }))
  }

  const packagesOf = prepare<{ id: string; title: string }>(
    database,
    `select p.id, coalesce(nullif(p.label, ''), p.identifier) as title from reference r
      join package p on p.id = substr(r.target, ${'information-packages:'.length + 1})
      where r.subject = 'description/' || ? and r.id = ? and r.target >= 'information-packages:'
        and r.target < 'information-packages;' order by p.label, p.id limit ?`,
  )

  return {
    pathTo,
    referring,
    /** The first packages that a record refers to. */
    packagesOf: ({ list, id }: Pick<WhichRecords, 'list'> & { id: string }, most: number) =>
      packagesOf.all(list, id, most),
  }
}
