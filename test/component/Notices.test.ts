import { fireEvent, render, screen, within } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { ShownAlert } from '../../electron/contract/alerts.ts'
import { say } from '../../renderer/language/say.svelte.ts'
import Notices from '../../renderer/pages/frame/Notices.svelte'

// The page's door is there before any page is.
const { list, see } = vi.hoisted(() => {
  const [list, see] = [vi.fn(), vi.fn(() => Promise.resolve({ value: null }))]
  const archive = { alerts: { list, see, changed: () => () => undefined } }
  Object.assign(window, { bridge: { application: {}, archive } })
  return { list, see }
})
// jsdom has no popovers; what is told of one is told here.
const openMenu = async () => {
  const menu = document.getElementById('notices')
  if (!menu) throw new Error('There is no menu.')
  HTMLElement.prototype.hidePopover = () => undefined
  await fireEvent(menu, Object.assign(new Event('toggle'), { newState: 'open' }))
  return within(menu)
}

const line = (id: number, more: Partial<ShownAlert> = {}): ShownAlert => ({
  id,
  tells: 'other',
  message: `Box ${id} is now preserved`,
  text: `Box ${id} is now preserved`,
  time: '2026-11-23T16:43:00.000Z',
  seen: false,
  package: { id: `p${id}`, label: `Box ${id}` },
  keys: [`n${id}`],
  isUnread: false,
  ...more,
})

test('the bell shows the last messages, each with where it leads; one that is followed is read', async () => {
  const rows = [
    line(9, { isUnread: true }),
    line(8, { tells: 'failure', text: '"Validate premis" failed', package: null, keys: ['n8', 'n7'] }),
    ...[6, 5, 4, 3, 2].map((id) => line(id)),
  ]
  list.mockResolvedValue({ value: { rows, messages: [], total: 8, unread: 1, asOf: null } })
  render(Notices)
  const menu = await openMenu()
  await menu.findByRole('list', { hidden: true })
  await vi.waitFor(() => expect(menu.getAllByRole('listitem', { hidden: true })).toHaveLength(6))
  const links = menu.getAllByRole<HTMLAnchorElement>('link', { hidden: true })
  expect(links.map(({ textContent, hash }) => `${textContent} ${hash}`)).toEqual([
    'Box 9 is preserved #/packages/p9',
    '2 failures, the first: “Validate premis” failed #/activity',
    ...[6, 5, 4, 3].map((id) => `Box ${id} is preserved #/packages/p${id}`),
    'All on the Desk #/desk',
  ])
  const [first, second] = links
  if (!first || !second) throw new Error('There are no links.')
  await fireEvent.click(second)
  expect(see).not.toHaveBeenCalled()
  await fireEvent.click(first)
  expect(see).toHaveBeenCalledExactlyOnceWith('', { keys: ['n9'] })
  list.mockResolvedValue({ value: { rows: [], messages: [], total: 0, unread: 0, asOf: null } })
  await openMenu()
  expect(await screen.findByText(say.desk.noAlerts)).toBeTruthy()
})
