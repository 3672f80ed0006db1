/**
 * What stands in the box and is not asked of the archive yet: kept while the window lives, so that coming
 * back finds it as it was.
 */
class SearchView {
  typed = $state('')
  /** What was asked when it was typed: whoever comes back to that goes on typing. */
  beside = ''
  /** The hit that was opened last: whoever comes back goes on from there. */
  opened = ''
}

export const searchView = new SearchView()
