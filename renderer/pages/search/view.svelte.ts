import type { FoundGroup } from '../../../electron/contract/find.ts'

/**
 * What stands in the box and is not asked of the archive yet: kept while the window lives, so that coming
 * back finds it as it was.
 */
class SearchView {
  typed = $state('')
  group = $state<FoundGroup | null>(null)
  hasFilters = $state(false)
}

export const searchView = new SearchView()
