import type { RecordRow, WhichRecordBeginning, WhichRecords } from '../contract/description.ts'
import { definitionOf } from '../contract/lists.ts'
import type { Listed } from '../contract/packages.ts'
import type { Cache } from './cache.ts'
import type { RowOrders } from './row-orders.ts'
import { likeText } from './texts.ts'

const inList = `held.subject = :subject and substr(held.subject, 1, 12) = 'description/'`
const parent = `coalesce(held.above, '')`

/** Lists records of description from the local copy, a window of rows at a time; of a tree only what stands below open rows. */
export const openRecordList = (
  { database, asOf, count, pathTo }: Pick<Cache, 'database' | 'asOf' | 'count' | 'pathTo'>,
  orders: RowOrders,
) => {
  const inside = database.prepare('select count(*) as n from reference where subject = ? and target = ?')

  const shownRows = database.prepare(
    `select it.id, it.changed is not null as isNew, it.model ->> '$.title' as title, it.model ->> '$.note' as note, exists (select 1 from held where ${inList} and ${parent} = (it.id || '')) as kids
     from json_each(:numbers) w join held it on it.number = w.value order by w.key`,
  )

  const asked = ({
    list,
    within,
    filter,
    open,
  }: Pick<WhichRecords, 'list' | 'within' | 'filter' | 'open'>) => {
    const subject = `description/${list}` as const
    const typed = likeText(filter)
    const isTree = definitionOf(list).isTree === true && typed === ''
    // A row in a closed one is not shown, even where it was left open itself.
    const isReached = (id: string) => pathTo({ list, id }).every((it) => open.includes(it.id))
    const shown = isTree ? JSON.stringify(['', ...open.filter(isReached)]) : null
    const conditions = [
      inList,
      // What stands below an open row stands in the same structure as that row.
      ...(within === null
        ? []
        : [
            shown === null
              ? `held.model ->> '$.within' = :within`
              : `(${parent} <> '' or held.model ->> '$.within' = :within)`,
          ]),
      ...(shown === null ? [] : [`${parent} in (select value from json_each(:shown))`]),
      ...(typed === ''
        ? []
        : [
            `folded(held.model ->> '$.title' || ' ' || (held.model ->> '$.note') || ' ' || held.id) like '%' || :filter || '%' escape '\\'`,
          ]),
    ].join(' and ')
    const given = {
      subject,
      ...(within === null ? {} : { within }),
      ...(shown === null ? {} : { shown }),
      ...(typed === '' ? {} : { filter: typed }),
    }
    // What stands below open rows is found by the index of parents; the planner would rather walk the list in its order.
    const from = shown === null ? 'held' : 'held indexed by held_record_by_parent'
    const select = `select number from ${from} where ${conditions}`
    const order = orders.of([subject], `${select} order by position`, given)
    return { subject, typed, isTree, select, given, order }
  }

  const rows = (which: WhichRecords): Listed<RecordRow> => {
    const { list, within, offset, limit } = which
    const { subject, typed, isTree, order } = asked(which)
    const lines = order.length
    const of =
      within === null ? count(subject) : (inside.get(subject, `structures:${within}`) as { n: number }).n
    const found = shownRows.all({
      subject,
      numbers: JSON.stringify([...order.subarray(offset, offset + limit)]),
    }) as {
      id: string
      title: string
      note: string
      kids: number
      isNew: number
    }[]
    return {
      rows: found.map(({ id, title, note, kids, isNew }) => ({
        id,
        title,
        note,
        depth: isTree ? pathTo({ list, id }).length : 0,
        hasChildren: isTree && kids === 1,
        isNew: isNew === 1,
      })),
      total: typed === '' ? of : lines,
      of,
      lines,
      asOf: asOf(subject),
    }
  }

  return {
    list: rows,
    /** The line of the next row whose title begins so, from one on and then from the top; null where none does. */
    beginning: ({ begins, from, ...which }: WhichRecordBeginning): number | null => {
      const { order, select, given } = asked(which)
      const titled = `folded(held.model ->> '$.title') like :begins || '%' escape '\\'`
      return orders.placeOf(order, `${select} and ${titled}`, { ...given, begins: likeText(begins) }, from)
    },
  }
}
