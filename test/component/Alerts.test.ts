import { render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { ShownAlert } from '../../electron/contract/alerts.ts'
import Alerts from '../../renderer/pages/desk/Alerts.svelte'

// The page's door is there before any page is.
const list = vi.hoisted(() => {
  const list = vi.fn()
  const news = () => () => undefined
  const archive = { alerts: { list, changed: news }, packages: { changed: news } }
  Object.assign(window, { bridge: { application: {}, archive } })
  return list
})

const line = (id: number, text: string, more: Partial<ShownAlert> = {}): ShownAlert => ({
  id,
  tells: 'other',
  message: text,
  text,
  time: `2026-11-23T16:4${id}:00.000Z`,
  seen: false,
  package: null,
  keys: [`n${id}`],
  isUnread: true,
  ...more,
})

test('messages stand in the order of time, and their number is that of messages', async () => {
  const rows = [
    line(4, 'Avbruten is now preserved'),
    line(3, '"Validate premis" failed', { tells: 'failure', keys: ['n3', 'n2'] }),
    line(1, 'Oxen is now in workspace'),
    line(0, 'Tomt fält is now preserved', { isUnread: false }),
  ]
  list.mockResolvedValue({ value: { rows, messages: [], total: 5, unread: 4, asOf: null } })
  render(Alerts)
  expect(await screen.findByRole('heading', { name: 'New since last time 4 messages' })).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Earlier messages 1 message' })).toBeTruthy()
  expect(screen.getAllByRole('listitem').map((item) => item.firstElementChild?.textContent)).toEqual([
    'Avbruten is preserved',
    '2 failures, the first: “Validate premis” failed',
    'Oxen is fetched from storage, for you to work with',
    'Tomt fält is preserved',
  ])
})
