import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { Found, FoundList } from '../../electron/contract/find.ts'
import { setLanguage } from '../../renderer/language/say.svelte.ts'
import Keys from '../../renderer/pages/frame/Keys.svelte'
import SearchField from '../../renderer/pages/frame/SearchField.svelte'
// Loaded with the first opening, which is to find it loaded.
import '../../renderer/pages/help/guide.ts'
import { go } from '../../renderer/state/place.svelte.ts'
import type { OtherArchive } from '../../renderer/state/session.svelte.ts'
import { someAccount, someConnection } from './some-session.ts'

// The page's door is there before any page is.
const find = vi.hoisted(() => {
  const ask = vi.fn()
  const list = vi.fn()
  const files = vi.fn()
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const heard: ((payload: unknown, archive: string) => void)[] = []
  const changed = (handle: (payload: unknown, archive: string) => void) => {
    heard.push(handle)
    return () => undefined
  }
  const archive = {
    find: { ask, list, changed },
    packages: { changed: () => () => undefined },
    search: { ask: files },
    views: { all: value({}), keep: value(null) },
  }
  Object.assign(window, { bridge: { application: {}, archive } })
  return { ask, list, files, indexed: () => heard.forEach((handle) => handle({}, '')) }
})
afterEach(() => {
  go('desk')
  setLanguage('en')
})
// A page without layout scrolls nowhere.
Element.prototype.scrollIntoView = () => undefined

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
  at: null,
  facts: null,
}
const status = {
  account: null,
  others: [],
  connection: { ...someConnection, state: 'offline' as const },
  lastUrl: '',
  lastUsername: '',
}

const nothing: FoundList = {
  reading: [],
  exact: [],
  hits: [],
  total: 0,
  isMore: false,
  isWithoutIndexFilters: false,
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

test('what is typed before its words are indexed is found once they are', async () => {
  find.list.mockResolvedValue({ value: { ...nothing, waiting: 3 } })
  render(SearchField, { status })
  const field = screen.getByRole('combobox')
  field.focus()
  await fireEvent.input(field, { target: { value: 'lto' } })
  await screen.findByRole('option', { name: /Search for/ })
  expect(screen.queryByRole('option', { name: /LTO-0418/ })).toBeNull()
  find.list.mockResolvedValue({ value: { ...nothing, hits: [tape] } })
  find.indexed()
  await screen.findByRole('option', { name: /LTO-0418/ })
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

test('a button of the page that is called what is typed comes first, unless what is held is called so', async () => {
  const title = (text: string) => [{ text, isMatch: true }]
  const room: Found = { ...tape, id: 'p1', title: title('Parish maps'), note: title('Reading room') }
  const main = document.createElement('main')
  main.innerHTML = '<button>Already read</button><button>Read<kbd>R</kbd></button>'
  document.body.append(main)
  HTMLElement.prototype.checkVisibility = () => true
  for (const [typed, hits, first] of [
    ['read', [room], 'Read'],
    ['rea', [room], 'Parish maps'],
    ['read', [{ ...tape, id: 'p2', title: title('Read') }, room], 'Read'],
  ] as const) {
    find.list.mockResolvedValue({ value: { ...nothing, hits } })
    const { unmount } = render(SearchField, { status })
    const field = screen.getByRole('combobox')
    field.focus()
    await fireEvent.click(field)
    await fireEvent.input(field, { target: { value: typed } })
    await screen.findByRole('option', { name: /Parish maps/ })
    const option = screen.getAllByRole('option')[0]
    expect(option?.textContent).toMatch(new RegExp(`^\\s*${first}`))
    const group = option?.closest('[role=group]')?.getAttribute('aria-labelledby') ?? ''
    expect(document.getElementById(group)?.textContent).toBe(
      hits.length === 1 && typed === 'read' ? 'On this page' : 'Media',
    )
    unmount()
  }
  main.remove()
})

test('an event that is named exactly is offered in the language of who reads', async () => {
  setLanguage('sv')
  const event: Found = {
    ...tape,
    group: 'events',
    title: [{ text: 'AIP preserved', isMatch: true }],
    note: [{ text: 'Preserved in 3 copies', isMatch: false }],
    to: { list: 'events', id: 'e1' },
  }
  find.list.mockResolvedValue({ value: { ...nothing, exact: [event] } })
  render(SearchField, { status })
  const field = screen.getByRole('combobox')
  field.focus()
  await fireEvent.input(field, { target: { value: 'preserved' } })
  expect((await screen.findByRole('option', { name: /AIP bevarat/ })).textContent).toContain(
    'Bevarat i 3 kopior',
  )
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

test('what can be pressed on the page is offered in the language that is chosen meanwhile', async () => {
  find.list.mockResolvedValue({ value: nothing })
  const header = document.createElement('header')
  document.body.append(header)
  HTMLElement.prototype.checkVisibility = () => true
  render(Keys, { target: header })
  render(SearchField, { status })
  await fireEvent.click(screen.getByRole('combobox'))
  await screen.findByRole('option', { name: 'Keys ?' })
  setLanguage('sv')
  await screen.findByRole('option', { name: 'Tangenter ?' })
  expect(screen.queryByRole('option', { name: 'Keys ?' })).toBeNull()
  header.remove()
})

const online = { ...status, connection: someConnection }
const letter = {
  id: 'f1',
  part: 'document',
  type: '',
  title: [{ text: 'Kran 3.eml', isMatch: false }],
  code: '',
  excerpt: [{ text: 'kranen', isMatch: true }],
  archive: null,
  bytes: 1,
  file: { package: 'p1', path: 'brev/Kran 3.eml' },
  generation: null,
  to: null,
}
const ofIndex = (hits: unknown[]) => ({ value: { hits, total: null, pages: 1, types: [], extensions: [] } })

test('files of the archive’s index come last, once they are there, and not where it is out of reach', async () => {
  find.list.mockResolvedValue({ value: { ...nothing, hits: [tape] } })
  find.files.mockResolvedValue(ofIndex(Array.from({ length: 9 }, (_, nth) => ({ ...letter, id: `f${nth}` }))))
  const { rerender } = render(SearchField, { status })
  const field = screen.getByRole('combobox')
  field.focus()
  await fireEvent.input(field, { target: { value: 'kran' } })
  await screen.findByRole('option', { name: /LTO-0418/, selected: true })
  expect(find.files).not.toHaveBeenCalled()
  await rerender({ status: online })
  await screen.findByRole('group', { name: 'Files' })
  expect(screen.getAllByRole('group').at(-1)?.getAttribute('aria-labelledby')).toBe(
    screen.getByRole('group', { name: 'Files' }).getAttribute('aria-labelledby'),
  )
  expect(screen.getAllByRole('option', { name: /Kran 3.eml/ })).toHaveLength(5)
  expect(screen.getByRole('option', { name: /LTO-0418/, selected: true })).toBeTruthy()
  expect(find.files.mock.calls).toEqual([['', expect.objectContaining({ q: 'kran', indices: ['document'] })]])
  await fireEvent.click(screen.getAllByRole('option', { name: /Kran 3.eml/ })[0] ?? field)
  await waitFor(() => expect(location.hash).toContain('looked=kranen'))
})

test('files of several generations of a package are told apart', async () => {
  find.list.mockResolvedValue({ value: nothing })
  find.files.mockReset()
  find.files.mockResolvedValue(
    ofIndex([3, 2].map((generation) => ({ ...letter, id: `f${generation}`, generation }))),
  )
  render(SearchField, { status: online })
  const field = screen.getByRole('combobox')
  field.focus()
  await fireEvent.input(field, { target: { value: 'kran' } })
  await screen.findByRole('option', { name: /Kran 3.eml · Generation 3/ })
  expect(screen.getByRole('option', { name: /Kran 3.eml · Generation 2/ })).toBeTruthy()
})

test('an answer of the archive’s index to what was typed before is not shown', async () => {
  find.list.mockResolvedValue({ value: nothing })
  find.files.mockReset()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  find.files.mockReturnValueOnce(promise)
  find.files.mockResolvedValue(
    ofIndex([{ ...letter, id: 'f2', title: [{ text: 'Hamn.eml', isMatch: false }] }]),
  )
  render(SearchField, { status: online })
  const field = screen.getByRole('combobox')
  field.focus()
  await fireEvent.input(field, { target: { value: 'kran' } })
  await waitFor(() => expect(find.files).toHaveBeenCalledOnce())
  await fireEvent.input(field, { target: { value: 'hamn' } })
  resolve(ofIndex([letter]))
  await screen.findByRole('option', { name: /Hamn.eml/ })
  expect(screen.queryByRole('option', { name: /Kran 3/ })).toBeNull()
})

/** A package that is found by what its name begins with. */
const found = (id: string, name: string): Found => ({
  ...tape,
  id,
  group: 'packages',
  title: [{ text: name, isMatch: true }],
  to: { list: 'information-packages', id },
})
const oxen = found('p1', 'Oxen')

test('Down and Enter wait for what answers all that is typed, as Enter by itself does', async () => {
  const { promise, resolve } = Promise.withResolvers<{ value: FoundList }>()
  find.list.mockResolvedValueOnce({ value: { ...nothing, hits: [oxen, tape] } })
  find.list.mockReturnValueOnce(promise)
  render(SearchField, { status })
  const field = screen.getByRole('combobox')
  field.focus()
  await fireEvent.input(field, { target: { value: 'pu' } })
  await screen.findByRole('option', { name: /Oxen/, selected: true })
  await fireEvent.input(field, { target: { value: 'pump' } })
  await fireEvent.keyDown(field, { key: 'ArrowDown' })
  await fireEvent.keyDown(field, { key: 'Enter' })
  expect(location.hash).not.toContain('m1')
  resolve({ value: { ...nothing, hits: [found('p2', 'Pump logs'), found('p3', 'Pump houses')] } })
  await waitFor(() => expect(location.hash).toContain('p3'))
})

test('what does not answer shows nothing of what was typed before', async () => {
  find.list.mockResolvedValueOnce({ value: { ...nothing, hits: [oxen] } })
  find.list.mockRejectedValueOnce(new Error('The file is busy'))
  render(SearchField, { status })
  const field = screen.getByRole('combobox')
  field.focus()
  await fireEvent.input(field, { target: { value: 'ox' } })
  await screen.findByRole('option', { name: /Oxen/, selected: true })
  await fireEvent.input(field, { target: { value: 'pump' } })
  await waitFor(() => expect(screen.queryByRole('option', { name: /Oxen/ })).toBeNull())
})

test('what is chosen stays chosen where more is found above', async () => {
  find.list.mockResolvedValue({ value: nothing })
  const { rerender } = render(SearchField, { status })
  const field = screen.getByRole('combobox')
  field.focus()
  await fireEvent.input(field, { target: { value: 'archive' } })
  await screen.findByRole('option', { name: /Search for “archive”/ })
  await fireEvent.keyDown(field, { key: 'PageDown' })
  await screen.findByRole('option', { name: /Search for “archive”/, selected: true })
  const parish: OtherArchive = {
    ...someAccount,
    archive: 'a2',
    name: 'Archive of the parish',
    state: 'online',
  }
  await rerender({ status: { ...status, others: [parish] } })
  await screen.findByRole('option', { name: /Archive of the parish/ })
  expect(screen.getByRole('option', { name: /Search for “archive”/, selected: true })).toBeTruthy()
})

test('Esc leaves the field, also for what cannot have the focus again', async () => {
  const main = document.createElement('main')
  main.id = 'main'
  main.tabIndex = -1
  const bar = document.createElement('div')
  document.body.append(main, bar)
  render(SearchField, { status })
  const field = screen.getByRole('combobox')
  // As where a key led to the whole bar, which has no place among the stops of Tab.
  field.focus()
  await fireEvent.focus(field, { relatedTarget: bar })
  await fireEvent.click(field)
  await fireEvent.keyDown(field, { key: 'Escape' })
  expect(document.activeElement).toBe(main)
  main.remove()
  bar.remove()
})

test('commands of the page are heard in the field while nothing is looked for', async () => {
  const heard = vi.fn<(event: KeyboardEvent) => void>()
  addEventListener('keydown', heard)
  render(SearchField, { status })
  const field = screen.getByRole('combobox')
  await fireEvent.keyDown(field, { key: 'p', ctrlKey: true })
  expect(heard).toHaveBeenCalledTimes(1)
  // A letter is the first of what is looked for.
  await fireEvent.keyDown(field, { key: 'p' })
  await fireEvent.click(field)
  await fireEvent.keyDown(field, { key: 'p', ctrlKey: true })
  expect(heard).toHaveBeenCalledTimes(1)
  removeEventListener('keydown', heard)
})
