/**
 * What stands in the box and is not asked of the archive yet: kept while the window lives, so that coming
 * back finds it as it was.
 */
class SearchView {
  typed = $state('')
  /** The search at which that was typed, as its address: whoever comes back to it goes on typing. */
  typedAt = ''
  /** The hit that was opened last: whoever comes back goes on from there. */
  opened = ''
}

export const searchView = new SearchView()
