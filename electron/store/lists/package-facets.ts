import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { FacetValue } from '../../contract/filters.ts'
import {
  comparedColumns,
  sizeBounds,
  type ComparedColumn,
  type WhichPackageColumns,
  type WhichPackageFacet,
} from '../../contract/packages.ts'
import { prepare, prepareOne } from '../../common/statements.ts'
import type { StorageMedium, StoragePolicy } from '../../dialects/models.ts'
import type { Cache } from '../cache/cache.ts'
import { openRevisionCache } from '../cache/revision-cache.ts'
import { facetQuery, inFacetOrder, namedInOrder, type Among } from './package-filters.ts'
import { packageQuery } from './package-query.ts'
import type { SortOrders } from './sort-orders.ts'

/** What is compared of a column, as it is shown. */
const comparedBy: Record<ComparedColumn, string> = {
  state: 'p.shownState',
  bytes: 'p.shownBytes',
  copies: 'p.shownCopies',
  generations: 'p.generations',
  changed: 'substr(p.shownSince, 1, 10)',
  creator: 'coalesce((select n.creator from package n where n.id = p.newest), p.creator)',
}

const mostFacets = 50
/** So many packages are walked through at a time. */
const step = 100_000
/** So many rows are named one by one; of more the list itself is asked. */
const mostNamed = 1_000_000

/**
 * The columns that say the same in all rows: those of the first one without what differs in the next row
 * that differs, until there is none.
 * @param rows "from ... where ..." of packages `p`
 * @param isOfTable whether they come from the table alone: one walk then, which goes on from the row that
 * differed, since those before it differ in nothing that is left
 */
const sameInAll = (
  database: DatabaseSync,
  rows: string,
  given: Record<string, SQLInputValue>,
  isOfTable: boolean,
): ComparedColumn[] => {
  const selected = comparedColumns.map((column) => `${comparedBy[column]} as ${column}`).join(', ')
  const [after, order] = isOfTable ? ['and p.number > :after', 'order by p.number'] : ['', '']
  const first = prepare<Record<ComparedColumn, string | number | null> & { number: number }>(
    database,
    `select p.number, ${selected} ${rows} ${order} limit 1`,
  ).get(given)
  let same = [...comparedColumns]
  let last = first?.number
  while (first && last !== undefined && same.length > 0) {
    const values = Object.fromEntries(same.map((column) => [`first_${column}`, first[column]]))
    const alike = same.map((column) => `${comparedBy[column]} is :first_${column}`)
    // Compared there alone: what is read of a damaged text is not what is held.
    const other = prepare<Record<ComparedColumn, 0 | 1> & { number: number }>(
      database,
      `select p.number, ${alike.map((isAlike, nth) => `${isAlike} as ${same[nth]}`).join(', ')}
        ${rows} ${after} and not (${alike.join(' and ')}) ${order} limit 1`,
    ).get({ ...given, ...values, ...(isOfTable ? { after: last } : {}) })
    if (!other) return same
    same = same.filter((column) => other[column] === 1)
    last = other.number
  }
  return same
}

/**
 * What the packages of a list have in common, and how they differ.
 * @param yieldToRows waits while somebody is asked for rows, between two steps of what takes long
 */
export const openPackageFacets = (
  { database, one }: Pick<Cache, 'database' | 'one'>,
  sortOrders: Pick<SortOrders, 'count' | 'of'>,
  yieldToRows: () => void = () => undefined,
) => {
  const kept = openRevisionCache<Omit<FacetValue, 'name'>[]>(database, mostFacets)
  const last = prepareOne<{ n: number }>(database, 'select coalesce(max(number), 0) as n from package')
  const nameOf = (field: WhichPackageFacet['field'], value: string): string => {
    if (field === 'medium') return one<StorageMedium>('media', value)?.model.name ?? ''
    return field === 'policy' ? (one<StoragePolicy>('policies', value)?.model.name ?? '') : ''
  }
  const valuesAmong = (field: WhichPackageFacet['field'], among: Among) =>
    prepare<Omit<FacetValue, 'name'>>(database, facetQuery(field, among, sizeBounds))

  /** In the order of the table: an index of another would lead to every row by itself. */
  const countAll = (
    field: WhichPackageFacet['field'],
    { among, given }: Pick<ReturnType<typeof packageQuery>, 'among' | 'given'>,
  ) => {
    const { n: end } = last.get()
    const counts = new Map<string, number>()
    const values = valuesAmong(field, {
      from: `${among.from} not indexed`,
      where: `p.number > :after and p.number <= :upTo and ${among.where}`,
    })
    for (let after = 0; after < end; after += step) {
      yieldToRows()
      for (const { value, count } of values.all({ ...given, after, upTo: after + step }))
        counts.set(value, (counts.get(value) ?? 0) + count)
    }
    return [...counts].map(([value, count]) => ({ value, count }))
  }
  /** What a text finds is looked for once for all fields. */
  const countFound = (field: WhichPackageFacet['field'], query: ReturnType<typeof packageQuery>) => {
    const { among, rows, given, lists } = query
    const numbers = sortOrders.of(lists, rows, given)
    if (numbers.length > mostNamed) return valuesAmong(field, among).all(given)
    // Values are called so in facets too.
    const from = `(select value as number from json_each(:numbers)) w
      cross join package p on p.number = w.number`
    return valuesAmong(field, { from, where: 'true' }).all({ numbers: `[${numbers.join()}]` })
  }

  return {
    /** The values of a field among what matches all other filters. */
    facet: ({ field, filters, ...which }: WhichPackageFacet): FacetValue[] => {
      const { [field]: _, ...others } = filters ?? {}
      const query = packageQuery({ ...which, filters: others })
      const values = kept.of(query.lists, JSON.stringify([field, query.rows, query.given]), () =>
        inFacetOrder(field, query.isWalk ? countAll(field, query) : countFound(field, query)),
      )
      return namedInOrder(
        field,
        values.map(({ value, count }) => ({ value, name: nameOf(field, value), count })),
      )
    },
    /** Of one row or none every column would say the same. */
    uniform: (which: WhichPackageColumns): ComparedColumn[] => {
      const { among, given, rows, lists, isWalk } = packageQuery(which)
      const isMany = sortOrders.count(lists, `select count(*) as n from (${rows} limit 2)`, given) > 1
      // In the order of the table: an index would lead to every row by itself.
      const from = isWalk ? `${among.from} not indexed` : among.from
      return isMany ? sameInAll(database, `from ${from} where ${among.where}`, given, isWalk) : []
    },
  }
}
