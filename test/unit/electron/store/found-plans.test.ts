import path from 'node:path'
import { expect, test } from 'vitest'
import { heldFilters, nothing } from '../../../../electron/contract/search-filters.ts'
import type { SearchFilters } from '../../../../electron/contract/search.ts'
import { openFind } from '../../../../electron/store/search/find.ts'
import { scratch } from '../../../support/scratch.ts'
import { holdShortLists } from '../../../bench/fill-copy.ts'
import {
  filledCopy,
  filledNode,
  filledPackage,
  many,
  packageId,
  readAt,
} from '../../../bench/filled-records.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'
import { queryPlansOf } from '../../../support/query-plans.ts'

test('what is found is counted by the media of its copies without walking through all copies', () => {
  using place = scratch()
  const { cache, hold, index, close } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  holdShortLists({ hold })
  hold('packages', many(20, filledPackage), readAt)
  hold('objects', many(20, filledCopy), readAt)
  index()
  const find = openFind(cache)
  const plans = queryPlansOf(cache.database, () => {
    const facets = find.facets({ typed: 'volym', filters: heldFilters(nothing), most: 10 })
    expect(facets.find(({ field }) => field === 'media')?.values).toHaveLength(20)
  })
  expect(plans).toContainEqual(expect.stringContaining('SEARCH f USING INDEX held_object_by_package'))
  expect(plans.filter((step) => step.startsWith('SCAN f'))).toEqual([])
  close()
})

test('filters without words find what came last first, each by the index that leads there soonest', () => {
  using place = scratch()
  const { cache, hold, index, close } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  holdShortLists({ hold })
  hold('packages', many(40, filledPackage), readAt)
  hold('objects', many(40, filledCopy), readAt)
  const event = (id: number, day: string) => ({ id, eventType: 1, eventDateTime: `${day}T12:00:00Z` })
  hold('events', [event(1, '2005-01-01'), event(2, '2006-01-01')], readAt)
  index()
  const find = openFind(cache)
  const idsOf = (filters: Partial<SearchFilters>) =>
    find
      .list({ typed: '', filters: heldFilters({ ...nothing, ...filters }), most: 500 })
      .hits.map(({ id }) => id)
  const plansOf = (filters: Partial<SearchFilters>) => queryPlansOf(cache.database, () => idsOf(filters))
  const ofPackages = (...numbers: number[]) => numbers.map((number) => `packages ${packageId(number)}`)
  expect(idsOf({ states: ['Received'] })).toEqual(ofPackages(23, 3))
  const days = { from: '2005-01-01', to: '2005-12-31' }
  expect([idsOf(days).length, idsOf(days).filter((id) => id.startsWith('events'))]).toEqual([
    41,
    ['events 1'],
  ])
  expect(idsOf({ states: ['Received'], to: '2004-12-31' })).toEqual([])
  expect(idsOf({ states: ['Received'], to: '2005-01-01' })).toEqual(ofPackages(23, 3))
  expect(idsOf({ media: ['m3'] })).toEqual([...ofPackages(3), 'objects c3', 'media m3'])
  expect(idsOf({ media: ['m3'], states: ['Preserved'] })).toEqual([])
  expect(idsOf({ media: ['m3'], ...days })).toEqual(ofPackages(3))
  cache.database
    .prepare(`insert into reference (subject, id, target) values ('packages', ?, 'tags:a1')`)
    .run(packageId(5))
  expect(idsOf({ archives: ['a1'] })).toEqual(ofPackages(5))
  expect(idsOf({ archives: ['a1'], states: ['Received'] })).toEqual([])
  const steps = plansOf({ states: ['Received'], ...days })
  expect(steps).toContainEqual(expect.stringContaining('SEARCH package USING INDEX package_flat_by_date'))
  expect(plansOf(days)).toContainEqual(expect.stringContaining('SEARCH h USING INDEX held_event_in_time'))
  expect(plansOf({ media: ['m3'] }).filter((step) => step.includes('held_object_by_medium'))).toHaveLength(2)
  for (const filters of [{ states: ['Received'] }, { media: ['m3'] }, days])
    expect(plansOf(filters).filter((step) => /^SCAN [hop]\b/.test(step))).toEqual([])
  close()
})

test('an AIC is found by the days of its newest generation, with words and without', () => {
  using place = scratch()
  const { cache, hold, index, close } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const aic = { ...filledPackage(1), label: 'The whole', package_type: 1, package_type_display: 'AIC' }
  const of = (number: number, generation: number, day: string) => ({
    ...filledPackage(number),
    aic: aic.id,
    generation,
    entry_date: `${day}T12:00:00Z`,
  })
  const other = { ...filledPackage(4), entry_date: '2020-06-01T12:00:00Z' }
  hold('packages', [aic, of(2, 1, '2010-01-01'), of(3, 2, '2020-01-01'), other], readAt)
  index()
  const find = openFind(cache)
  const idsOf = (typed: string, day: string) =>
    find
      .list({ typed, filters: heldFilters({ ...nothing, from: day, to: day }), most: 500 })
      .hits.map(({ id }) => id)
  expect([idsOf('', '2010-01-01'), idsOf('', '2020-01-01')]).toEqual([
    [`packages ${packageId(2)}`],
    [`packages ${packageId(3)}`],
  ])
  cache.database
    .prepare(`insert into reference (subject, id, target) values ('packages', ?, 'tags:a1')`)
    .run(packageId(1))
  // Whichever way is the shorter one.
  for (const to of ['2020-01-01', '2020-12-31']) {
    const filters = heldFilters({ ...nothing, archives: ['a1'], from: '2020-01-01', to })
    expect(find.list({ typed: '', filters, most: 500 }).hits).toEqual([])
  }
  expect([idsOf('whole', '2005-01-01'), idsOf('whole', '2020-01-01')]).toEqual([
    [],
    [`packages ${packageId(1)}`],
  ])
  close()
})

test('a code that all codes begin with is found, though it stands in all of them', () => {
  using place = scratch()
  const { cache, hold, index, close } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const top = { id: 'top', name: 'Stadens arkiv', reference_code: 'SE', type: 'Arkiv', parent: null }
  hold('description/tags', [top, ...many(20_100, filledNode)], readAt)
  index()
  const find = openFind(cache)
  const exact = (typed: string) => find.list({ typed, filters: heldFilters(nothing), most: 10 }).exact
  expect(exact('se').map(({ to }) => to)).toEqual([{ list: 'tags', id: 'top' }])
  expect(exact('från')).toEqual([])
  close()
})
