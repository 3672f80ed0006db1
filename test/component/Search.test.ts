import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { say, setLanguage } from '../../renderer/language/say.svelte.ts'
import Reading from '../../renderer/pages/search/Reading.svelte'
import Search from '../../renderer/pages/search/Search.svelte'
import { shownList } from '../../renderer/state/empty-list.ts'
import { go, place } from '../../renderer/state/place.svelte.ts'
import { present } from '../support/present.ts'
import { goToPlace, loadViews } from '../../renderer/state/views.svelte.ts'

// The page's door is there before any page is.
const index = vi.hoisted(() => {
  const [ask, list] = [vi.fn(), vi.fn()]
  /** Those who hear that a list of the description was read, and that words came into the index. */
  const hearing = new Set<(said: unknown, archive: string) => void>()
  const hearingWords = new Set<(said: unknown, archive: string) => void>()
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const news = () => () => undefined
  const archive = {
    search: { ask },
    find: {
      list,
      facets: value([]),
      choices: value({ archives: [], agents: [], states: [], policies: [], media: [], types: [] }),
      changed: (hear: (said: unknown, archive: string) => void) => {
        hearingWords.add(hear)
        return () => hearingWords.delete(hear)
      },
    },
    searches: { list: value([]), changed: news },
    description: {
      changed: (hear: (said: unknown, archive: string) => void) => {
        hearing.add(hear)
        return () => hearing.delete(hear)
      },
    },
    packages: { changed: news },
    views: { all: value({}), keep: value(null) },
  }
  Object.assign(window, { bridge: { application: {}, archive } })
  return { ask, list, hearing, hearingWords }
})

const listOf = (...titles: string[]) => ({
  value: {
    hits: titles.map((text) => ({
      id: text,
      group: 'packages',
      title: [{ text, isMatch: false }],
      note: [],
      excerpt: [],
      generation: null,
      state: '',
      at: null,
      facts: null,
      to: null,
    })),
    exact: [],
    reading: [],
    kinds: [],
    total: titles.length,
    isMore: false,
    isWithoutIndexFilters: false,
    waiting: 0,
    asOf: null,
  },
})
const cellar = {
  ...present(listOf('Cellar').value.hits[0]),
  to: { list: 'information-packages', id: 'p1' },
}
beforeEach(() => {
  index.list.mockResolvedValue(listOf())
})
afterEach(() => {
  setLanguage('en')
  go('desk')
})

test('what is read of the description meanwhile is found too', async () => {
  index.list.mockResolvedValue(listOf('Harbour Office, mailbox'))
  go('search', 'q=harbour')
  const view = render(Search)
  await screen.findByText('Harbour Office, mailbox')
  index.list.mockResolvedValue(listOf('Harbour Office, mailbox', 'Harbour Office, archive'))
  index.hearing.forEach((hear) => hear({ list: 'tags' }, ''))
  await screen.findByText('Harbour Office, archive')
  view.unmount()
})

test('words that come while an answer is under way are found too', async () => {
  const underWay = Promise.withResolvers<unknown>()
  index.list.mockReturnValueOnce(underWay.promise)
  go('search', 'q=harbour')
  const view = render(Search)
  await waitFor(() => expect(index.list).toHaveBeenCalled())
  index.list.mockResolvedValue(listOf('Harbour Office, mailbox', 'Harbour Office, archive'))
  // The last words: nobody hears of any after them.
  index.hearingWords.forEach((hear) => hear({}, ''))
  const before = listOf('Harbour Office, mailbox')
  underWay.resolve({ value: { ...before.value, waiting: 1 } })
  await screen.findByText('Harbour Office, archive')
  view.unmount()
})

test('whoever comes back finds what was asked, what it was narrowed to, and what was typed since', async () => {
  await loadViews('a')
  const first = render(Search)
  go('search', 'q=cellar&from=2019-01-01')
  const typed = () => screen.getByRole<HTMLInputElement>('searchbox').value
  await waitFor(() => expect(typed()).toBe('cellar'))
  await fireEvent.input(screen.getByRole('searchbox'), { target: { value: 'cellars' } })
  first.unmount()
  go('packages')
  goToPlace('search')
  expect(place.id).toBe('q=cellar&from=2019-01-01')
  const second = render(Search)
  await waitFor(() => expect(typed()).toBe('cellars'))
  go('search', 'q=stairs')
  await waitFor(() => expect(typed()).toBe('stairs'))
  second.unmount()
})

/** The search with nothing asked, and its field with the focus. */
const openBox = () => {
  render(Search)
  go('search')
  const box = screen.getByRole('searchbox')
  box.focus()
  return box
}

test('Escape leads from what was found up to the words, which stay until it is pressed there', async () => {
  index.list.mockResolvedValue({ value: { ...listOf('Cellar').value, hits: [cellar] } })
  const { unmount } = render(Search)
  go('search', 'q=cellar')
  const hit = await screen.findByRole('link', { name: 'Cellar' })
  hit.focus()
  await fireEvent.keyDown(hit, { key: 'Escape' })
  const box = screen.getByRole<HTMLInputElement>('searchbox')
  expect([document.activeElement, box.value]).toEqual([box, 'cellar'])
  await fireEvent.keyDown(box, { key: 'Escape' })
  await waitFor(() => expect(box.value).toBe(''))
  unmount()
})

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

test('what the archive’s index found is said above all that is held, with a way there', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  index.ask.mockReturnValueOnce(promise)
  index.list.mockResolvedValue(listOf('Cellar', 'Cellar and yard'))
  const { unmount } = render(Search)
  go('search', 'q=cellar')
  await screen.findByText('The archive’s own index is being asked.')
  const hit = {
    id: 'f1',
    part: 'document',
    type: '',
    title: [{ text: 'cellar.pdf', isMatch: false }],
    code: '',
    excerpt: [],
    archive: null,
    bytes: null,
    file: null,
    generation: null,
    to: null,
  }
  resolve({ value: { hits: [hit], total: 120, types: [], extensions: [], pages: 3 } })
  const way = await screen.findByRole('button', { name: '120 in the archive’s own index' })
  const held = screen.getByRole('heading', { name: /^Held on this computer/ })
  expect(way.compareDocumentPosition(held)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  const heading = screen.getByRole('heading', { name: /^In the archive’s own index/ })
  heading.scrollIntoView = vi.fn()
  await fireEvent.click(way)
  expect(heading.scrollIntoView).toHaveBeenCalledTimes(1)
  expect(document.activeElement).toBe(heading)
  unmount()
})

test('whatever else is asked is seen from the top, but for what is changed at the answer of the index', async () => {
  const answer = { hits: [], total: 1, types: [{ key: 'plan', count: 1 }], extensions: [], pages: 1 }
  index.ask.mockResolvedValue({ value: answer })
  index.list.mockResolvedValue(listOf('Cellar'))
  const { container, unmount } = render(Search)
  go('search', 'q=cellar')
  const plans = await screen.findByRole('checkbox', { name: /^plan/ })
  const body = container.querySelector('.body')
  if (!body) throw new Error('There is no body.')
  body.scrollTop = 700
  await fireEvent.click(plans)
  await waitFor(() => expect(place.id).toContain('type=plan'))
  expect(body.scrollTop).toBe(700)
  go('search', 'q=stairs')
  await waitFor(() => expect(body.scrollTop).toBe(0))
  unmount()
})

test('what was found is marked in what the archive wrote, in the words of the reader too', async () => {
  const found = listOf('')
  const [hit] = found.value.hits
  const title = [
    { text: 'Water', isMatch: true },
    { text: ' works (SE/1) is now preserved', isMatch: false },
  ]
  index.list.mockResolvedValue({
    value: { ...found.value, hits: [{ ...hit, title, to: { list: 'notifications', id: '1' } }] },
  })
  setLanguage('sv')
  const { container, unmount } = render(Search)
  go('search', 'q=water')
  const link = await screen.findByRole('link', { name: 'Water works (SE/1) är bevarat' })
  expect([...link.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['Water'])
  expect(container.querySelectorAll('mark')).toHaveLength(1)
  unmount()
})

test('nothing is said to be counted where the archive’s index counts nothing', async () => {
  index.ask.mockResolvedValue({ value: { hits: [], total: 0, types: [], extensions: [], pages: 1 } })
  render(Search)
  go('search', 'q=cellar')
  await screen.findByText('Nothing in the archive’s index matches.')
  expect(screen.queryByText(say.find.indexCounts)).toBeNull()
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

test('Down leads to the best answer to the last letter, also where that is yet to come', async () => {
  const answers: PromiseWithResolvers<unknown>[] = []
  index.list.mockImplementation(() => {
    const next = Promise.withResolvers()
    answers.push(next)
    return next.promise
  })
  const box = openBox()
  await fireEvent.input(box, { target: { value: 'o' } })
  await fireEvent.input(box, { target: { value: 'oxen' } })
  await waitFor(() => expect(answers).toHaveLength(1))
  answers[0]?.resolve(listOf('Orders'))
  await waitFor(() => expect(answers).toHaveLength(2))
  await fireEvent.keyDown(box, { key: 'ArrowDown' })
  expect(document.activeElement).toBe(box)
  answers[1]?.resolve(listOf('Oxen'))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Oxen' })))
})

test('Enter leads to the one thing that is named exactly, also where its answer is yet to come', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  index.list.mockReturnValue(promise)
  const box = openBox()
  await fireEvent.input(box, { target: { value: 'SE/STA/1037' } })
  await fireEvent.submit(box)
  expect(location.hash).toBe('#/search')
  const { value } = listOf('Oxen')
  const hits = value.hits.map((hit) => ({ ...hit, to: { list: 'information-packages', id: 'p1' } }))
  resolve({ value: { ...value, hits, exact: hits, reading: [{ kind: 'word', text: 'SE/STA/1037' }] } })
  await waitFor(() => expect(location.hash).toBe('#/packages/p1'))
})

test('Enter that waits for an answer is forgotten by whoever types on', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  index.list.mockReturnValue(promise)
  const box = openBox()
  await fireEvent.input(box, { target: { value: 'oxen' } })
  await fireEvent.submit(box)
  await fireEvent.input(box, { target: { value: 'oxens' } })
  resolve(listOf('Oxen'))
  await screen.findByRole('link', { name: 'Oxen' })
  expect(location.hash).toBe('#/search')
})

test('what is held says which filters are of the archive’s own index alone', async () => {
  index.ask.mockResolvedValue({ value: { hits: [], total: 0, types: [], extensions: [], pages: 1 } })
  index.list.mockResolvedValue({ value: { ...listOf('Cellar').value, isWithoutIndexFilters: true } })
  const { unmount } = render(Search)
  go('search', 'q=cellar&type=e-mail&indices=document')
  await screen.findByText(/^Nothing that is held here matches with Type: e-mail, Part: Files; this is what/)
  index.list.mockResolvedValue(listOf('Cellar'))
  go('search', 'q=cellar&extension=pdf')
  await screen.findByText(say.find.heldHasNoExtensions)
  await waitFor(() => expect(screen.queryByText(/^Nothing that is held here matches with/)).toBeNull())
  unmount()
})

test('only what was found by words has a best one', async () => {
  index.list.mockResolvedValue(listOf('Cellar'))
  const { unmount } = render(Search)
  go('search', 'from=2019-01-01')
  await screen.findByText('Cellar')
  expect(screen.queryByText(say.find.bestFirst)).toBeNull()
  const found = listOf('Cellar').value
  const reading = [{ text: 'cellar', field: null, isPhrase: false, isExcluded: false, isAlternative: false }]
  index.list.mockResolvedValue({ value: { ...found, reading } })
  go('search', 'q=cellar')
  await screen.findByText(say.find.bestFirst)
  unmount()
})

test('the foot names keys for what was found once something was', async () => {
  index.list.mockResolvedValue(listOf('Oxen'))
  render(Search)
  expect(shownList.isEmpty).toBe(true)
  await fireEvent.input(screen.getByRole('searchbox'), { target: { value: 'oxen' } })
  await screen.findByRole('checkbox', { name: /Oxen/ })
  expect(shownList.isEmpty).toBe(false)
})

test('how many records have no words yet comes and goes behind what can be pressed', () => {
  const nothing = () => undefined
  const { container } = render(Reading, {
    reading: [],
    waiting: 3,
    onindex: nothing,
    index: { query: undefined, onclick: nothing },
  })
  const [button, waiting] = [say.find.askIndex, say.find.waiting(3)].map((text) =>
    container.textContent.indexOf(text),
  )
  expect(button).toBeGreaterThanOrEqual(0)
  expect(waiting).toBeGreaterThan(button ?? 0)
})
