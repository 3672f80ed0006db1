import type { FacetValue } from '../contract/filters.ts'
import {
  comparedColumns,
  sizeBounds,
  type ComparedColumn,
  type WhichColumns,
  type WhichFacet,
} from '../contract/packages.ts'
import { prepare } from '../common/statements.ts'
import type { StorageMedium, StoragePolicy } from '../dialects/models.ts'
import type { Cache } from './cache.ts'
import { openKept } from './kept-values.ts'
import { facetQuery, type Among } from './package-filters.ts'
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
/** So many rows are named one by one; of more the list itself is asked. */
const mostNamed = 1_000_000

/** What the packages of a list have in common, and how they differ. */
export const openPackageFacets = (
  { database, one }: Pick<Cache, 'database' | 'one'>,
  sortOrders: Pick<SortOrders, 'count' | 'of'>,
) => {
  const counted = openKept<Omit<FacetValue, 'name'>[]>(database, mostFacets)
  const nameOf = (field: WhichFacet['field'], value: string): string => {
    if (field === 'medium') return one<StorageMedium>('media', value)?.model.name ?? ''
    return field === 'policy' ? (one<StoragePolicy>('policies', value)?.model.name ?? '') : ''
  }

  /** The rows of a list; those that were found by a text are looked for once for all fields. */
  const rowsOf = (
    query: ReturnType<typeof packageQuery>,
  ): { among: Among; given: Record<string, string> } => {
    const { among, rows, given, lists } = query
    const numbers = among.isWalk ? undefined : sortOrders.of(lists, rows, given)
    if (numbers === undefined || numbers.length > mostNamed) return { among, given }
    return {
      among: {
        // Values are called so in facets too.
        from: `(select value as number from json_each(:numbers)) w
          cross join package p on p.number = w.number`,
        where: 'true',
        isWalk: false,
      },
      given: { numbers: `[${numbers.join()}]` },
    }
  }

  return {
    /** The values of a field among what matches all other filters. */
    facet: ({ field, filters, ...which }: WhichFacet): FacetValue[] => {
      const { [field]: _, ...others } = filters ?? {}
      const query = packageQuery({ ...which, filters: others })
      const { lists } = query
      const values = counted.of(lists, JSON.stringify([field, query.rows, query.given]), () => {
        const { among, given } = rowsOf(query)
        return prepare<Omit<FacetValue, 'name'>>(database, facetQuery(field, among, sizeBounds)).all(given)
      })
      return values.map(({ value, count }) => ({ value, name: nameOf(field, value), count }))
    },
    /** Of one row or none every column would say the same. */
    uniform: (which: WhichColumns): ComparedColumn[] => {
      const { among, given, rows, lists } = packageQuery(which)
      const values = (column: ComparedColumn, most: number) =>
        sortOrders.count(
          lists,
          `select count(*) as n from (select distinct ${comparedBy[column]} from ${among.from}
            where ${among.where} limit ${most})`,
          given,
        )
      const isMany = sortOrders.count(lists, `select count(*) as n from (${rows} limit 2)`, given) > 1
      return isMany ? comparedColumns.filter((column) => values(column, 2) === 1) : []
    },
  }
}
