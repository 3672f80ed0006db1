import type { RecordRow, WhichRecords } from '../contract/description.ts'
import { definitionOf } from '../contract/lists.ts'
import type { Listed } from '../contract/packages.ts'
import type { Cache } from './cache.ts'
import { likeText } from './texts.ts'

const inList = `held.archive = :archive and held.subject = :subject and substr(held.subject, 1, 12) = 'description/'`
const parent = `coalesce(held.above, '')`

interface Standing {
  id: string
  above: string | null
  title: string
}

/** Lists records of description from the local copy, a window of rows at a time; of a tree only what stands below open rows. */
export const openRecordRows = ({ database, asOf, count }: Cache) => {
  const standing = database.prepare(`select id, above, model ->> '$.title' as title from held where archive = ? and subject = ? and id = ?`)

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

  const inside = database.prepare('select count(*) as n from reference where archive = ? and subject = ? and target = ?')

  const rows = (archive: string, { list, within, filter, open, offset, limit }: WhichRecords): Listed<RecordRow> => {
    const subject = `description/${list}` as const
    const typed = likeText(filter)
    const isTree = definitionOf(list).isTree === true && typed === ''
    // A row in a closed one is not shown, even where it was left open itself.
    const isReached = (id: string) => pathTo(archive, { list, id }).every((it) => open.includes(it.id))
    const shown = isTree ? JSON.stringify(['', ...open.filter(isReached)]) : null
    const conditions = [
      inList,
      // What stands below an open row stands in the same structure as that row.
      ...(within === null ? [] : [shown === null ? `held.model ->> '$.within' = :within` : `(${parent} <> '' or held.model ->> '$.within' = :within)`]),
      ...(shown === null ? [] : [`${parent} in (select value from json_each(:shown))`]),
      ...(typed === '' ? [] : [`folded(held.model ->> '$.title' || ' ' || (held.model ->> '$.note') || ' ' || held.id) like '%' || :filter || '%' escape '\\'`]),
    ].join(' and ')
    const given = { archive, subject, ...(within === null ? {} : { within }), ...(shown === null ? {} : { shown }), ...(typed === '' ? {} : { filter: typed }) }
    // What stands below open rows is found by the index of parents; the planner would rather walk the list in its order.
    const from = shown === null ? 'held' : 'held indexed by held_record_by_parent'
    const { lines } = database.prepare(`select count(*) as lines from ${from} where ${conditions}`).get(given) as { lines: number }
    const of = within === null ? count(archive, subject) : (inside.get(archive, subject, `structures:${within}`) as { n: number }).n
    const found = database
      .prepare(
        `select top.id, it.changed is not null as isNew, it.model ->> '$.title' as title, it.model ->> '$.note' as note, exists (select 1 from held where ${inList} and ${parent} = (top.id || '')) as kids
         from (select held.id, held.position from ${from} where ${conditions} order by held.position limit :limit offset :offset) top
         join held it on it.archive = :archive and it.subject = :subject and it.id = top.id order by top.position`,
      )
      .all({ ...given, limit, offset }) as { id: string; title: string; note: string; kids: number; isNew: number }[]
    return {
      rows: found.map(({ id, title, note, kids, isNew }) => ({
        ...{ id, title, note },
        depth: isTree ? pathTo(archive, { list, id }).length : 0,
        hasChildren: isTree && kids === 1,
        isNew: isNew === 1,
      })),
      ...{ total: typed === '' ? of : lines, of, lines, asOf: asOf(archive, subject) },
    }
  }

  /** Records that refer to one ("list:id"), the first of each list. */
  const referring = (archive: string, target: string, most: number) => {
    const lists = database.prepare('select subject, count(*) as total from reference where archive = ? and target = ? group by subject').all(archive, target) as { subject: string; total: number }[]
    const first = database.prepare('select id from reference where archive = ? and target = ? and subject = ? order by id limit ?')
    return lists.map(({ subject, total }) => ({ subject, total, ids: first.all(archive, target, subject, most).map((row) => String((row as { id: string }).id)) }))
  }

  return { rows, pathTo, referring }
}
