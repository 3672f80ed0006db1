import { fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { ActivityRow } from '../../electron/contract/activity.ts'
import Activity from '../../renderer/pages/activity/Activity.svelte'
import { go } from '../../renderer/state/place.svelte.ts'

// The page's door is there before any page is.
const { list, facet, told } = vi.hoisted(() => {
  const list = vi.fn<(archive: string, which: unknown) => unknown>()
  const acts = ['sheet.printed', 'transfer.sent'].map((act) => ({ value: act, name: '', count: 1 }))
  const facet = vi.fn(() => Promise.resolve({ value: acts }))
  const told: { packages?: (news: unknown, archive: string) => void } = {}
  const news = () => () => undefined
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const archive = {
    activity: {
      list,
      uniform: value([]),
      facet,
      changed: news,
    },
    packages: {
      changed: (hear: (news: unknown, archive: string) => void) => {
        told.packages = hear
        return () => undefined
      },
    },
    transfers: { changed: news },
    outbox: { changed: news },
    views: { all: value({}), keep: value(null) },
  }
  Object.assign(window, { bridge: { application: {}, archive } })
  return { list, facet, told }
})

const row: ActivityRow = {
  id: 'event 1',
  time: '2026-11-23T16:43:00.000Z',
  source: 'event',
  what: 'Preserved',
  note: '',
  message: null,
  failed: null,
  agent: '',
  package: null,
  place: '',
}

/** How wide the list is, in pixels: of itself it has no width. */
const widenTo = (width: number) =>
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(width)
afterEach(() => vi.restoreAllMocks())

test('every heading of what happened sorts it, and again the other way', async () => {
  widenTo(1_016)
  list.mockResolvedValue({ value: { rows: [row], total: 1, of: 1, lines: 1, asOf: null } })
  render(Activity)
  const headings = await screen.findAllByRole('columnheader')
  const asked: unknown[] = []
  for (const heading of headings) {
    const sort = within(heading).getByRole('button', { name: /^(?!Width)/ })
    await fireEvent.click(sort)
    const first = heading.getAttribute('aria-sort')
    await fireEvent.click(sort)
    expect([first, heading.getAttribute('aria-sort')].toSorted()).toEqual(['ascending', 'descending'])
    asked.push(list.mock.lastCall?.[1])
  }
  expect(asked).toMatchObject(['time', 'what', 'about', 'source'].map((sort) => ({ sort })))
})

test('in a narrow list the source leaves its room to what happened', async () => {
  list.mockResolvedValue({ value: { rows: [row], total: 1, of: 1, lines: 1, asOf: null } })
  const headingsAt = async (width: number) => {
    widenTo(width)
    const { unmount } = render(Activity)
    const headings = (await screen.findAllByRole('columnheader')).map(({ ariaLabel, textContent }) =>
      (ariaLabel ?? textContent).trim(),
    )
    unmount()
    return headings
  }
  expect(await headingsAt(1_016)).toEqual(['Time', 'What happened', 'About', 'Source'])
  expect(await headingsAt(744)).toEqual(['Time', 'What happened', 'About'])
})

test('what one types is looked for in the words that one reads, which the archive does not know', async () => {
  list.mockResolvedValue({ value: { rows: [row], total: 1, of: 1, lines: 1, asOf: null } })
  render(Activity)
  go('activity')
  await screen.findByText('Preserved')
  // As long as nobody types, nobody wants to know what there is.
  told.packages?.({}, '')
  expect(facet).not.toHaveBeenCalled()
  await fireEvent.input(screen.getByRole('searchbox'), { target: { value: 'Printed' } })
  await vi.waitFor(() =>
    expect(list.mock.lastCall?.[1]).toMatchObject({ filter: 'Printed', saying: ['sheet.printed'] }),
  )
  // News that bring no other act ask for the rows once.
  list.mockClear()
  told.packages?.({}, '')
  await vi.waitFor(() => expect(facet).toHaveBeenCalledTimes(2))
  await new Promise((settled) => setTimeout(settled))
  expect(list).toHaveBeenCalledTimes(1)
})

test('between the mark of what failed and its name there is a space', async () => {
  list.mockResolvedValue({
    value: { rows: [{ ...row, failed: true }], total: 1, of: 1, lines: 1, asOf: null },
  })
  render(Activity)
  const [cell] = await screen.findAllByRole('gridcell', { name: /Preserved/ })
  expect(cell?.textContent).toBe('Failed Preserved')
})

test('what this desk did with something that has no name yet says what it is', async () => {
  widenTo(1_016)
  const ofDesk = { ...row, source: 'desk' as const }
  const rows = ['transfer.draft', 'order.asked', 'session.out'].map((what, id) => ({
    ...ofDesk,
    id: `desk ${id}`,
    what,
  }))
  list.mockResolvedValue({ value: { rows, total: 3, of: 3, lines: 3, asOf: null } })
  render(Activity)
  const lines = await screen.findAllByRole('row', { name: /this desk/i })
  expect(lines.map((line) => within(line).getAllByRole('gridcell')[2]?.textContent)).toEqual([
    'Unnamed draft',
    'Unnamed order',
    '',
  ])
})
