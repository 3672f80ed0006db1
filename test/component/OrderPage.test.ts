import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import OpenedLast from '../../renderer/pages/desk/OpenedLast.svelte'
import type { DeskState, OrderItem } from '../../electron/contract/orders.ts'
import OrderItems from '../../renderer/pages/orders/OrderItems.svelte'
import OrderPage from '../../renderer/pages/orders/OrderPage.svelte'
import StateOfAll from '../../renderer/pages/orders/StateOfAll.svelte'
import { announcement } from '../../renderer/state/announce.svelte.ts'
import { capabilities } from '../../renderer/state/capabilities.svelte.ts'
import { loadViews } from '../../renderer/state/views.svelte.ts'
import { someCapabilities } from '../archives/capabilities.ts'

// The page's door is there before any page is.
const { paste, one, save, draft } = vi.hoisted(() => {
  const nothing = { name: '', content: '', responsible: '', rooms: [], nowhere: [], raw: '', asOf: null }
  const draft = { id: 'o1', kind: 'draft', packages: 0, made: null, failure: null, ...nothing }
  const news = () => () => undefined
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const paste = vi.fn()
  const one = vi.fn(value(draft))
  const save = vi.fn(value(null))
  const archive = {
    orders: { paste, one, save, changed: news },
    packages: { changed: news },
    views: { all: value({}), keep: value(null) },
  }
  Object.assign(window, { bridge: { application: {}, archive } })
  return { paste, one, save, draft }
})

test('an order is among what was opened last by the name that it was given, also by who left at once', async () => {
  await loadViews('a')
  const page = render(OrderPage, { id: 'o1', onrenamed: vi.fn() })
  await screen.findByRole('heading', { name: 'Unnamed order' })
  const first = render(OpenedLast)
  expect(screen.getByRole('link', { name: 'Unnamed order' })).toBeTruthy()
  first.unmount()
  await fireEvent.input(screen.getByLabelText(/^Name/), { target: { value: 'Thursday, table 4' } })
  page.unmount()
  render(OpenedLast)
  expect(screen.getByRole('link', { name: 'Thursday, table 4' })).toBeTruthy()
})

test('a name that could not be kept is told of at the foot once its order is left', async () => {
  const failure = { kind: 'disk', trouble: 'full', path: '/home/a' }
  const saving = Promise.withResolvers<{ value: null }>()
  save.mockReturnValueOnce(saving.promise)
  const page = render(OrderPage, { id: 'o1', onrenamed: vi.fn() })
  await fireEvent.input(await screen.findByLabelText(/^Name/), { target: { value: 'Friday' } })
  page.unmount()
  saving.resolve({ failure } as never)
  await vi.waitFor(() => expect(announcement.failure).toEqual(failure))
  announcement.clear()
})

const pasteField = () => screen.getByLabelText('Paste identifiers, one a line')

test('what is pasted is kept for whoever looks elsewhere, and nothing is ordered before it was looked up', async () => {
  const page = render(OrderPage, { id: 'o1', onrenamed: vi.fn() })
  await screen.findByRole('heading', { name: 'Unnamed order' })
  screen.getByText('Draft · no packages yet')
  await fireEvent.input(screen.getByLabelText(/^Name/), { target: { value: 'Thursday' } })
  await fireEvent.input(pasteField(), { target: { value: 'SE/STA/1\nSE/STA/2' } })
  screen.getByText('It still needs at least one package and a check of what was pasted.')
  // The field is nothing for paper.
  expect(pasteField().closest('[data-screen]')).not.toBeNull()
  page.unmount()
  render(OrderPage, { id: 'o1', onrenamed: vi.fn() })
  await screen.findByRole('heading', { name: 'Unnamed order' })
  expect(pasteField()).toHaveProperty('value', 'SE/STA/1\nSE/STA/2')
  const line = { packages: [], order: '' }
  paste.mockResolvedValue({
    value: [
      { ...line, text: 'SE/STA/1', outcome: 'added' },
      { ...line, text: 'SE/STA/2', outcome: 'not found' },
    ],
  })
  await fireEvent.click(screen.getByRole('button', { name: 'Check and add' }))
  // What is not held was said, and holds nobody up.
  await vi.waitFor(() => expect(pasteField()).toHaveProperty('value', 'SE/STA/2'))
  expect(screen.queryByText(/a check of what was pasted/)).toBeNull()
})

const item = (id: string, state: DeskState): OrderItem => ({
  id,
  label: id,
  identifier: id,
  generation: 1,
  bytes: 1,
  path: '',
  others: 0,
  alsoIn: [],
  isKnown: true,
  state,
  since: null,
})

test('a package that is asked for elsewhere too leads to the orders that do', () => {
  const alsoIn = [
    { id: 'o2', name: 'Reading room, Thursday' },
    { id: 'o3', name: '' },
  ]
  const items = [{ ...item('1', 'asked'), alsoIn }]
  render(OrderItems, { label: 'LTO', items, isDraft: false, onstate: vi.fn(), ontakeout: vi.fn() })
  const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
  expect([hrefOf('Reading room, Thursday'), hrefOf('Unnamed order')]).toEqual(['#/orders/o2', '#/orders/o3'])
})

test('the step that all packages of an order have taken is the one that is pressed', async () => {
  const order = (...items: OrderItem[]) => ({
    id: 'o1',
    kind: 'archive' as const,
    isOpen: true,
    name: '',
    content: '',
    responsible: '',
    packages: items.length,
    made: null,
    failure: null,
    rooms: [
      { room: 'Cellar', media: [{ id: 'm1', name: 'LTO', target: '', status: '', items: items.slice(1) }] },
    ],
    nowhere: items.slice(0, 1),
    raw: '',
    asOf: null,
  })
  const onstate = vi.fn()
  const { rerender } = render(StateOfAll, { order: order(item('1', 'desk'), item('2', 'asked')), onstate })
  const pressed = () =>
    screen.queryAllByRole('button', { pressed: true }).map(({ textContent }) => textContent)
  expect(pressed()).toEqual([])
  await rerender({ order: order(item('1', 'desk'), item('2', 'desk')) })
  expect(pressed()).toEqual(['In the reading room'])
  await fireEvent.click(screen.getByRole('button', { name: 'Returned' }))
  expect(onstate).toHaveBeenCalledWith('returned')
})

test('a package whose new state could not be kept shows the one that holds', async () => {
  const onstate = vi.fn((_id: string, _state: DeskState, putBack?: () => void) => putBack?.())
  render(OrderItems, {
    label: 'LTO',
    items: [item('1', 'asked')],
    isDraft: false,
    onstate,
    ontakeout: vi.fn(),
  })
  const select = screen.getByRole<HTMLSelectElement>('combobox')
  await fireEvent.change(select, { target: { value: 'desk' } })
  expect(onstate).toHaveBeenCalledWith('1', 'desk', expect.any(Function))
  expect(select.value).toBe('asked')
})

test('the slips come next once an order is placed, until all of it was fetched', async () => {
  const mains = async (...states: DeskState[]) => {
    const nowhere = states.map((state, index) => item(`${index}`, state))
    const placed = { id: 'a1', kind: 'archive', packages: states.length, nowhere }
    one.mockResolvedValueOnce({ value: { ...draft, ...placed } })
    const { unmount } = render(OrderPage, { id: 'a1', onrenamed: vi.fn() })
    await screen.findByRole('button', { name: 'Returned' })
    const found = [...document.querySelectorAll('button.main')].map(({ textContent }) => textContent?.trim())
    unmount()
    return found
  }
  expect(await mains('fetching', 'asked')).toEqual(['Print slips …'])
  expect(await mains('fetching', 'desk')).toEqual([])
})

test('what the archive gave of an order is not moved by what the archive says late that it can do', async () => {
  const placed = { value: { ...draft, kind: 'archive', raw: '{}' } }
  one.mockResolvedValue(placed)
  const learnt = { ...someCapabilities, packages: { ...someCapabilities.packages, dip: false } }
  capabilities.now = { ...learnt, asked: null }
  render(OrderPage, { id: 'o1', onrenamed: vi.fn() })
  await screen.findByRole('heading', { name: 'Unnamed order' })
  expect(screen.queryByText('Record as the archive gave it')).toBeNull()
  capabilities.now = learnt
  await screen.findByText('Record as the archive gave it')
  capabilities.now = null
})
