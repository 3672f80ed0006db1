import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { Failure } from '../../electron/contract/failure.ts'
import type { OrderPage, OrderRow } from '../../electron/contract/orders.ts'
import Orders from '../../renderer/pages/orders/Orders.svelte'
import { announcement } from '../../renderer/state/announce.svelte.ts'
import { go, place } from '../../renderer/state/place.svelte.ts'
import { loadViews } from '../../renderer/state/views.svelte.ts'

// The page's door is there before any page is.
const { list, one, order, begin, news } = vi.hoisted(() => {
  const [list, one, order, begin] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()]
  const silent = () => () => undefined
  const listeners = new Set<(told: unknown, archive: string) => void>()
  const heard = (listener: (told: unknown, archive: string) => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const news = { tell: () => listeners.forEach((listener) => listener({}, '')) }
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const archive = {
    orders: { list, one, begin, place: order, save: value(null), changed: heard },
    packages: { changed: silent },
    description: { changed: silent },
    views: { all: value({}), keep: value(null) },
  }
  Object.assign(window, { bridge: { application: {}, archive } })
  return { list, one, order, begin, news }
})

const row = (id: string, name: string): OrderRow => ({
  id,
  kind: 'draft',
  name,
  made: null,
  packages: 1,
  bytes: null,
  copies: null,
  states: { asked: 1, fetching: 0, desk: 0, returned: 0 },
  isOpen: true,
  failure: null,
})
const page = ({ id, name }: OrderRow): OrderPage => ({
  id,
  kind: 'draft',
  name,
  made: null,
  packages: 1,
  failure: null,
  content: '',
  responsible: '',
  rooms: [],
  nowhere: [],
  raw: '',
  asOf: null,
  isOpen: true,
})

test('the page of an order that is placed goes on under the identifier that the archive gave it', async () => {
  await loadViews('a')
  const rows = [row('draft', 'Thursday'), row('other', 'Friday')]
  list.mockResolvedValue({ value: { rows, asOf: null } })
  const found = ({ id }: { id: string }) => rows.find((known) => known.id === id) ?? row(id, 'Thursday')
  one.mockImplementation((_archive: string, which: { id: string }) =>
    Promise.resolve({ value: page(found(which)) }),
  )
  order.mockResolvedValue({ value: { id: 'a1' } })
  go('orders', 'draft')
  render(Orders)
  const pageOf = async (name: string) => (await screen.findByRole('heading', { name })).closest('.record')
  const before = await pageOf('Thursday')
  // One page has one main action: beside an order that is open it is the order's.
  const mains = [...document.querySelectorAll('button.main')].map(({ textContent }) => textContent)
  expect(mains).toEqual(['Place the order'])
  await fireEvent.click(screen.getByRole('button', { name: 'Place the order' }))
  await vi.waitFor(() => expect(place.id).toBe('a1'))
  expect(before?.isConnected).toBe(true)
  expect(await pageOf('Thursday')).toBe(before)
  // Another order has a page of its own.
  go('orders', 'other')
  expect(await pageOf('Friday')).not.toBe(before)
  expect(before?.isConnected).toBe(false)
})

test('an order that was on its way is shown on, and marked in the list, once the archive has it', async () => {
  await loadViews('a')
  list.mockResolvedValue({ value: { rows: [row('queued', 'Thursday')], asOf: null } })
  one.mockResolvedValue({ value: page(row('queued', 'Thursday')) })
  go('desk')
  go('orders', 'queued')
  const steps = history.length
  render(Orders)
  const shown = (await screen.findByRole('heading', { name: 'Thursday' })).closest('.record')
  list.mockResolvedValue({ value: { rows: [row('a2', 'Thursday')], asOf: null } })
  one.mockResolvedValue({ value: page(row('a2', 'Thursday')) })
  news.tell()
  await vi.waitFor(() => expect(place.id).toBe('a2'))
  await vi.waitFor(() => expect(document.querySelector('.row.open')?.textContent).toContain('Thursday'))
  expect(shown?.isConnected).toBe(true)
  // Back leads to where one was before the order.
  expect(history.length).toBe(steps)
})

test('an answer that was asked for before an order was placed does not lead back to its draft', async () => {
  await loadViews('a')
  const draft = row('draft', 'Thursday')
  list.mockResolvedValue({ value: { rows: [draft], asOf: null } })
  const late = Promise.withResolvers<{ value: OrderPage }>()
  one.mockImplementation((_archive: string, { id }: { id: string }) =>
    Promise.resolve({ value: page(row(id, 'Thursday')) }),
  )
  order.mockResolvedValue({ value: { id: 'a3' } })
  go('orders', 'draft')
  render(Orders)
  const button = await screen.findByRole('button', { name: 'Place the order' })
  one.mockReturnValueOnce(late.promise)
  news.tell()
  await fireEvent.click(button)
  await vi.waitFor(() => expect(place.id).toBe('a3'))
  late.resolve({ value: page(draft) })
  await new Promise((done) => setTimeout(done))
  expect(place.id).toBe('a3')
})

test('an order that the archive refuses late is the draft again that it was', async () => {
  await loadViews('a')
  const known = new Map([['draft', page(row('draft', 'Thursday'))]])
  list.mockImplementation(() => Promise.resolve({ value: { rows: [], asOf: null } }))
  const gone = (id: string) => ({ failure: { kind: 'not-found', what: id } })
  one.mockImplementation((_archive: string, { id }: { id: string }) => {
    const found = known.get(id)
    return Promise.resolve(found ? { value: found } : gone(id))
  })
  const refused = Promise.withResolvers<{ failure: Failure }>()
  order.mockReturnValueOnce(refused.promise)
  go('orders', 'draft')
  render(Orders)
  await fireEvent.click(await screen.findByRole('button', { name: 'Place the order' }))
  // It is on its way, as which it is shown, and then not.
  const queued = { ...page(row('queued', 'Thursday')), kind: 'queued' as const }
  known.set('draft', queued).set('queued', queued)
  news.tell()
  await vi.waitFor(() => expect(place.id).toBe('queued'))
  known.set('draft', page(row('draft', 'Thursday'))).delete('queued')
  news.tell()
  const failure: Failure = { kind: 'refused', fields: { type: ['This field is required.'] } }
  refused.resolve({ failure })
  await screen.findByRole('button', { name: 'Place the order' })
  await vi.waitFor(() => expect(screen.queryByText(/There is no/)).toBeNull())
  expect(place.id).toBe('draft')
  // The button that was pressed went meanwhile: why it failed is said at the foot.
  expect(announcement.failure).toEqual(failure)
  announcement.clear()
})

test('beside an order the names in the list are not cut for a count that its page has', async () => {
  await loadViews('a')
  const rows = [row('one', 'Kv. Oxen: drawings and permits'), { ...row('two', 'Thursday'), packages: 2 }]
  list.mockResolvedValue({ value: { rows, asOf: null } })
  one.mockImplementation((_archive: string, { id }: { id: string }) =>
    Promise.resolve({ value: page(rows.find((known) => known.id === id) ?? row(id, '')) }),
  )
  go('orders', 'one')
  // As wide as it is in a window of 1440 px.
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(591)
  render(Orders)
  await screen.findByRole('columnheader', { name: 'Name' })
  await vi.waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Packages' })).toBeNull())
  screen.getByRole('columnheader', { name: 'State' })
})

test('whoever has gone elsewhere while an order is begun is not called back to it', async () => {
  await loadViews('a')
  list.mockResolvedValue({ value: { rows: [row('other', 'Friday')], asOf: null } })
  const { promise, resolve } = Promise.withResolvers<unknown>()
  begin.mockReturnValue(promise)
  go('orders', '')
  const { unmount } = render(Orders)
  const button = await screen.findByRole('button', { name: /New order/ })
  await fireEvent.click(button)
  go('packages', 'a')
  resolve({ value: { id: 'new' } })
  await vi.waitFor(() => expect(button.hasAttribute('aria-busy')).toBe(false))
  expect([place.name, place.id]).toEqual(['packages', 'a'])
  unmount()
})
