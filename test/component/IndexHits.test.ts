import { render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { SearchAnswer } from '../../electron/contract/search.ts'
import { nothing } from '../../electron/contract/search-filters.ts'
import IndexHits from '../../renderer/pages/search/IndexHits.svelte'
import { Query } from '../../renderer/state/query.svelte.ts'

// The page's door is there before any page is.
vi.hoisted(() => {
  const news = () => () => undefined
  Object.assign(window, { bridge: { application: {}, archive: { connection: { changed: news } } } })
})

const empty: SearchAnswer = { hits: [], total: 0, pages: 1, types: [], extensions: [] }

const shownFor = async (asked: typeof nothing) => {
  const query = new Query(() => Promise.resolve(empty))
  const page = render(IndexHits, { asked, query, reading: [], onchange: vi.fn() })
  await screen.findByText('Nothing in the archive’s index matches.')
  return page
}

test('where the index finds nothing it is said how it looks; filters are taken off only where there are some', async () => {
  const page = await shownFor({ ...nothing, q: 'ritning' })
  screen.getByText(/An index looks for whole words/)
  expect(screen.queryByRole('button', { name: 'Without filters' })).toBeNull()
  page.unmount()
  await shownFor({ ...nothing, q: 'ritning', types: ['e-mail'] })
  expect(screen.queryByText(/An index looks for whole words/)).toBeNull()
  screen.getByRole('button', { name: 'Without filters' })
})
