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
import { facetQuery } from './package-filters.ts'
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

/** What the packages of a list have in common, and how they differ. */
export const openPackageFacets = (
  { database, one }: Pick<Cache, 'database' | 'one'>,
  sortOrders: Pick<SortOrders, 'count'>,
) => {
  const nameOf = (field: WhichFacet['field'], value: string): string => {
    if (field === 'medium') return one<StorageMedium>('media', value)?.model.name ?? ''
    return field === 'policy' ? (one<StoragePolicy>('policies', value)?.model.name ?? '') : ''
  }

  return {
    /** The values of a field among what matches all other filters. */
    facet: ({ field, filters, ...which }: WhichFacet): FacetValue[] => {
      const { [field]: _, ...others } = filters ?? {}
      const { rows, given } = packageQuery({ ...which, filters: others })
      return prepare<Omit<FacetValue, 'name'>>(database, facetQuery(field, rows, sizeBounds))
        .all(given)
        .map(({ value, count }) => ({ value, name: nameOf(field, value), count }))
    },
    /** Of one row or none every column would say the same. */
    uniform: (which: WhichColumns): ComparedColumn[] => {
      const { rows, given, lists } = packageQuery(which)
      const values = (column: ComparedColumn, most: number) =>
        sortOrders.count(
          lists,
          `select count(*) as n from (select distinct ${comparedBy[column]} from (${rows}) w
            join package p on p.number = w.number limit ${most})`,
          given,
        )
      const isMany = sortOrders.count(lists, `select count(*) as n from (${rows} limit 2)`, given) > 1
      return isMany ? comparedColumns.filter((column) => values(column, 2) === 1) : []
    },
  }
}
