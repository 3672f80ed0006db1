import { render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import Footer from '../../renderer/pages/frame/Footer.svelte'
import { Destinations } from '../../renderer/pages/transfers/destinations.svelte.ts'
import TransferRecord from '../../renderer/pages/transfers/TransferRecord.svelte'
import { shownDesk } from '../../renderer/state/desk.svelte.ts'
import { go } from '../../renderer/state/place.svelte.ts'
import { someTransfer } from './some-transfer.ts'

// The page's door is there before any page is.
const updates = vi.hoisted(() => {
  const newer = vi.fn()
  const listeners: (() => void)[] = []
  const changed = (listener: () => void) => {
    listeners.push(listener)
    return () => undefined
  }
  const archive = { transfers: { deliveries: () => Promise.resolve({ value: [] }) } }
  Object.assign(window, { bridge: { application: { updates: { newer, changed } }, archive } })
  return { newer, tell: () => listeners.forEach((listener) => listener()) }
})

test('a newer version stands at the foot as soon as it is known, and for as long as somebody wants to know', async () => {
  updates.newer.mockResolvedValue({ value: null })
  render(Footer)
  await expect.poll(() => updates.newer.mock.calls.length).toBe(1)
  expect(screen.queryByRole('link')).toBeNull()
  updates.newer.mockResolvedValue({ value: { version: '0.2.0' } })
  updates.tell()
  const link = await screen.findByRole('link', { name: 'There is a newer version: 0.2.0' })
  expect(link.getAttribute('href')).toBe('#/help/about')
  updates.newer.mockResolvedValue({ value: null })
  updates.tell()
  await expect.poll(() => screen.queryByRole('link')).toBeNull()
})

test('the foot of every list says its keys', async () => {
  render(Footer)
  for (const [name, keys, id] of [
    ['packages', /Enter opens, Space reads, .*\+ adds to an order/, ''],
    ['orders', /Enter opens, .*Ctrl\+N begins an order/, ''],
    ['activity', /Enter opens, Shift chooses many/, ''],
    ['transfers', /Enter opens, .*Ctrl\+N begins a transfer, Ctrl\+F filters/, ''],
    ['transfers', /Everything typed is saved/, 'a'],
    ['transfers', /Everything typed is saved/, 'batch:a'],
    ['transfers', /Enter opens, .*Ctrl\+F filters/, 'receipt:a'],
    ['transfers', /Enter opens, .*Ctrl\+F filters/, 'start'],
    ['storage', /Ctrl\+T goes from the picture to the list and back/, ''],
    ['storage', /Enter opens, .*Ctrl\+F filters/, 'a'],
    ['storage', /Enter opens, Space reads, .*\+ adds to an order$/, 'risk:few copies'],
    ['storage', /Enter opens, Shift chooses many$/, 'risk:nearly full'],
    ['search', /↓ goes to what was found, Enter opens, Space reads/, ''],
    ['desk', /Ctrl\+K/, ''],
  ] as const) {
    go(name, id)
    expect(await screen.findByText(keys)).toBeTruthy()
  }
})

test('what is typed is said to be saved where something can be typed, and not of what was sent', async () => {
  render(Footer)
  go('transfers', 'a')
  await screen.findByText('Everything typed is saved on this computer')
  const destinations = new Destinations(shownDesk(), () => false)
  const { unmount } = render(TransferRecord, { transfer: someTransfer, destinations, hasDestination: true })
  await screen.findByText(/^Arrow keys move, .*Ctrl\+N begins a transfer/)
  expect(screen.queryByText(/Everything typed/)).toBeNull()
  unmount()
  await screen.findByText('Everything typed is saved on this computer')
})
