import { render, screen, waitFor } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { ShownAlert } from '../../electron/contract/alerts.ts'
import Alerts from '../../renderer/pages/desk/Alerts.svelte'
import { openAlertsQuery } from '../../renderer/pages/desk/alerts-query.ts'
import { shownDesk } from '../../renderer/state/desk.svelte.ts'

// The page's door is there before any page is.
const { list, see, heard } = vi.hoisted(() => {
  const list = vi.fn()
  const see = vi.fn(() => Promise.resolve({ value: undefined }))
  const heard: (() => void)[] = []
  const news = () => () => undefined
  const changed = (hear: (payload: unknown, of: string) => void) => {
    heard.push(() => hear({ unread: 0 }, ''))
    return () => undefined
  }
  const archive = { alerts: { list, see, changed }, packages: { changed: news } }
  Object.assign(window, { bridge: { application: {}, archive } })
  return { list, see, heard }
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

const show = () => {
  const { query, listen } = openAlertsQuery(shownDesk())
  listen()
  render(Alerts, { told: query })
}

test('messages stand in the order of time, and their number is that of messages', async () => {
  const rows = [
    line(4, 'Avbruten is now preserved'),
    line(3, '"Validate premis" failed', { tells: 'failure', keys: ['n3', 'n2'] }),
    line(1, 'Oxen is now in workspace'),
    line(0, 'Tomt fält is now preserved', { isUnread: false }),
  ]
  list.mockResolvedValue({ value: { rows, messages: [], total: 5, unread: 4, asOf: null } })
  show()
  expect(await screen.findByRole('heading', { name: 'New since last time 4 unread' })).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Earlier messages 1 message' })).toBeTruthy()
  expect(screen.getAllByRole('listitem').map((item) => item.children[1]?.textContent)).toEqual([
    'Avbruten is preserved',
    '2 failures, the first: “Validate premis” failed',
    'Oxen is fetched from storage, for you to work with',
    'Tomt fält is preserved',
  ])
})

test('what is read stays where it stands, and what comes is laid on top of it', async () => {
  const answer = (rows: ShownAlert[], unread: number) => ({
    value: { rows, messages: [], total: rows.length, unread, asOf: null },
  })
  const [one, two] = [line(1, 'Oxen is now preserved'), line(2, 'Avbruten is now preserved')]
  const read = (row: ShownAlert): ShownAlert => ({ ...row, isUnread: false })
  const texts = () => screen.getAllByRole('listitem').map((item) => item.children[1]?.textContent)
  list.mockResolvedValue(answer([two, one], 2))
  show()
  await screen.findByRole('heading', { name: 'New since last time 2 unread' })
  list.mockResolvedValue(answer([read(two), read(one)], 0))
  heard.forEach((hear) => hear())
  await screen.findByRole('heading', { name: 'New since last time all read' })
  expect(texts()).toEqual(['Avbruten is preserved', 'Oxen is preserved'])
  expect(screen.queryByText('Unread')).toBeNull()
  list.mockResolvedValue(answer([line(3, 'Vinden is now preserved'), read(two), read(one)], 1))
  heard.forEach((hear) => hear())
  await screen.findByRole('heading', { name: 'New since last time 1 unread' })
  expect(texts()).toEqual(['Vinden is preserved', 'Avbruten is preserved', 'Oxen is preserved'])
  expect(screen.getAllByText('Unread')).toHaveLength(1)
})

test('a message is read when it was in view for a moment in a window that is looked at', async () => {
  const seeing: ((ratio: number) => void)[] = []
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(look: (entries: { intersectionRatio: number }[]) => void) {
        seeing.push((intersectionRatio) => look([{ intersectionRatio }]))
      }
      observe() {}
      disconnect() {}
    },
  )
  const looks = vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  see.mockClear()
  const rows = [line(2, 'Avbruten is now preserved'), line(1, 'Oxen is now preserved')]
  list.mockResolvedValue({ value: { rows, messages: [], total: 2, unread: 2, asOf: null } })
  show()
  await waitFor(() => expect(seeing).toHaveLength(2))
  vi.useFakeTimers()
  seeing[0]?.(1)
  seeing[1]?.(0.2)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(see).not.toHaveBeenCalled()
  looks.mockReturnValue(true)
  dispatchEvent(new Event('focus'))
  await vi.advanceTimersByTimeAsync(900)
  seeing[0]?.(0)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(see).not.toHaveBeenCalled()
  seeing[0]?.(1)
  await vi.advanceTimersByTimeAsync(1_200)
  expect(see).toHaveBeenCalledExactlyOnceWith('', { keys: ['n2'] })
  vi.useRealTimers()
  vi.unstubAllGlobals()
  looks.mockRestore()
})
