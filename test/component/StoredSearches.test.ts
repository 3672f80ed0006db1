import { render, screen, within } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import { readAsked } from '../../electron/contract/search-filters.ts'
import type { StoredSearch } from '../../electron/contract/searches.ts'
import StoredSearches from '../../renderer/pages/search/StoredSearches.svelte'

// The page's door is there before any page is.
vi.hoisted(() => Object.assign(window, { bridge: { application: {}, archive: {} } }))

const unseen: StoredSearch = {
  id: '1',
  name: 'Drawings since 2019',
  address: 'q=ritningar',
  keptIn: 'archive',
  refusal: null,
  notUnderstood: [],
  total: 2,
  isMore: false,
  news: null,
  since: null,
  isTold: false,
}
const since = '2026-11-23T07:00:00.000Z'

test('a search is marked as seen once somebody watches it or has looked; before that nothing in it is new', () => {
  const stored = [
    unseen,
    { ...unseen, id: '2', name: 'Harbour', news: 0, since, isTold: true },
    { ...unseen, id: '3', name: 'Maps', news: 4, since },
  ]
  render(StoredSearches, { asked: readAsked(''), canStore: false, stored: { value: stored } })
  const offersOf = (name: string) => {
    const line = screen.getByRole('link', { name }).closest('li')
    return line && within(line).queryByRole('button', { name: 'Mark as seen' })
  }
  expect(offersOf('Drawings since 2019')).toBeNull()
  expect(offersOf('Harbour')).not.toBeNull()
  expect(offersOf('Maps')).not.toBeNull()
})
