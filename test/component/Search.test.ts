import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import { say } from '../../renderer/language/say.svelte.ts'
import Search from '../../renderer/pages/search/Search.svelte'
import { go } from '../../renderer/state/place.svelte.ts'

// The page's door is there before any page is.
const index = vi.hoisted(() => {
  const ask = vi.fn()
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const news = () => () => undefined
  const archive = {
    search: { ask },
    find: {
      list: value({
        hits: [],
        exact: [],
        reading: [],
        kinds: [],
        total: 0,
        isMore: false,
        waiting: 0,
        asOf: null,
      }),
      facets: value([]),
      choices: value({ archives: [], agents: [], states: [], policies: [], media: [], types: [] }),
      changed: news,
    },
    searches: { list: value([]), changed: news },
    description: { changed: news },
    packages: { changed: news },
    views: { all: value({}), keep: value(null) },
  }
  Object.assign(window, { bridge: { application: {}, archive } })
  return { ask }
})
afterEach(() => go('desk'))

test('the archive’s index is asked once for what one asks, however the address comes there', async () => {
  index.ask.mockResolvedValue({ value: { hits: [], total: 0, types: [], extensions: [], pages: 1 } })
  render(Search)
  const arrived = new Promise((done) => addEventListener('hashchange', done, { once: true }))
  go('search', 'q=volume')
  await waitFor(() => expect(screen.getByText('Nothing in the archive’s index matches.')).toBeTruthy())
  await arrived
  await waitFor(() => expect(document.querySelector('.waiting')).toBeNull())
  expect(index.ask).toHaveBeenCalledTimes(1)
  location.hash = '#/search/q=volym'
  await waitFor(() => expect(index.ask).toHaveBeenCalledTimes(2))
})

test('what the archive’s index answered goes when other words are typed', async () => {
  index.ask.mockResolvedValue({ value: { hits: [], total: 0, types: [], extensions: [], pages: 1 } })
  render(Search)
  go('search', 'q=cellar')
  await screen.findByText('Nothing in the archive’s index matches.')
  await fireEvent.input(screen.getByRole('searchbox'), { target: { value: 'harbour' } })
  await waitFor(() => expect(screen.queryByRole('region', { name: say.find.index })).toBeNull())
})

test('a letter that the archive’s index found is called one, also where the archive says nothing of it', async () => {
  const letter = {
    id: 'f1',
    part: 'document',
    type: '',
    title: [{ text: 'Till kajen.eml', isMatch: false }],
    code: '',
    excerpt: [{ text: 'kranen', isMatch: true }],
    archive: null,
    bytes: null,
    file: { package: 'p1', path: 'brev/Till kajen.eml' },
    generation: null,
    to: null,
  }
  const picture = {
    ...letter,
    id: 'f2',
    title: [{ text: 'Kajen.tif', isMatch: false }],
    file: { package: 'p1', path: 'foto/Kajen.tif' },
  }
  index.ask.mockResolvedValue({
    value: { hits: [letter, picture], total: 2, types: [], extensions: [], pages: 1 },
  })
  render(Search)
  go('search', 'q=kranen')
  const kindOf = async (name: string) =>
    (await screen.findByRole('link', { name })).closest('li')?.querySelector('.line')?.textContent.trim()
  expect(await kindOf('Till kajen.eml')).toBe('Letter')
  expect(await kindOf('Kajen.tif')).toBe('Files')
})
