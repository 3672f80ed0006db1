import path from 'node:path'
import { expect, test } from 'vitest'
import {
  comparedColumns,
  type PackageField,
  type WhichPackages,
} from '../../../../electron/contract/packages.ts'
import { heldFilters, nothing } from '../../../../electron/contract/search-filters.ts'
import { openFind } from '../../../../electron/store/search/find.ts'
import { scratch } from '../../../support/scratch.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'
import { queryPlansOf } from '../../../support/query-plans.ts'

const aic = (id: string, label: string) => ({
  id,
  label,
  object_identifier_value: `ID ${id}`,
  package_type: 1,
  package_type_display: 'AIC',
  state: '',
})
const aip = (id: string, of: string, generation: number, size: number, date: string) => ({
  id,
  label: 'x',
  object_identifier_value: `ID ${of}`,
  package_type: 2,
  package_type_display: 'AIP',
  state: 'Preserved',
  aic: of,
  generation,
  object_size: size,
  entry_date: date,
  last_generation: true,
})
const wires = [
  aic('a', 'Örtagården'),
  aip('a1', 'a', 1, 10, '2020-01-01T00:00:00Z'),
  aip('a2', 'a', 2, 30, '2022-01-01T00:00:00Z'),
  aic('b', 'Zon 9'),
  aip('b1', 'b', 1, 50, '2021-01-01T00:00:00Z'),
  aic('c', 'Ålder'),
  aic('d', 'Zon 10'),
  { ...aip('e', '', 1, 5, '2019-01-01T00:00:00Z'), aic: null, label: 'Ensam É' },
]

const open = (folder: string) => {
  const copy = openLocalCopy(path.join(folder, 'cache.sqlite'))
  copy.hold('packages', wires, '2026-01-01T00:00:00Z')
  return { ...copy, rows: copy.packages.list }
}
const which = {
  view: 'tree',
  sort: 'label',
  descending: false,
  filter: '',
  open: [],
  offset: 0,
  limit: 100,
} as const

test('the tree sorts as in Swedish, numbers by value, and shows the newest generation of each', () => {
  using place = scratch()
  const { rows } = open(place.folder)
  const listed = rows({ ...which, open: [] })
  expect(listed.rows.map(({ label }) => label)).toEqual(['Ensam É', 'Zon 9', 'Zon 10', 'Ålder', 'Örtagården'])
  expect(listed.rows.at(-1)).toMatchObject({
    id: 'a',
    newest: 'a2',
    generations: 2,
    bytes: 30,
    state: 'Preserved',
    changed: '2022-01-01T00:00:00Z',
  })
  expect(listed).toMatchObject({ total: 5, of: 5, lines: 5, asOf: '2026-01-01T00:00:00Z' })
})

test('generations of one label stand one after the other, found by an index', () => {
  using place = scratch()
  const { packages, hold, cache, close } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const generations = [2, 1, 3].map((generation, nth) => aip(`f${nth}`, 'f', generation, 1, '2020-01-01'))
  hold('packages', [aic('f', 'x'), ...generations], '2026-01-01T00:00:00Z')
  const flat: WhichPackages = { ...which, view: 'flat', open: [] }
  const idsBy = (sort: 'label' | 'identifier', descending: boolean) =>
    packages.list({ ...flat, sort, descending }).rows.map(({ id }) => id)
  expect(idsBy('label', false)).toEqual(['f1', 'f0', 'f2'])
  expect(idsBy('label', true)).toEqual(['f2', 'f0', 'f1'])
  expect(idsBy('identifier', false)).toEqual(['f1', 'f0', 'f2'])
  // Ten million rows are in order there already.
  const plans = queryPlansOf(cache.database, () => packages.list({ ...flat, offset: 5_000 }))
  expect(plans).toContainEqual(expect.stringContaining('USING INDEX package_flat_by_label'))
  expect(plans.filter((step) => step.includes('B-TREE'))).toEqual([])
  close()
})

test('copies sort by those that are sound, as their column shows them, and anew once a medium fails', () => {
  using place = scratch()
  const { rows, hold, close } = open(place.folder)
  const media = (failed: string[]) =>
    ['m1', 'm2'].map((id) => ({ id, medium_id: `LTO-${id}`, status: failed.includes(id) ? 100 : 20 }))
  const object = (of: string, medium: string) => ({ id: `${of}-${medium}`, ip: of, storage_medium: medium })
  hold('media', media([]), '2026-01-01T00:00:00Z')
  hold(
    'objects',
    [object('a1', 'm1'), object('a2', 'm1'), object('a2', 'm2'), object('b1', 'm2'), object('e', 'm1')],
    '2026-01-01T00:00:00Z',
  )
  const shown = (more: Partial<WhichPackages> = {}) =>
    rows({ ...which, sort: 'copies', open: [], ...more }).rows.map(({ id, copies, lost }) => [
      id,
      copies - lost,
    ])
  const before = [
    ['c', 0],
    ['d', 0],
    ['b', 1],
    ['e', 1],
    ['a', 2],
  ]
  expect(shown()).toEqual(before)
  expect(shown({ open: ['c'] })).toEqual(before)
  hold('media', media(['m2']), '2026-01-02T00:00:00Z')
  const after = [
    ['b', 0],
    ['c', 0],
    ['d', 0],
    ['a', 1],
    ['e', 1],
  ]
  expect(shown()).toEqual(after)
  expect(shown({ open: ['c'] })).toEqual(after)
  expect(shown({ descending: true })).toEqual(after.toReversed())
  expect(shown({ filter: 'zon' })).toEqual([
    ['b', 0],
    ['d', 0],
  ])
  expect(shown({ view: 'flat' })).toEqual([
    ['b1', 0],
    ['a1', 1],
    ['a2', 1],
    ['e', 1],
  ])
  close()
})

test('generations are counted from 1 in every list, wherever the archive begins', () => {
  using place = scratch()
  const copy = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const packages = [null, 0, 1, 4].map((generation) => ({
    id: `g${generation ?? ''}`,
    package_type: generation === null ? 1 : 2,
    label: 'Counted',
    aic: generation === null ? null : 'g',
    generation,
  }))
  copy.hold('packages', [...packages, { id: 'loose', generation: 0 }], '2026-01-01T00:00:00Z')
  const listed = copy.packages.list({ ...which, view: 'flat', open: [] }).rows
  const numbers = listed.map(({ id, generation }) => [id, generation])
  expect(numbers.toSorted()).toEqual([
    ['g0', 1],
    ['g1', 2],
    ['g4', 3],
    ['loose', null],
  ])
  expect(['g0', 'g4', 'loose'].map((id) => copy.cache.packages.facts(id)?.generation)).toEqual([1, 3, null])
  copy.close()
})

test('open branches follow their AIC, newest first, in every window of rows', () => {
  using place = scratch()
  const { rows } = open(place.folder)
  const all = rows({ ...which, open: ['a', 'b'] })
  expect(all.rows.map(({ id }) => id)).toEqual(['e', 'b', 'b1', 'd', 'c', 'a', 'a2', 'a1'])
  expect(all.lines).toBe(8)
  const parts = [0, 3, 6].flatMap((offset) => rows({ ...which, open: ['a', 'b'], offset, limit: 3 }).rows)
  expect(parts).toEqual(all.rows)
})

test('a filter looks at both levels, folds accents but not å ä ö, and is no pattern', () => {
  using place = scratch()
  const { rows } = open(place.folder)
  const found = (filter: string, view: 'tree' | 'flat' = 'tree') =>
    rows({ ...which, view, filter, open: [] }).rows.map(({ id }) => id)
  expect(found('ensam e')).toEqual(['e'])
  expect(found('ORTAG')).toEqual([])
  expect(found('örtag')).toEqual(['a'])
  expect(found('b1')).toEqual(['b'])
  expect(found('%')).toEqual([])
  expect(found('_')).toEqual([])
  expect(found('id a', 'flat')).toEqual(['a1', 'a2'].sort())
  expect(rows({ ...which, filter: 'zon', open: [] })).toMatchObject({ total: 2, of: 5 })
})

test('the next row that begins so is found wherever it stands: below open rows, and from the top after the end', () => {
  using place = scratch()
  const { rows, packages } = open(place.folder)
  const { beginning } = packages
  const lines = rows({ ...which, open: ['a', 'b'] }).rows.map(({ id }) => id)
  expect(lines).toEqual(['e', 'b', 'b1', 'd', 'c', 'a', 'a2', 'a1'])
  const next = (begins: string, from: number, more: object = {}) => {
    const line = beginning({ ...which, open: ['a', 'b'], ...more, begins, from })
    return line === null ? null : lines[line]
  }
  expect(['ZON', 'zon 10', 'å', 'ö', 'ensam e'].map((begins) => next(begins, 0))).toEqual([
    'b',
    'd',
    'c',
    'a',
    'e',
  ])
  expect([1, 2, 4].map((from) => next('zon', from))).toEqual(['b', 'd', 'b'])
  // Below an open row: its generations have labels of their own.
  expect([0, 3, 7].map((from) => next('x', from))).toEqual(['b1', 'a2', 'a1'])
  expect(beginning({ ...which, open: [], begins: 'x', from: 0 })).toBe(null)
  expect(['on', '%', '_', 'y'].map((begins) => next(begins, 0))).toEqual([null, null, null, null])
  expect(beginning({ ...which, open: [], filter: 'zon', begins: 'ö', from: 0 })).toBe(null)
  expect(beginning({ ...which, descending: true, open: [], begins: 'zon', from: 0 })).toBe(2)
})

test('a package is found on its line: as its AIC while that is closed, below it once it is open, or nowhere', () => {
  using place = scratch()
  const { rows, packages } = open(place.folder)
  const lineOf = (id: string, more: object) => packages.line({ ...which, open: [], ...more, id }).line
  const shown: Partial<WhichPackages>[] = [
    { open: ['a', 'b'] },
    { open: ['a'] },
    { open: [] },
    { descending: true },
    { view: 'flat' },
  ]
  for (const more of shown) {
    const lines = rows({ ...which, open: [], ...more }).rows.map(({ id }) => id)
    expect([more, lines.map((id) => lineOf(id, more))]).toEqual([more, lines.map((_, line) => line)])
  }
  expect(lineOf('a1', { open: ['b'] })).toBe(lineOf('a', { open: ['b'] }))
  expect(lineOf('a1', { filter: 'zon' })).toBe(null)
  expect(lineOf('not held', {})).toBe(null)
  // The newest generation is what its closed AIC shows; an earlier one is seen only below it.
  const closedFor = (id: string, isOpen: boolean) =>
    packages.line({ ...which, open: isOpen ? ['a'] : [], id }).closed
  expect([closedFor('a1', false), closedFor('a2', false), closedFor('a1', true)]).toEqual(['a', null, null])
})

test('the next record that begins so is one that is shown', () => {
  using place = scratch()
  const { records, hold } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const unit = (id: number, name: string, parent: number | null = null) => ({
    id,
    name,
    reference_code: `R${id}`,
    parent,
    structure: { id: 's', name: 'S' },
  })
  const units = [unit(1, 'Brev'), unit(2, 'Zonkartor', 1), unit(3, 'Örter'), unit(4, 'Zoologi')]
  hold('description/structure-units', units, '2026-01-01T00:00:00Z')
  const list = { list: 'structure-units', within: null, filter: '' } as const
  const titled = (begins: string, from: number, open: string[]) => {
    const line = records.beginning({ ...list, open, begins, from })
    const { rows } = records.list({ ...list, open, offset: 0, limit: 10 })
    return line === null ? null : rows[line]?.title
  }
  expect(titled('zo', 0, [])).toBe('Zoologi')
  expect(titled('zo', 0, ['1'])).toBe('Zonkartor')
  expect(titled('zo', 2, ['1'])).toBe('Zoologi')
  expect(titled('ö', 0, [])).toBe('Örter')
  expect(titled('o', 0, [])).toBe(null)
})

const agents = (name: string) => ({ ARCHIVIST_ORGANIZATION: { id: 1, role: 'ARCHIVIST', name } })
const filtered = [
  { ...aic('f', 'Föräldralösa'), agents: {} },
  { ...aip('f1', 'f', 1, 2_000_000, '2019-05-01T00:00:00Z'), agents: agents('Barnhuset'), policy: 'p1' },
  {
    ...aip('f2', 'f', 2, 2_500_000_000, '2024-05-01T00:00:00Z'),
    agents: agents('Barnhuset'),
    policy: 'p1',
  },
  { ...aip('g', '', 1, 500, '2024-01-01T00:00:00Z'), aic: null, agents: agents('Hamnen'), state: 'Failed' },
  { ...aip('h', '', 1, 700, '2019-01-01T00:00:00Z'), aic: null, agents: agents('Hamnen') },
]
const copyOn = (id: string, of: string, medium: string) => ({
  id,
  ip: of,
  storage_medium: medium,
  storage_medium_id: medium.toUpperCase(),
})

const openFiltered = (folder: string) => {
  const copy = openLocalCopy(path.join(folder, 'cache.sqlite'))
  copy.hold('packages', filtered, '2026-01-01T00:00:00Z')
  copy.hold(
    'policies',
    [{ id: 'p1', policy_name: 'Three copies', storage_methods: [] }],
    '2026-01-01T00:00:00Z',
  )
  copy.hold('media', [{ id: 'm1', medium_id: 'LTO-1' }], '2026-01-01T00:00:00Z')
  copy.hold('objects', [copyOn('o1', 'f2', 'm1'), copyOn('o2', 'h', 'm1')], '2026-01-01T00:00:00Z')
  return copy
}

test('work that failed is looked up in an index, and an AIC shows that of its newest generation', () => {
  using place = scratch()
  const { packages, cache, hold } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const failed = (id: string, of: string, generation: number) => ({
    ...aip(id, of, generation, 1, '2024-01-01T00:00:00Z'),
    state: 'Failed',
  })
  hold(
    'packages',
    [
      aic('mended', 'Mended'),
      failed('mended1', 'mended', 1),
      aip('mended2', 'mended', 2, 1, '2024-01-01T00:00:00Z'),
      aic('broken', 'Broken'),
      aip('broken1', 'broken', 1, 1, '2024-01-01T00:00:00Z'),
      failed('broken2', 'broken', 2),
      { ...failed('alone', '', 1), aic: null },
    ],
    '2026-01-01T00:00:00Z',
  )
  const ids = (view: 'tree' | 'flat') =>
    packages
      .list({ ...which, view, open: [], filters: { work: ['failed'] } })
      .rows.map(({ id }) => id)
      .toSorted()
  const plans = queryPlansOf(cache.database, () => {
    expect(ids('tree')).toEqual(['alone', 'broken'])
    expect(ids('flat')).toEqual(['alone', 'broken2', 'mended1'])
  })
  expect(plans).toContainEqual(expect.stringContaining('INDEX package_by_work'))
  // All that are held are counted in an index; what is filtered is not walked through.
  expect(plans.filter((step) => /^SCAN p\b(?! USING COVERING)/.test(step))).toEqual([])
  expect(packages.list({ ...which, open: [], filters: { work: ['none'] } }).rows.map(({ id }) => id)).toEqual(
    ['mended'],
  )
})

test('every field narrows the list, an AIC by its newest generation, and fields narrow one another', () => {
  using place = scratch()
  const { packages, close } = openFiltered(place.folder)
  const ids = (filters: WhichPackages['filters']) =>
    packages
      .list({ ...which, open: [], filters })
      .rows.map(({ id }) => id)
      .toSorted()
  expect(ids({})).toEqual(['f', 'g', 'h'])
  expect(ids({ state: ['Failed'] })).toEqual(['g'])
  expect(ids({ creator: ['Barnhuset'] })).toEqual(['f'])
  expect(ids({ policy: ['p1'] })).toEqual(['f'])
  expect(ids({ work: ['failed'] })).toEqual(ids({ state: ['Failed'] }))
  expect(ids({ work: ['failed'] })).not.toEqual([])
  expect(ids({ medium: ['m1'] })).toEqual(['f', 'h'])
  expect(ids({ size: ['0-1000000'] })).toEqual(['g', 'h'])
  expect(ids({ size: ['1000000000-10000000000'] })).toEqual(['f'])
  expect(ids({ year: ['2024'] })).toEqual(['f', 'g'])
  expect(ids({ copies: ['0'] })).toEqual(['g'])
  expect(ids({ year: ['2024'], creator: ['Hamnen'] })).toEqual(['g'])
  expect(ids({ state: ['Failed', 'Preserved'] })).toEqual(['f', 'g', 'h'])
  const sorted = packages.list({ ...which, open: [], sort: 'creator', descending: true }).rows
  expect(sorted.map(({ creator }) => creator)).toEqual(['Hamnen', 'Hamnen', 'Barnhuset'])
  expect(ids({ size: ['nonsense'] })).toEqual(['f', 'g', 'h'])
  expect(packages.list({ ...which, open: [], filter: 'föräldra', filters: { year: ['2019'] } }).total).toBe(0)
  close()
})

test('a facet counts what matches all other filters, under the names of policies and media', () => {
  using place = scratch()
  const { packages, close } = openFiltered(place.folder)
  const facet = (field: PackageField, filters: WhichPackages['filters'] = {}) =>
    packages.facet({ ...which, filters, field })
  expect(facet('year')).toEqual([
    { value: '2024', name: '', count: 2 },
    { value: '2019', name: '', count: 1 },
  ])
  expect(facet('creator', { creator: ['Barnhuset'], year: ['2024'] })).toEqual([
    { value: 'Barnhuset', name: '', count: 1 },
    { value: 'Hamnen', name: '', count: 1 },
  ])
  expect(facet('medium')).toEqual([{ value: 'm1', name: 'LTO-1', count: 2 }])
  expect(facet('policy', { year: ['2024'] })).toEqual([
    { value: '', name: '', count: 1 },
    { value: 'p1', name: 'Three copies', count: 1 },
  ])
  expect(facet('size').map(({ value, count }) => [value, count])).toEqual([
    ['0-1000000', 2],
    ['1000000000-10000000000', 1],
  ])
  expect(facet('copies').map(({ value, count }) => [value, count])).toEqual([
    ['0', 1],
    ['1', 2],
  ])
  close()
})

test('values that as many packages have stand in the order of what they are called', () => {
  using place = scratch()
  const { hold, packages, cache, close } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  hold('packages', filtered, '2026-01-01T00:00:00Z')
  const media = [
    { id: 'm1', medium_id: 'LTO-10' },
    { id: 'm2', medium_id: 'LTO-9' },
    { id: 'm3', medium_id: 'Disk' },
  ]
  hold('media', media, '2026-01-01T00:00:00Z')
  const copies = [
    copyOn('o1', 'h', 'm1'),
    copyOn('o2', 'h', 'm2'),
    copyOn('o3', 'h', 'm3'),
    copyOn('o4', 'g', 'm2'),
  ]
  hold('objects', copies, '2026-01-01T00:00:00Z')
  const inOrder = ['LTO-9', 'Disk', 'LTO-10']
  expect(packages.facet({ ...which, field: 'medium' }).map(({ name }) => name)).toEqual(inOrder)
  const found = openFind(cache).facets({
    typed: '',
    filters: heldFilters({ ...nothing, states: ['Failed', 'Preserved'] }),
    most: 50,
  })
  const [counted] = found.filter(({ field }) => field === 'media')
  expect(counted?.values.map(({ name }) => name)).toEqual(inOrder)
  close()
})

test('a column whose value differs in a late row does not say the same, one without any value does', () => {
  using place = scratch()
  const { packages, hold, close } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const rows = Array.from({ length: 60 }, (_, at) => ({
    ...aip(`p${at}`, '', 1, at === 40 ? 11 : 10, '2024-01-01T00:00:00Z'),
    aic: null,
    agents: at === 59 ? agents('Hamnen') : {},
    state: at === 20 ? 'Failed' : 'Preserved',
  }))
  const uniform = (some: typeof rows) => {
    hold('packages', some, '2026-01-01T00:00:00Z')
    return packages.uniform({ ...which })
  }
  expect(uniform(rows.slice(0, 20))).toEqual([...comparedColumns])
  expect(uniform(rows.slice(0, 30))).toEqual(['bytes', 'copies', 'generations', 'changed', 'creator'])
  expect(uniform(rows.slice(0, 59))).toEqual(['copies', 'generations', 'changed', 'creator'])
  expect(uniform(rows)).toEqual(['copies', 'generations', 'changed'])
  close()
})

test('a text that was damaged on the disk is like no other, and is not compared without end', () => {
  using place = scratch()
  const { packages, hold, writer, close } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const rows = ['p1', 'p2'].map((id) => ({ ...aip(id, '', 1, 10, '2024-01-01T00:00:00Z'), aic: null }))
  hold('packages', rows, '2026-01-01T00:00:00Z')
  // What is read of it is not what is held: these bytes are no UTF-8.
  writer.database.exec(`update package set creator = cast(x'61ff62' as text)`)
  expect(packages.uniform({ ...which })).toEqual(comparedColumns.filter((column) => column !== 'creator'))
  close()
})

test('a column that says the same in every row that matches is known, and of one row none', () => {
  using place = scratch()
  const { packages, close } = openFiltered(place.folder)
  expect(packages.uniform({ ...which })).toEqual([])
  expect(packages.uniform({ ...which, filters: { creator: ['Hamnen'] } })).toEqual(['generations', 'creator'])
  expect(packages.uniform({ ...which, filters: { creator: ['Barnhuset'] } })).toEqual([])
  close()
})

test('many lines are chosen in one go: of an AIC its newest generation, of an open branch each', () => {
  using place = scratch()
  const { packages, close } = openFiltered(place.folder)
  const chosen = (open: string[], offset: number, limit: number) =>
    packages.chosen({ ...which, open, offset, limit }).map(({ id }) => id)
  expect(chosen([], 0, 10)).toEqual(['f2', 'g', 'h'])
  expect(chosen(['f'], 1, 2)).toEqual(['f2', 'f1'])
  close()
})
