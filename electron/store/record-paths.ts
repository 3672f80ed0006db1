import type { DatabaseSync } from 'node:sqlite'
import type { WhichRecords } from '../contract/description.ts'

interface Standing {
  id: string
  above: string | null
  title: string
}

/** Where records of description stand, and what refers to them. */
export const recordPaths = (database: DatabaseSync) => {
  const standing = database.prepare(
    `select id, above, model ->> '$.title' as title from held where subject = ? and id = ?`,
  )

  /** What a record stands below, from the top. */
  const pathTo = ({ list, id }: Pick<WhichRecords, 'list'> & { id: string }) => {
    const path: { id: string; title: string }[] = []
    let at = standing.get(`description/${list}`, id) as Standing | undefined
    while (at?.above && path.length < 100) {
      at = standing.get(`description/${list}`, at.above) as Standing | undefined
      if (at) path.unshift({ id: at.id, title: at.title })
    }
    return path
  }

  /** Records that refer to one ("list:id"), the first of each list. */
  const referring = (target: string, most: number) => {
    const lists = database
      .prepare('select subject, count(*) as total from reference where target = ? group by subject')
      .all(target) as { subject: string; total: number }[]
    const first = database.prepare(
      'select id from reference where target = ? and subject = ? order by id limit ?',
    )
    return lists.map(({ subject, total }) => ({
      subject,
      total,
      ids: first.all(target, subject, most).map((row) => String((row as { id: string }).id)),
    }))
  }

  return { pathTo, referring }
}
