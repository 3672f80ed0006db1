import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { RiskyRow } from '../../electron/contract/storage.ts'
import RiskPage from '../../renderer/pages/storage/RiskPage.svelte'
import { printing } from '../../renderer/state/printing.svelte.ts'

const row: RiskyRow = {
  id: 'p1',
  name: 'Parish maps',
  generation: 2,
  identifier: 'SE/STA/1259',
  copies: 2,
  wanted: 3,
  where: 'Rock vault · LTO-0869; Server room 2 · DISK-A',
  bytes: 54_600_000_000,
  changed: '2020-01-01T10:00:00Z',
}

// The page's door is there before any page is.
const risky = vi.hoisted(() => {
  const risky = vi.fn<() => unknown>()
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const news = () => () => undefined
  const archive = {
    storage: { risky },
    packages: { changed: news },
    views: { all: value({}), keep: value(null) },
  }
  Object.assign(window, { bridge: { application: {}, archive } })
  return risky
})
const listed = (rows: RiskyRow[]) => ({
  value: { rows, total: rows.length, of: rows.length, lines: rows.length, asOf: null },
})

test('what is at risk says on paper what it says on screen, in the same columns', () => {
  risky.mockResolvedValue(listed([]))
  render(RiskPage, { kind: 'few copies' })
  const content = printing.sheets.find(({ kind }) => kind === 'list')?.content
  const { rows, columns } = content && 'list' in content ? content.list() : { rows: [], columns: [] }
  expect(rows).toMatchObject({ list: 'risky', which: { kind: 'few copies' } })
  const texts = (some: RiskyRow) =>
    columns.map(({ heading, textOf }) => [heading, textOf?.({ ...some })] as const)
  expect(texts(row)).toEqual([
    ['Label', 'Parish maps · Generation 2'],
    ['Identifier', undefined],
    ['Copies', '2/3'],
    ['Where the copies lie', undefined],
    ['Size', undefined],
    ['Changed', '1 Jan 2020'],
  ])
  // A medium has no generations, and no policy says how many copies should lie on it.
  const medium = Object.fromEntries(texts({ ...row, generation: null, wanted: null }))
  expect(medium).toMatchObject({ Label: 'Parish maps', Copies: '2' })
})

test('columns of what is at risk are chosen and widened, and put back', async () => {
  risky.mockResolvedValue(listed([row]))
  render(RiskPage, { kind: 'few copies' })
  const box = (name: string) => screen.getByRole('checkbox', { name, hidden: true })
  const shown = () => screen.getAllByRole('columnheader').map((heading) => heading.textContent.trim())
  const widths = () => screen.getByRole('grid').style.getPropertyValue('--columns')
  await screen.findByText('Parish maps')
  const [before, all] = [shown(), widths()]
  await fireEvent.click(box('Where the copies lie'))
  expect(shown()).toEqual(before.filter((heading) => heading !== 'Where the copies lie'))
  expect(screen.queryByText(row.where)).toBeNull()
  const asTheyWere = widths()
  await fireEvent.keyDown(screen.getByRole('button', { name: /^Width.*Size/ }), { key: 'ArrowRight' })
  expect(widths()).not.toBe(asTheyWere)
  await fireEvent.click(screen.getByRole('button', { name: 'Reset the columns', hidden: true }))
  expect(shown()).toEqual(before)
  expect(widths()).toBe(all)
})

test('a medium, which is called by its identifier, is not called so twice', async () => {
  const medium = { ...row, name: 'LTO-0415', identifier: 'LTO-0415', generation: null, wanted: null }
  risky.mockResolvedValue(listed([medium]))
  render(RiskPage, { kind: 'failed medium' })
  await screen.findByText('LTO-0415')
  expect(screen.getAllByText('LTO-0415')).toHaveLength(1)
  const content = printing.sheets.find(({ kind }) => kind === 'list')?.content
  const { columns } = content && 'list' in content ? content.list() : { columns: [] }
  expect(columns.map(({ key }) => key)).toEqual(['name', 'copies', 'where', 'bytes', 'changed'])
})
