import type { RecordRow, WhichRecordBeginning, WhichRecords } from '../contract/description.ts'
import { definitionOf } from '../contract/lists.ts'
import type { Listed } from '../contract/packages.ts'
import type { Cache } from './cache.ts'
import type { SortOrders } from './sort-orders.ts'
import { likeText } from './texts.ts'
import { prepare, prepareOne } from '../common/statements.ts'

const inList = `held.subject = :subject and substr(held.subject, 1, 12) = 'description/'`
const parent = `coalesce(held.above, '')`

/** What stands for the rows of a list of description, and in which order they stand. */
const recordQuery = (
  { list, within, filter, open }: Pick<WhichRecords, 'list' | 'within' | 'filter' | 'open'>,
  pathTo: Cache['pathTo'],
) => {
  const subject = `description/${list}` as const
  const typed = likeText(filter)
  const isTree = definitionOf(list).isTree === true && typed === ''
  // A row in a closed one is not shown, even where it was left open itself.
  const isReached = (id: string) => pathTo({ list, id }).every((above) => open.includes(above.id))
  const shown = isTree ? JSON.stringify(['', ...open.filter(isReached)]) : null
  const conditions = [inList]
  if (within !== null)
    conditions.push(
      // What stands below an open row stands in the same structure as that row.
      shown === null
        ? `held.model ->> '$.within' = :within`
        : `(${parent} <> '' or held.model ->> '$.within' = :within)`,
    )
  if (shown !== null) conditions.push(`${parent} in (select value from json_each(:shown))`)
  if (typed !== '')
    conditions.push(
      `folded(held.model ->> '$.title' || ' ' || (held.model ->> '$.note') || ' ' || held.id) like ` +
        `'%' || :filter || '%' escape '\\'`,
    )
  const given: Record<string, string> = { subject }
  if (within !== null) given['within'] = within
  if (shown !== null) given['shown'] = shown
  if (typed !== '') given['filter'] = typed
  // What stands below open rows is found by the index of parents; the planner would rather walk the list in
  // its order.
  const from = shown === null ? 'held' : 'held indexed by held_record_by_parent'
  const select = `select number from ${from} where ${conditions.join(' and ')}`
  return { subject, isFiltered: typed !== '', isTree, select, given }
}

interface Found {
  id: string
  title: string
  note: string
  kids: number
  isNew: number
}

/**
 * Lists records of description from the local copy, a window of rows at a time; of a tree only what stands
 * below open rows.
 */
export const openRecordList = (
  { database, asOf, count, pathTo }: Pick<Cache, 'database' | 'asOf' | 'count' | 'pathTo'>,
  sortOrders: SortOrders,
) => {
  const inside = prepareOne<{ n: number }>(
    database,
    'select count(*) as n from reference where subject = ? and target = ?',
  )
  const shownRows = prepare<Found>(
    database,
    `select record.id, record.changed is not null as isNew, record.model ->> '$.title' as title,
      record.model ->> '$.note' as note, exists (select 1 from held
      where ${inList} and ${parent} = (record.id || '')) as kids
     from json_each(:numbers) w join held record on record.number = w.value order by w.key`,
  )
  const queryOf = (which: Parameters<typeof recordQuery>[0]) => {
    const query = recordQuery(which, pathTo)
    const order = sortOrders.of([query.subject], `${query.select} order by position`, query.given)
    return { ...query, order }
  }

  return {
    list: (which: WhichRecords): Listed<RecordRow> => {
      const { list, within, offset, limit } = which
      const { subject, isFiltered, isTree, order } = queryOf(which)
      const lines = order.length
      const of = within === null ? count(subject) : inside.get(subject, `structures:${within}`).n
      const numbers = JSON.stringify([...order.subarray(offset, offset + limit)])
      const toRow = ({ id, title, note, kids, isNew }: Found): RecordRow => ({
        id,
        title,
        note,
        depth: isTree ? pathTo({ list, id }).length : 0,
        hasChildren: isTree && kids === 1,
        isNew: isNew === 1,
      })
      return {
        rows: shownRows.all({ subject, numbers }).map(toRow),
        total: isFiltered ? lines : of,
        of,
        lines,
        asOf: asOf(subject),
      }
    },
    /**
     * The line of the next row whose title begins so, from one on and then from the top; null where none
     * does.
     */
    beginning: ({ begins, from, ...which }: WhichRecordBeginning): number | null => {
      const { order, select, given } = queryOf(which)
      const titled = `folded(held.model ->> '$.title') like :begins || '%' escape '\\'`
      return sortOrders.placeOf(
        order,
        `${select} and ${titled}`,
        { ...given, begins: likeText(begins) },
        from,
      )
    },
  }
}
