import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { SearchAnswer, SearchHit } from '../../electron/contract/search.ts'
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

const hit = (id: string): SearchHit => ({
  id,
  part: 'component',
  type: '',
  title: [{ text: id, isMatch: false }],
  code: '',
  excerpt: [],
  archive: null,
  bytes: null,
  file: null,
  generation: null,
  to: { list: 'tags', id },
})

test('whoever turns the page goes on at the first hit of the next one', async () => {
  const page = (...ids: string[]) =>
    new Query(() => Promise.resolve({ ...empty, hits: ids.map(hit), total: 120, pages: 3 }))
  const asked = { ...nothing, q: 'hamn' }
  const onchange = vi.fn()
  const { rerender } = render(IndexHits, { asked, query: page('one', 'two'), reading: [], onchange })
  const next = await screen.findByRole('button', { name: 'Next page' })
  const heading = screen.getByRole('heading')
  heading.scrollIntoView = vi.fn()
  next.focus()
  await fireEvent.click(next)
  expect(onchange).toHaveBeenCalledExactlyOnceWith({ page: 2 })
  await rerender({ asked: { ...asked, page: 2 }, query: page('three', 'four') })
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('three'))
  expect(heading.scrollIntoView).toHaveBeenCalledOnce()
  // Whoever has gone elsewhere meanwhile stays there.
  await fireEvent.click(screen.getByRole('button', { name: 'Previous page' }))
  const box = document.body.appendChild(document.createElement('input'))
  box.focus()
  await rerender({ asked, query: page('one', 'two') })
  await screen.findByRole('link', { name: 'one' })
  expect(document.activeElement).toBe(box)
  box.remove()
})
