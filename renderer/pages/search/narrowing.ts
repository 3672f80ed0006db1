import type { FilterChoices } from '../../../electron/contract/find.ts'
import type { SearchFilters } from '../../../electron/contract/search.ts'
import { listFilters, type ListFilter } from '../../../electron/contract/search-filters.ts'
import { say, shown } from '../../language/say.svelte.ts'

/** What packages that were found are narrowed by, as values with counts. */
export const facetFilters = ['states', 'creators', 'policies', 'media'] as const satisfies ListFilter[]

/** Filters whose values are chosen from what is held: nobody counts how much of them was found. */
export const otherFilters: ListFilter[] = listFilters.filter(
  (filter) => filter !== 'kinds' && !facetFilters.some((facet) => facet === filter),
)

export const isFilteredBeyondFacets = (asked: SearchFilters) =>
  otherFilters.some((filter) => asked[filter].length > 0)

const named = (list: { id: string; name: string }[] | undefined) =>
  (list ?? []).map(({ id, name }) => ({ value: id, text: name || id }))
const plain = (list: string[] | undefined) => (list ?? []).map((value) => ({ value, text: value }))

/** What those filters can be set to, each value with its name. */
export const offeredFrom = (
  choices: FilterChoices | undefined,
): Partial<Record<ListFilter, { value: string; text: string }[]>> => ({
  types: plain(choices?.types).map(({ value }) => ({ value, text: shown.kind(value) })),
  agents: named(choices?.agents),
  archives: named(choices?.archives),
  indices: Object.entries(say.search.parts).map(([value, text]) => ({ value, text })),
  extensions: plain(['pdf', 'xml', 'tif', 'jpg', 'docx', 'txt', 'wav', 'tar']),
})
