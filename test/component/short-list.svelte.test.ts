import { flushSync } from 'svelte'
import { afterEach, expect, test, vi } from 'vitest'
import { setLanguage } from '../../renderer/language/say.svelte.ts'
import { go, place } from '../../renderer/state/place.svelte.ts'
import { narrowedText } from '../../renderer/state/address-filters.svelte.ts'
import { openShortList } from '../../renderer/state/short-list.svelte.ts'
import { ListView } from '../../renderer/state/views.svelte.ts'

vi.mock('../../renderer/bridge.svelte.ts', () => ({
  deskOf: () => ({ views: { keep: () => Promise.resolve() } }),
}))

interface Row {
  name: string
  stage: string
  made: string | null
}
const rows: Row[] = [
  { name: 'Torsdag', stage: 'asked', made: '2026-02-01' },
  { name: 'Fredag', stage: 'asked', made: null },
  { name: 'Åskväder', stage: 'returned', made: '2025-11-01' },
]
let stop = () => undefined as void
const open = (usual?: { column: 'made'; descending: boolean }) => {
  const defaults = { query: '', sort: '', descending: false, top: 0, at: 0 }
  let list: ReturnType<typeof make> | undefined
  const make = () =>
    openShortList({
      name: 'orders',
      rows: () => rows,
      textOf: ({ name }) => name,
      fields: {
        stage: ({ stage }: Row) => stage,
        letters: ({ name }: Row) => (name === 'Fredag' ? '' : `${name.length * 5}-`),
        year: ({ made }: Row) => made?.slice(0, 4) ?? '',
      },
      numbered: { letters: 'smallest first', year: 'largest first' },
      columns: { name: ({ name }: Row) => name, made: ({ made }: Row) => made },
      usual,
      view: new ListView('orders', defaults),
    })
  stop = $effect.root(() => {
    list = make()
  })
  if (!list) throw new Error('The list was not made.')
  return list
}
afterEach(() => stop())
const names = (list: { rows: readonly Row[] }) => list.rows.map(({ name }) => name)

test('is narrowed by words and by values, which stand in the address', async () => {
  go('orders', '', '')
  const list = open()
  expect(names(list)).toEqual(['Torsdag', 'Fredag', 'Åskväder'])
  list.narrowed.filterFields({ stage: ['asked'] })
  flushSync()
  expect(place.query).toBe('stage=asked')
  expect(names(list)).toEqual(['Torsdag', 'Fredag'])
  list.narrowed.filterText('FRE')
  flushSync()
  expect(names(list)).toEqual(['Fredag'])
  // The values of a field are counted among what matches everything else.
  expect(await list.facet('stage')).toEqual([{ value: 'asked', name: '', count: 1 }])
  expect(list.narrowed.inWords([{ key: 'stage', name: 'Where' }], (_field, { value }) => value)).toBe(
    'FRE · Where: asked',
  )
  list.narrowed.clear()
  flushSync()
  expect(names(list)).toHaveLength(3)
})

test('is sorted by a column, and back; what has no value stands last either way', () => {
  go('orders', '', '')
  const list = open()
  list.sorting.of('made').onclick()
  expect(names(list)).toEqual(['Åskväder', 'Torsdag', 'Fredag'])
  list.sorting.of('made').onclick()
  expect(list.sorting.of('made')).toMatchObject({ isSorted: true, descending: true })
  expect(names(list)).toEqual(['Torsdag', 'Åskväder', 'Fredag'])
})

test('is sorted by the letters of the language that the page speaks', () => {
  go('orders', '', '')
  const list = open()
  list.sorting.of('name').onclick()
  expect(names(list)).toEqual(['Åskväder', 'Fredag', 'Torsdag'])
  setLanguage('sv')
  flushSync()
  expect(names(list)).toEqual(['Fredag', 'Torsdag', 'Åskväder'])
  setLanguage('en')
})

test('what a list is narrowed to is said field by field, and nothing of a whole one', () => {
  expect(narrowedText('', [{ name: 'State', values: [] }])).toBe('')
  expect(narrowedText('oxen', [{ name: 'State', values: ['Failed', 'Preserved'] }])).toBe(
    'oxen · State: Failed, Preserved',
  )
})

test('stands as it usually does until somebody sorts it', () => {
  go('orders', '', '')
  const list = open({ column: 'made', descending: true })
  expect(names(list)).toEqual(['Torsdag', 'Åskväder', 'Fredag'])
  list.sorting.of('name').onclick()
  expect(names(list)).toEqual(['Åskväder', 'Fredag', 'Torsdag'])
})

test('values that are numbers stand in their own order, whichever is the most frequent', async () => {
  go('orders', '', '')
  const list = open()
  const valuesOf = async (field: 'letters' | 'year' | 'stage') =>
    (await list.facet(field)).map(({ value }) => value)
  rows.push({ name: 'Torsdagskväll', stage: 'returned', made: '2024-01-01' })
  rows.push({ name: 'Torsdagskvält', stage: 'returned', made: '2024-01-02' })
  expect(await valuesOf('letters')).toEqual(['35-', '40-', '65-', ''])
  expect(await valuesOf('year')).toEqual(['2026', '2025', '2024', ''])
  expect(await valuesOf('stage')).toEqual(['returned', 'asked'])
  rows.splice(3)
})
