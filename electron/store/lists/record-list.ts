import {
  referredLists,
  type RecordRow,
  type RecordSort,
  type ReferredList,
  type WhichRecordBeginning,
  type WhichRecordColumns,
  type WhichRecordFacet,
  type WhichRecords,
} from '../../contract/description.ts'
import { mostFacetValues, type FacetValue } from '../../contract/filters.ts'
import { definitionOf, type ListName } from '../../contract/lists.ts'
import type { Listed } from '../../contract/paging.ts'
import type { Cache } from '../cache/cache.ts'
import type { SortOrders } from './sort-orders.ts'
import { likeText } from '../cache/text-functions.ts'
import { keysOf } from '../../common/records.ts'
import { prepare, prepareOne } from '../../common/statements.ts'

const inList = `held.subject = :subject and substr(held.subject, 1, 12) = 'description/'`
const parent = `coalesce(held.above, '')`

/** How many records and packages refer to one. */
const referringTo = (row: string) =>
  `from reference r where r.target = substr(${row}.subject, 13) || ':' || ${row}.id`
const usesOf = (row: string) => `(select count(*) ${referringTo(row)})`
/** In a longer list it is not looked at whether nothing is referred to. */
const mostCounted = 50_000

const sorted: Record<RecordSort, string> = {
  title: `folded(held.model ->> '$.title')`,
  note: `folded(held.model ->> '$.note')`,
  uses: usesOf('held'),
  id: 'held.id',
}
type Asked = Omit<WhichRecords, 'offset' | 'limit'>

/** What stands for the rows of a list of description, and in which order they stand. */
const recordQuery = (
  { list, within, filter, open, references = {}, sort, descending = false }: Asked,
  pathTo: Cache['pathTo'],
) => {
  const subject = `description/${list}` as const
  const typed = likeText(filter)
  const asked = keysOf(references).filter((target) => (references[target] ?? []).length > 0)
  const isFiltered = typed !== '' || asked.length > 0
  // What is found, and what is sorted, does not stand below anything.
  const isTree = definitionOf(list).isTree === true && !isFiltered && sort === undefined
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
  if (asked.length > 0)
    conditions.push(
      ...asked.map(
        (_, index) =>
          `exists (select 1 from reference r where r.subject = held.subject and r.id = held.id
            and r.target in (select value from json_each(:targets${index})))`,
      ),
    )
  const given: Record<string, string> = { subject }
  for (const [index, target] of asked.entries())
    given[`targets${index}`] = JSON.stringify(references[target]?.map((id) => `${target}:${id}`))
  if (within !== null) given['within'] = within
  if (shown !== null) given['shown'] = shown
  if (typed !== '') given['filter'] = typed
  // What stands below open rows is found by the index of parents; the planner would rather walk the list in
  // its order.
  const from = shown === null ? 'held' : 'held indexed by held_record_by_parent'
  const select = `select number from ${from} where ${conditions.join(' and ')}`
  const order = sort === undefined ? 'position' : `${sorted[sort]} ${descending ? 'desc' : 'asc'}, position`
  return { subject, isFiltered, isTree, select, order, given }
}

interface Found {
  id: string
  title: string
  note: string
  uses: number
  kids: number
  isNew: number
}

/** By what lists of description can be narrowed: by what their records refer to. */
const openReferences = ({ database, pathTo }: Pick<Cache, 'database' | 'pathTo'>) => {
  const targets = prepare<{ list: string }>(
    database,
    `select distinct substr(target, 1, instr(target, ':') - 1) as list from reference where subject = ?`,
  )
  return {
    /**
     * The lists that records of a list refer to, in the order in which these stand on the desk; what a record
     * of a tree stands below is to be seen there.
     */
    referred: (list: ListName): ReferredList[] => {
      const found = new Set(targets.all(`description/${list}`).map(({ list: target }) => target))
      if (definitionOf(list).isTree === true) found.delete(list)
      return referredLists.filter((target) => found.has(target))
    },
    /** What records refer to in a list, among those that match all other filters; the most frequent first. */
    facet: ({ field, references = {}, ...which }: WhichRecordFacet): FacetValue[] => {
      const { [field]: _, ...others } = references
      // Counted among all, as a list that is narrowed is no tree.
      const flat = { ...which, references: others, sort: 'id' } as const
      const { select, given } = recordQuery(flat, pathTo)
      const prefix = `${field}:`
      return prepare<{ value: string; count: number; name: string | null }>(
        database,
        `select substr(r.target, :length) as value, count(*) as count,
           coalesce((select t.model ->> '$.title' from held t
             where t.subject = 'description/' || :field and t.id = substr(r.target, :length)),
             (select p.label from package p where p.id = substr(r.target, :length))) as name
         from (${select}) w join held h on h.number = w.number
         join reference r on r.subject = h.subject and r.id = h.id
         where substr(r.target, 1, :length - 1) = :prefix
         group by value order by count desc, value limit ${mostFacetValues}`,
      )
        .all({ ...given, field, prefix, length: prefix.length + 1 })
        .map(({ value, count, name }) => ({ value, name: name ?? '', count }))
    },
  }
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
      record.model ->> '$.note' as note, ${usesOf('record')} as uses, exists (select 1 from held
      where ${inList} and ${parent} = (record.id || '')) as kids
     from json_each(:numbers) w join held record on record.number = w.value order by w.key`,
  )
  const queryOf = (which: Parameters<typeof recordQuery>[0]) => {
    const query = recordQuery(which, pathTo)
    const order = sortOrders.of([query.subject], `${query.select} order by ${query.order}`, query.given)
    return { ...query, order }
  }

  return {
    ...openReferences({ database, pathTo }),
    list: (which: WhichRecords): Listed<RecordRow> => {
      const { list, within, offset, limit } = which
      const { subject, isFiltered, isTree, order } = queryOf(which)
      const lines = order.length
      const of = within === null ? count(subject) : inside.get(subject, `structures:${within}`).n
      const numbers = JSON.stringify([...order.subarray(offset, offset + limit)])
      const toRow = ({ id, title, note, uses, kids, isNew }: Found): RecordRow => ({
        id,
        title,
        note,
        uses,
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
    /** What tells records apart may be the same in all of them, or nothing; titles and ids are their own. */
    uniform: (which: WhichRecordColumns): RecordSort[] => {
      // All are looked at, as a list that is sorted is no tree.
      const { subject, select, given } = recordQuery({ ...which, open: [], sort: 'id' }, pathTo)
      const n = (rows: string) =>
        sortOrders.count([subject], `select count(*) as n from (${rows} limit 2)`, given)
      if (n(select) < 2) return []
      const notes = `select distinct h.model ->> '$.note'
        from (${select}) w join held h on h.number = w.number`
      const used = `select 1 from (${select}) w join held h on h.number = w.number where exists
        (select 1 ${referringTo('h')})`
      const isCounted = count(subject) <= mostCounted && n(used) > 0
      return [...(n(notes) === 1 ? (['note'] as const) : []), ...(isCounted ? [] : (['uses'] as const))]
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
