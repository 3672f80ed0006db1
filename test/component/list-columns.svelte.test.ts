import { expect, test, vi } from 'vitest'
import { columnDefaults, openColumns } from '../../renderer/state/columns.svelte.ts'
import { go } from '../../renderer/state/place.svelte.ts'
import { readLines } from '../../renderer/state/read-lines.ts'
import { sizeRangeOf, textOfSizeRange } from '../../renderer/state/size-range.ts'
import { openSorting } from '../../renderer/state/sorting.ts'
import { compareFirst, mostCompared, uniformAmong } from '../../renderer/state/uniform-columns.svelte.ts'
import { ListView } from '../../renderer/state/views.svelte.ts'

vi.mock('../../renderer/bridge.svelte.ts', () => ({
  deskOf: () => ({ views: { keep: () => Promise.resolve() } }),
}))

const openList = () => {
  const { columns, uniform, widths } = columnDefaults
  const defaults = { sort: '', descending: false, columns, uniform, widths }
  return new ListView<typeof defaults>('some', defaults)
}
const styles = {
  name: { width: '1fr' },
  state: { width: '96px' },
  bytes: { width: '76px', isRight: true },
} as const

test('a click on a heading sorts by it, and another turns it round', () => {
  const asked = vi.fn()
  const view = openList()
  const sorting = openSorting({
    columns: ['name', 'bytes'],
    view,
    usual: { column: 'bytes', descending: true },
    largestFirst: ['bytes'],
    onchange: asked,
  })
  expect(sorting.of('bytes')).toMatchObject({ isSorted: true, descending: true })
  sorting.of('bytes').onclick()
  expect([sorting.column, sorting.descending]).toEqual(['bytes', false])
  sorting.of('name').onclick()
  expect([sorting.column, sorting.descending]).toEqual(['name', false])
  sorting.of('bytes').onclick()
  expect([sorting.column, sorting.descending]).toEqual(['bytes', true])
  expect(sorting.of('name').isSorted).toBe(false)
  expect(asked).toHaveBeenCalledTimes(3)
})

test('a third click gives a list that has an order of its own that order back', () => {
  const sorting = openSorting({ columns: ['name'], view: openList(), isGivenUp: true })
  const seen = [0, 1, 2].map(() => {
    sorting.of('name').onclick()
    return [sorting.column, sorting.descending]
  })
  expect(seen).toEqual([
    ['name', false],
    ['name', true],
    [undefined, false],
  ])
})

test('a column leaves its width to the title in a narrow list, until somebody chooses it', () => {
  const view = openList()
  const columns = openColumns({
    styles,
    title: 'name',
    usual: ['name', 'state', 'bytes'],
    spare: { columns: ['bytes'], belowWidth: 560 },
    view,
  })
  columns.listWidth = 559
  expect(columns.shown).toEqual(['name', 'state'])
  columns.listWidth = 560
  expect(columns.shown).toEqual(['name', 'state', 'bytes'])
  columns.listWidth = 559
  columns.menu((key) => key).onchoose(['name', 'bytes'])
  expect(columns.shown).toEqual(['name', 'bytes'])
})

test('the column that a list is sorted by stays where the list is narrow', () => {
  const view = openList()
  const columns = openColumns({
    styles,
    title: 'name',
    usual: ['name', 'state', 'bytes'],
    spare: { columns: ['bytes'], belowWidth: 560 },
    view,
  })
  columns.listWidth = 300
  view.change({ sort: 'bytes' })
  expect(columns.shown).toEqual(['name', 'state', 'bytes'])
  view.change({ sort: 'name' })
  expect(columns.shown).toEqual(['name', 'state'])
})

test('a column that says the same in every row is left out until somebody chooses it', () => {
  const view = openList()
  const columns = openColumns({ styles, title: 'name', usual: ['name', 'state', 'bytes'], view })
  expect(columns.shown).toEqual(['name', 'state', 'bytes'])
  columns.keepUniform(['name', 'state'])
  expect(columns.shown).toEqual(['name', 'bytes'])
  const menu = columns.menu((key) => key)
  expect(menu.columns.filter(({ isFixed }) => isFixed).map(({ key }) => key)).toEqual(['name'])
  menu.onchoose([...menu.chosen, 'state'])
  expect(columns.shown).toEqual(['name', 'state', 'bytes'])
  columns.widenerOf('state')?.(120)
  expect(columns.widths).toBe('1fr 120px 76px')
  columns.widenerOf('state')?.(null)
  expect(columns.widths).toBe('1fr 96px 76px')
  // What names a row takes the room that is left.
  expect(columns.widenerOf('name')).toBeUndefined()
  columns.widenerOf('bytes')?.(90)
  menu.onreset()
  expect([columns.shown, columns.widths]).toEqual([['name', 'bytes'], '1fr 76px'])
})

test('what all rows of a list have in common is asked where it is not too long, and holds up no row', async () => {
  const ask = vi.fn(() => Promise.resolve())
  const first = compareFirst(ask)
  await first(mostCompared + 1)
  expect(ask).not.toHaveBeenCalled()
  await first(mostCompared)
  expect(ask).toHaveBeenCalledTimes(1)
  // Columns that say the same are shown where they cannot be told.
  await compareFirst(() => Promise.reject(new Error('not reached')))(3)
})

test('columns that say the same in every row are told of a list that the page holds whole', () => {
  const rows = [
    { state: 'asked', made: '1' },
    { state: 'asked', made: '2' },
  ]
  type Row = (typeof rows)[number]
  const values = { state: ({ state }: Row) => state, made: ({ made }: Row) => made }
  expect(uniformAmong(rows, values)).toEqual(['state'])
  expect(uniformAmong(rows.slice(0, 1), values)).toEqual([])
})

test('many lines are read in parts, and no more than there are', async () => {
  const all = Array.from({ length: 1_200 }, (_, line) => line)
  const ask = vi.fn((offset: number, limit: number) =>
    Promise.resolve({ rows: all.slice(offset, offset + limit), lines: all.length }),
  )
  expect(await readLines(ask, 100, 10_000)).toEqual(all.slice(100))
  expect(ask.mock.calls).toEqual([
    [100, 500],
    [600, 500],
    [1_100, 500],
  ])
  ask.mockClear()
  expect(await readLines(ask, 0, 3)).toEqual([0, 1, 2])
  expect(ask.mock.calls).toEqual([[0, 3]])
})

test('a size is in one range, which has a name', () => {
  expect([0, 999_999, 1e6, 5e13].map(sizeRangeOf)).toEqual([
    '0-1000000',
    '0-1000000',
    '1000000-100000000',
    '1000000000000-',
  ])
  expect(['0-1000000', '1000000-100000000', '1000000000000-'].map(textOfSizeRange)).toEqual([
    'Below 1 MB',
    '1 MB to 100 MB',
    '1 TB and more',
  ])
})

test('a list that opens narrowed keeps the columns that the whole list has', async () => {
  const asking = vi.fn(() => Promise.resolve())
  go('packages', '', 'text=harbour')
  await compareFirst(asking)(4)
  expect(asking).not.toHaveBeenCalled()
  go('packages', '', '')
  await compareFirst(asking)(54)
  expect(asking).toHaveBeenCalledOnce()
})
