import { fireEvent, render, screen, within } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import TargetTable from '../../renderer/pages/storage/TargetTable.svelte'
import { targetColumns } from '../../renderer/pages/storage/target-sorting.ts'
import { openSorting } from '../../renderer/state/sorting.ts'

// The page's door is there before any page is.
vi.hoisted(() => Object.assign(window, { bridge: { application: {}, archive: {} } }))

const target = (name: string, usedBytes: number, capacityBytes: number | null) => ({
  id: name,
  name,
  isEnabled: true,
  path: '',
  type: '',
  usedBytes,
  capacityBytes,
})
const media: Record<string, number> = { Disk: 2, Tape: 5, Vault: 1 }
const targets = [target('Tape', 10, 100), target('Vault', 90, 100), target('Disk', 50, null)]
const names = () => screen.getAllByRole('link').map(({ textContent }) => textContent)

test('storage targets are sorted by every heading, and what has no capacity stands last', async () => {
  let kept = $state({ sort: '', descending: false })
  const view = {
    get value() {
      return kept
    },
    change: (some: typeof kept) => (kept = some),
  }
  const sorting = openSorting({ columns: targetColumns, view, largestFirst: ['media', 'used', 'full'] })
  render(TargetTable, { targets, mediaOf: (id: string) => media[id] ?? 0, sorting })
  expect(names()).toEqual(['Tape', 'Vault', 'Disk'])
  const sorted = []
  for (const heading of screen.getAllByRole('columnheader')) {
    await fireEvent.click(within(heading).getByRole('button'))
    sorted.push(names())
    await fireEvent.click(within(heading).getByRole('button'))
    sorted.push(names())
  }
  expect(sorted).toEqual([
    ['Disk', 'Tape', 'Vault'],
    ['Vault', 'Tape', 'Disk'],
    ['Tape', 'Disk', 'Vault'],
    ['Vault', 'Disk', 'Tape'],
    ['Vault', 'Disk', 'Tape'],
    ['Tape', 'Disk', 'Vault'],
    ['Vault', 'Tape', 'Disk'],
    ['Tape', 'Vault', 'Disk'],
  ])
})

test('on paper nothing can be pressed to sort them', () => {
  render(TargetTable, { targets, mediaOf: () => 1 })
  for (const heading of screen.getAllByRole('columnheader'))
    expect(within(heading).queryByRole('button')).toBeNull()
})
