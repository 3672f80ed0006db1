import { render } from '@testing-library/svelte'
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
vi.hoisted(() => {
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const news = () => () => undefined
  const archive = {
    storage: { risky: value({ rows: [], total: 0, of: 0, lines: 0, asOf: null }) },
    packages: { changed: news },
    views: { all: value({}), keep: value(null) },
  }
  Object.assign(window, { bridge: { application: {}, archive } })
})

test('what is at risk says on paper what it says on screen, in the same columns', () => {
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
