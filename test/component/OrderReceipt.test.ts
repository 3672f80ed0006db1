import { render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { DeskState, OrderItem, OrderPage } from '../../electron/contract/orders.ts'
import OrderReceipt from '../../renderer/pages/orders/OrderReceipt.svelte'

// The page's door is there before any page is.
vi.hoisted(() => Object.assign(window, { bridge: { application: {}, archive: {} } }))

const item = (label: string, state: DeskState): OrderItem => ({
  id: label,
  label,
  identifier: label,
  generation: 1,
  bytes: 1,
  isKnown: true,
  path: '',
  others: 0,
  state,
  since: null,
  alsoIn: [],
})
const orderOf = (...nowhere: OrderItem[]): OrderPage => ({
  id: 'o1',
  kind: 'archive',
  name: 'Thursday',
  content: '',
  responsible: '',
  made: null,
  isOpen: true,
  packages: nowhere.length,
  failure: null,
  rooms: [],
  nowhere,
  raw: '',
  asOf: null,
})
const signedFor = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent?.slice(0, 1))

test('a reader signs for what was handed out; before anything was, the receipt has all that was ordered', () => {
  const page = render(OrderReceipt, { order: orderOf(item('A', 'asked'), item('B', 'fetching')) })
  expect(signedFor()).toEqual(['A', 'B'])
  page.unmount()
  render(OrderReceipt, { order: orderOf(item('A', 'asked'), item('B', 'desk'), item('C', 'returned')) })
  expect(signedFor()).toEqual(['B', 'C'])
})
