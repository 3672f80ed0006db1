import { fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import Dip from '../../renderer/pages/orders/Dip.svelte'
import OrderPage from '../../renderer/pages/orders/OrderPage.svelte'
import type { Dissemination } from '../../electron/contract/dips.ts'
import { capabilities } from '../../renderer/state/capabilities.svelte.ts'
import { someCapabilities } from '../archives/capabilities.ts'

// The page's door is there before any page is.
const { begin, of, forget, one } = vi.hoisted(() => {
  const begin = vi.fn()
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const of = vi.fn(value(null))
  const forget = vi.fn(value(undefined))
  const changed = () => () => undefined
  const dips = { begin, of, forget, agreements: value([]), changed }
  const gone = { kind: 'not-found', what: 'o' }
  const one = vi.fn((): Promise<unknown> => Promise.resolve({ failure: gone }))
  const orders = { one, changed }
  // How the list of orders is shown is kept a moment later.
  const views = { keep: value(undefined) }
  const archive = { dips, orders, packages: { changed }, views }
  Object.assign(window, { bridge: { application: {}, archive } })
  return { begin, of, forget, one }
})
afterEach(() => (capabilities.now = null))

test('who may not make dissemination packages is told so, and nothing is asked of the archive', async () => {
  const { packages } = someCapabilities
  capabilities.now = { ...someCapabilities, packages: { ...packages, denied: ['dip'] } }
  render(Dip, { order: 'o' })
  const button = await screen.findByRole('button', { name: 'Make the package' })
  await fireEvent.click(button)
  expect([button.getAttribute('aria-disabled'), button.title]).toEqual([
    'true',
    'You lack the permission to make dissemination packages.',
  ])
  expect(begin).not.toHaveBeenCalled()
})

test('for an order without packages none is made, and the button says what it needs', async () => {
  render(Dip, { order: 'o', isEmpty: true })
  const button = await screen.findByRole('button', { name: 'Make the package' })
  await fireEvent.click(button)
  expect([button.getAttribute('aria-disabled'), button.title]).toEqual([
    'true',
    'It still needs at least one package.',
  ])
  expect(begin).not.toHaveBeenCalled()
})

test('a package that was made before keeps no room for buttons', async () => {
  const task = { id: 't', order: 'o', label: '', identifier: 'd', agreement: 'a', dip: 'd1', items: [] }
  of.mockResolvedValueOnce({
    value: { ...task, stage: 'done', state: 'done', failure: null, message: '' },
  })
  render(Dip, { order: 'o' })
  await screen.findByRole('link', { name: 'Show the package' })
  expect(document.querySelector('.acts')).toBeNull()
})

test('what was begun for an order that is gone can be taken off the list', async () => {
  const id = crypto.randomUUID()
  const failed: Dissemination = {
    id,
    order: 'o',
    label: 'Thursday',
    agreement: 'a',
    items: [],
    identifier: 'DIP-o',
    dip: null,
    createAsked: null,
    stage: 'register',
    state: 'failed',
    failure: null,
    message: '',
  }
  of.mockResolvedValueOnce({ value: failed })
  render(OrderPage, { id: 'o', onrenamed: vi.fn() })
  await fireEvent.click(await screen.findByRole('button', { name: 'Take off the list' }))
  expect(forget).toHaveBeenCalledWith(expect.anything(), { id })
  // Nothing else is begun for what is not there.
  await vi.waitFor(() => expect(screen.queryByRole('heading', { name: 'Dissemination package' })).toBeNull())
  expect(screen.queryByRole('button', { name: 'Make the package' })).toBeNull()
})

test('a package that is gone on with leaves the one main button to the page that it stands on', async () => {
  const task = { id: 't', order: 'o', label: '', identifier: 'd', agreement: 'a', dip: null, items: [] }
  of.mockResolvedValueOnce({
    value: { ...task, stage: 'fetch', state: 'stopped', failure: null, message: '' },
  })
  render(Dip, { order: 'o' })
  const button = await screen.findByRole('button', { name: 'Go on' })
  expect(button.classList.contains('main')).toBe(false)
})

test('what the archive gave of an order waits for what is known of its dissemination package', async () => {
  capabilities.now = someCapabilities
  const known = Promise.withResolvers<{ value: null }>()
  of.mockReturnValueOnce(known.promise)
  const nothing = { content: '', responsible: '', made: null, failure: null, rooms: [], nowhere: [] }
  one.mockResolvedValueOnce({
    value: { id: 'o', kind: 'archive', name: 'Thursday', packages: 0, raw: '{}', ...nothing },
  })
  render(OrderPage, { id: 'o', onrenamed: vi.fn() })
  await screen.findByRole('heading', { name: 'Dissemination package' })
  expect(screen.queryByText('Record as the archive gave it')).toBeNull()
  known.resolve({ value: null })
  await screen.findByText('Record as the archive gave it')
  screen.getByRole('button', { name: 'Make the package' })
})

test('what is made is led to from below the buttons, which it moves to no other place', async () => {
  const task = { id: 't', order: 'o', label: '', identifier: 'd', agreement: 'a', dip: 'd1', items: [] }
  of.mockResolvedValueOnce({
    value: { ...task, stage: 'copy', state: 'working', failure: null, message: '' },
  })
  render(Dip, { order: 'o' })
  const [stop, link] = [
    await screen.findByRole('button', { name: 'Stop' }),
    screen.getByRole('link', { name: 'Show the package' }),
  ]
  expect(link.closest('.acts')).toBeNull()
  expect(stop.compareDocumentPosition(link)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test('what is waited for is said with since when, and whether the archive says how that goes', async () => {
  const asked = new Date(2026, 10, 20, 9, 30).toISOString()
  const item = { package: 'p', label: 'Plans', identifier: 'i', asked, state: 'asked' as const }
  const items = [
    { ...item, step: 's' },
    { ...item, package: 'q', label: 'Letters', step: null },
  ]
  const task = { id: 't', order: 'o', label: '', identifier: 'd', agreement: 'a', dip: null, items }
  of.mockResolvedValueOnce({
    value: { ...task, stage: 'fetch', state: 'working', failure: null, message: '' },
  })
  render(Dip, { order: 'o' })
  const lines = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)
  expect(lines.filter((line) => /Plans|Letters/.test(line))).toEqual([
    expect.stringMatching(/being read from storage, since 20 Nov.* 09:30/) as string,
    expect.stringMatching(
      /since 20 Nov.* 09:30: the archive says that it is in your work area, or/,
    ) as string,
  ])
})
