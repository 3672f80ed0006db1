import type { SearchFilters } from '../../../electron/contract/search.ts'
import { listFilters, type ListFilter } from '../../../electron/contract/search-filters.ts'

/** What packages that were found are narrowed by, as values with counts. */
export const facetFilters = ['states', 'creators', 'policies', 'media'] as const satisfies ListFilter[]

/** Filters whose values are chosen from what is held: nobody counts how much of them was found. */
export const otherFilters: ListFilter[] = listFilters.filter(
  (filter) => filter !== 'kinds' && !facetFilters.some((facet) => facet === filter),
)

export const isFilteredBeyondFacets = (asked: SearchFilters) =>
  otherFilters.some((filter) => asked[filter].length > 0)
