import { render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import type { PackageRow } from '../../electron/contract/packages.ts'
import PackageCells from '../../renderer/pages/packages/PackageCells.svelte'

const second: PackageRow = {
  id: 'p',
  type: 'AIP',
  aic: 'a',
  label: 'Byggnadsnämndens ritningar',
  identifier: 'SE/STA/1037',
  state: 'Preserved',
  stepState: '',
  work: 'none',
  bytes: 1,
  generation: 2,
  isLast: true,
  newest: null,
  generations: 0,
  copies: 3,
  lost: 0,
  wanted: 3,
  creator: '',
  changed: '2026-11-23T16:43:00.000Z',
  isNew: false,
}

test('a generation by itself is called by its label; below its label, by which one it is', () => {
  const name = (isFlat: boolean) => {
    const { unmount } = render(PackageCells, {
      row: second,
      columns: ['label'],
      isFlat,
      isOpen: undefined,
      onexpand: () => undefined,
    })
    const text = screen.getByRole('gridcell').textContent.replaceAll(/\s+/g, ' ').trim()
    unmount()
    return text
  }
  expect(name(true)).toMatch(/^Byggnadsnämndens ritningar ?· Generation 2 · current$/)
  expect(name(false)).toBe('Generation 2 · current')
})

test('a package that the archive could not go on with has stopped, whatever it was at', () => {
  const row: PackageRow = { ...second, state: 'Preserving', work: 'failed' }
  render(PackageCells, {
    row,
    columns: ['label', 'state'],
    isFlat: true,
    isOpen: undefined,
    onexpand: () => undefined,
  })
  const [, state] = screen.getAllByRole('gridcell')
  expect([state?.textContent.trim(), state?.title]).toEqual(['Stopped', 'Preserving'])
})
