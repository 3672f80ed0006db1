import { render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { PackageRow } from '../../electron/contract/packages.ts'
import Packages from '../../renderer/pages/packages/Packages.svelte'
import { shownList } from '../../renderer/state/empty-list.ts'
import { go } from '../../renderer/state/place.svelte.ts'

// The page's door is there before any page is.
const { list, facet, tell } = vi.hoisted(() => {
  const list = vi.fn<(archive: string, which: unknown) => unknown>()
  const facet = vi.fn<(archive: string, which: unknown) => unknown>()
  const hearers = new Set<(news: unknown, archive: string) => void>()
  const tell = () => hearers.forEach((hear) => hear({}, ''))
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const changed = (hear: (news: unknown, archive: string) => void) => {
    hearers.add(hear)
    return () => hearers.delete(hear)
  }
  const archive = {
    packages: { list, facet, uniform: value([]), changed },
    views: { all: value({}), keep: value(null) },
  }
  Object.assign(window, { bridge: { application: {}, archive } })
  return { list, facet, tell }
})

const row: PackageRow = {
  id: 'p',
  label: 'Letters',
  identifier: '',
  creator: '',
  type: 'AIP',
  state: 'Preserved',
  stepState: '',
  work: 'none',
  aic: null,
  generation: 1,
  isLast: true,
  generations: 0,
  newest: null,
  bytes: 1,
  copies: 0,
  lost: 0,
  wanted: null,
  changed: '2026-11-23T16:43:00.000Z',
  isNew: false,
}

test('a long list that is still arriving is told of anew once it is whole, and then no more', async () => {
  const years = () =>
    screen.getAllByRole('link', { name: /^20/ }).map((link) => link.textContent.trim().slice(0, 4))
  const hold = (total: number, asOf: string | null, held = ['2021', '2022']) => {
    list.mockResolvedValue({ value: { rows: [row], total, of: total, lines: total, asOf } })
    const values = held.map((year) => ({ value: year, name: year, count: total / held.length }))
    facet.mockResolvedValue({ value: values })
    tell()
  }
  hold(8_000, null)
  go('packages')
  render(Packages)
  await screen.findAllByText('4,000')
  hold(42_000, '2026-11-23T16:43:00.000Z', ['2020', '2021', '2022'])
  await screen.findAllByText('14,000')
  expect(years().slice(0, 3)).toEqual(['2020', '2021', '2022'])
  facet.mockClear()
  hold(43_000, '2026-11-23T16:44:00.000Z')
  await screen.findByText('43,000')
  expect(facet).not.toHaveBeenCalled()
})

test('nobody is told to choose a package of a list that has none', async () => {
  const told = 'Choose a package to see where its copies lie.'
  list.mockResolvedValue({ value: { rows: [row], total: 1, of: 1, lines: 1, asOf: null } })
  facet.mockResolvedValue({ value: [] })
  go('packages')
  const { unmount } = render(Packages)
  await screen.findByText(told)
  unmount()
  list.mockResolvedValue({ value: { rows: [], total: 0, of: 1, lines: 0, asOf: null } })
  go('packages', '', 'filter=x')
  render(Packages)
  await screen.findByText(/matches/)
  expect(screen.queryByText(told)).toBeNull()
})

test('an archive without packages offers no tools for rows, and nothing to choose', async () => {
  list.mockResolvedValue({ value: { rows: [], total: 0, of: 0, lines: 0, asOf: '2026-11-23T16:43:00.000Z' } })
  facet.mockResolvedValue({ value: [] })
  go('packages', '', '')
  render(Packages)
  await screen.findByText('The archive shows you no packages yet.')
  const tools = ['Columns', 'Save the list'].map((name) => screen.queryByText(name))
  expect([...tools, screen.queryByRole('button', { name: 'Every generation by itself' })]).toEqual([
    null,
    null,
    null,
  ])
  expect(shownList.isEmpty).toBe(true)
})

test('a list that comes for the first time is not said to be empty', async () => {
  list.mockResolvedValue({ value: { rows: [], total: 0, of: 0, lines: 0, asOf: null } })
  facet.mockResolvedValue({ value: [] })
  go('packages', '', '')
  render(Packages)
  await screen.findByText(/^The archive is being read for the first time/)
  expect(screen.queryByText('The archive shows you no packages yet.')).toBeNull()
})
