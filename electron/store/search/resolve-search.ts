import { foundGroups, type FoundGroup, type WhichHits } from '../../contract/find.ts'
import { hasIndexFilter, withoutIndexFilters } from '../../contract/search-filters.ts'
import { isAsked, type groupMatches } from './group-matches.ts'
import { readQuery } from './query-text.ts'

/**
 * What a search asks of all that is held, whichever headings are shown of it. Types and parts that only the
 * archive's own index has are left out where nothing held has them.
 */
export const resolveSearch = (
  { typed, filters }: Pick<WhichHits, 'typed' | 'filters'>,
  { rows }: Pick<ReturnType<typeof groupMatches>, 'rows'>,
) => {
  const terms = readQuery(typed)
  const ofAllKinds = { ...filters, kinds: [] }
  const isFound = () => foundGroups.some((group) => rows({ group, terms, filters: ofAllKinds }, 1).total > 0)
  const isWithoutIndexFilters = hasIndexFilter(filters) && !isFound()
  const resolved = isWithoutIndexFilters ? withoutIndexFilters(ofAllKinds) : ofAllKinds
  return {
    terms,
    filters: resolved,
    isWithoutIndexFilters,
    /** Whether anything is asked at all: else nothing is found. */
    isAsked: isAsked(terms, resolved),
    isShown: (group: FoundGroup) => filters.kinds.length === 0 || filters.kinds.includes(group),
  }
}
