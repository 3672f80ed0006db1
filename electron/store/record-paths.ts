import type { WhichRecords } from '../contract/description.ts'
import type { Cache } from './cache.ts'

interface Standing {
  id: string
  above: string | null
  title: string
}

/** Where records of description stand, and what refers to them. */
export const recordPaths = ({ database }: Pick<Cache, 'database'>) => {
  const standing = database.prepare(
    `select id, above, model ->> '$.title' as title from held where archive = ? and subject = ? and id = ?`,
  )

  /** What a record stands below, from the top. */
  const pathTo = (archive: string, { list, id }: Pick<WhichRecords, 'list'> & { id: string }) => {
    const path: { id: string; title: string }[] = []
    let at = standing.get(archive, `description/${list}`, id) as Standing | undefined
    while (at?.above && path.length < 100) {
      at = standing.get(archive, `description/${list}`, at.above) as Standing | undefined
      if (at) path.unshift({ id: at.id, title: at.title })
    }
    return path
  }

  /** Records that refer to one ("list:id"), the first of each list. */
  const referring = (archive: string, target: string, most: number) => {
    const lists = database
      .prepare(
        'select subject, count(*) as total from reference where archive = ? and target = ? group by subject',
      )
      .all(archive, target) as { subject: string; total: number }[]
    const first = database.prepare(
      'select id from reference where archive = ? and target = ? and subject = ? order by id limit ?',
    )
    return lists.map(({ subject, total }) => ({
      subject,
      total,
      ids: first.all(archive, target, subject, most).map((row) => String((row as { id: string }).id)),
    }))
  }

  return { pathTo, referring }
}
