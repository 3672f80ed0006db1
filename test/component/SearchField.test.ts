import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { Found, FoundList } from '../../electron/contract/find.ts'
import SearchField from '../../renderer/pages/frame/SearchField.svelte'
// Loaded with the first opening, which is to find it loaded.
import '../../renderer/pages/help/guide.ts'
import { go } from '../../renderer/state/place.svelte.ts'

// The page's door is there before any page is.
const find = vi.hoisted(() => {
  const ask = vi.fn()
  const list = vi.fn()
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const archive = { find: { ask, list }, views: { all: value({}), keep: value(null) } }
  Object.assign(window, { bridge: { application: {}, archive } })
  return { ask, list }
})
afterEach(() => go('desk'))

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

const nothing: FoundList = {
  reading: [],
  exact: [],
  hits: [],
  total: 0,
  isMore: false,
  kinds: [],
  waiting: 0,
  asOf: null,
}

test('Enter opens what is found for all that is typed, also before the answer has come', async () => {
  const { promise, resolve } = Promise.withResolvers<{ value: FoundList }>()
  find.list.mockReturnValue(promise)
  render(SearchField, { status })
  const field = screen.getByRole('combobox')
  field.focus()
  await fireEvent.input(field, { target: { value: 'LTO-0418' } })
  await fireEvent.keyDown(field, { key: 'Enter' })
  expect(location.hash).not.toContain('search')
  resolve({ value: { ...nothing, exact: [tape] } })
  await waitFor(() => expect(location.hash).toContain('m1'))
  // One key, one question.
  expect(find.list).toHaveBeenCalledOnce()
  expect(find.ask).not.toHaveBeenCalled()
})

test('a page of the guide is found by its words, with the sentence that says them', async () => {
  find.list.mockResolvedValue({ value: { exact: [], hits: [] } })
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

test('what is held comes before what can be pressed on the page, and says where the word stands', async () => {
  const marked = (text: string) => [
    { text: 'From ', isMatch: false },
    { text, isMatch: true },
  ]
  const delivery: Found = {
    ...tape,
    id: 'd1',
    group: 'deliveries',
    title: [],
    excerpt: marked('Byggnadsnämnden'),
  }
  find.list.mockResolvedValue({
    value: {
      exact: [],
      hits: [{ ...tape, id: 'p1', title: [{ text: 'Byggnadslov', isMatch: true }] }, delivery],
    },
  })
  const main = document.createElement('main')
  main.innerHTML = '<button>Byggnadsnämnden<span class="num">1</span></button>'
  document.body.append(main)
  HTMLElement.prototype.checkVisibility = () => true
  render(SearchField, { status })
  const field = screen.getByRole('combobox')
  field.focus()
  await fireEvent.click(field)
  await fireEvent.input(field, { target: { value: 'bygg' } })
  await screen.findByRole('option', { name: /Byggnadslov/, selected: true })
  expect(screen.getByRole('option', { name: /From Byggnadsnämnden/ })).toBeTruthy()
  expect(screen.getByRole('option', { name: 'Byggnadsnämnden' })).toBeTruthy()
  main.remove()
})

test('what can be pressed is offered once, and headings of lists and tables are none of it', async () => {
  find.list.mockResolvedValue({ value: { exact: [], hits: [] } })
  const main = document.createElement('main')
  main.innerHTML = `<h2>Mine shafts</h2>
    <div role="row"><div role="columnheader"><button>Mine label</button></div></div>
    <table><thead><tr><th role="columnheader"><button>Mine size</button></th></tr></thead></table>
    <button>Mine order</button><a href="#/orders">Mine order</a><button>Print …</button>`
  document.body.append(main)
  HTMLElement.prototype.checkVisibility = () => true
  render(SearchField, { status })
  const field = screen.getByRole('combobox')
  field.focus()
  await fireEvent.click(field)
  const offered = async (typed: string) => {
    await fireEvent.input(field, { target: { value: typed } })
    await waitFor(() => expect(screen.queryAllByRole('option').length).toBeGreaterThan(1))
    return screen.getAllByRole('option').map((option) => option.textContent.replaceAll(/\s+/g, ' ').trim())
  }
  expect((await offered('mine')).filter((text) => text.startsWith('Mine'))).toEqual(['Mine order'])
  expect((await offered('print')).filter((text) => text.startsWith('Print …'))).toHaveLength(1)
  main.remove()
})
