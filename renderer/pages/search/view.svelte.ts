/**
 * What stands in the box and is not asked of the archive yet: kept while the window lives, so that coming
 * back finds it as it was.
 */
class SearchView {
  typed = $state('')
}

export const searchView = new SearchView()
