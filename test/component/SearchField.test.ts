import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Found, FoundAnswer, FoundList } from '../../electron/contract/find.ts'
import SearchField from '../../renderer/pages/frame/SearchField.svelte'
// Loaded with the first opening, which is to find it loaded.
import '../../renderer/pages/help/guide.ts'
import { go } from '../../renderer/state/place.svelte.ts'

// The page's door is there before any page is.
const find = vi.hoisted(() => {
  const [ask, list] = [vi.fn(), vi.fn()]
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const archive = { find: { ask, list }, views: { all: value({}), keep: value(null) } }
  Object.assign(window, { bridge: { application: {}, archive } })
  return { ask, list }
})
const nothing: FoundAnswer = { reading: [], exact: [], groups: [], waiting: 0, asOf: null }
const listOf = (hits: Found[]): FoundList => ({
  reading: [],
  exact: [],
  hits,
  total: hits.length,
  isMore: false,
  kinds: [],
  waiting: 0,
  asOf: null,
})
beforeEach(() => {
  find.ask.mockResolvedValue({ value: nothing })
  find.list.mockResolvedValue({ value: listOf([]) })
})
afterEach(() => {
  go('desk')
  document.body.replaceChildren()
})

const tape: Found = {
  id: 'm1',
  group: 'media',
  title: [{ text: 'LTO-0418', isMatch: true }],
  note: [],
  excerpt: [],
  to: { list: 'storage-mediums', id: 'm1' },
  place: '',
  generation: null,
  state: '',
  facts: null,
}
const status = {
  account: null,
  others: [],
  connection: { state: 'offline' as const, asOf: null, refreshing: false, failure: null },
  lastUrl: '',
  lastUsername: '',
}

test('Enter opens what is found for all that is typed, also before the answer has come', async () => {
  const { promise, resolve } = Promise.withResolvers<{ value: FoundAnswer }>()
  find.ask.mockReturnValue(promise)
  render(SearchField, { status })
  const field = screen.getByRole('combobox')
  field.focus()
  await fireEvent.input(field, { target: { value: 'LTO-0418' } })
  await fireEvent.keyDown(field, { key: 'Enter' })
  expect(location.hash).not.toContain('search')
  resolve({ value: { reading: [], exact: [tape], groups: [], waiting: 0, asOf: null } })
  await waitFor(() => expect(location.hash).toContain('m1'))
})

test('a page of the guide is found by its words, with the sentence that says them', async () => {
  render(SearchField, { status })
  const field = screen.getByRole('combobox')
  field.focus()
  await fireEvent.input(field, { target: { value: 'originals deleted' } })
  const group = await screen.findByRole('group', { name: 'Guide' })
  expect(group.textContent).toContain('Transfers')
  expect(group.textContent).toContain('whether the originals may be deleted')
  await fireEvent.click(within(group).getAllByRole('option')[0] ?? group)
  await waitFor(() => expect(location.hash).toMatch(/^#\/help\/transfers/))
})

test('what is held comes before the links of the page, which are called by their words alone', async () => {
  const filter = document.createElement('main')
  filter.innerHTML = '<a href="#/packages?creator=1"><span>Board</span><span class="num">12</span></a>'
  document.body.append(filter)
  // The page that is tested draws nothing, so nothing of it is seen.
  filter.querySelectorAll('a').forEach((link) => Object.assign(link, { checkVisibility: () => true }))
  const drawings: Found = {
    ...tape,
    id: 'p1',
    group: 'packages',
    title: [{ text: 'Board minutes', isMatch: false }],
  }
  find.list.mockResolvedValue({ value: listOf([drawings]) })
  render(SearchField, { status })
  const field = screen.getByRole('combobox')
  field.focus()
  await fireEvent.input(field, { target: { value: 'board' } })
  await screen.findByRole('option', { name: /Board minutes/ })
  const options = screen.getAllByRole('option').map(({ textContent }) => textContent.trim())
  expect(options.slice(0, 2)).toEqual(['Board minutes', 'Board'])
})
