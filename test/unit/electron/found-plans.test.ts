import path from 'node:path'
import { expect, test } from 'vitest'
import { heldFilters, nothing } from '../../../electron/contract/search-filters.ts'
import type { SearchFilters } from '../../../electron/contract/search.ts'
import { openFind } from '../../../electron/store/find.ts'
import { scratch } from '../../archive.ts'
import { holdShortLists } from '../../bench/fill-copy.ts'
import { filledCopy, filledPackage, many, packageId, readAt } from '../../bench/filled-records.ts'
import { openLocalCopy } from '../../local-copy.ts'
import { queryPlansOf } from '../../query-plans.ts'

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

test('filters without words look at every package once, and at events by their days', () => {
  using place = scratch()
  const { cache, hold, index, close } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  hold('packages', many(40, filledPackage), readAt)
  const event = (id: number, day: string) => ({ id, eventType: 1, eventDateTime: `${day}T12:00:00Z` })
  hold('events', [event(1, '2005-01-01'), event(2, '2006-01-01')], readAt)
  index()
  const find = openFind(cache)
  const idsOf = (filters: Partial<SearchFilters>) =>
    find
      .list({ typed: '', filters: heldFilters({ ...nothing, ...filters }), most: 500 })
      .hits.map(({ id }) => id)
  expect(idsOf({ states: ['Received'] }).sort()).toEqual(
    [3, 23].map((number) => `packages ${packageId(number)}`),
  )
  const days = idsOf({ from: '2005-01-01', to: '2005-12-31' })
  expect([days.length, days.filter((id) => id.startsWith('events'))]).toEqual([41, ['events 1']])
  const plans = queryPlansOf(cache.database, () => idsOf({ states: ['Received'], to: '2005-12-31' }))
  expect(plans.filter((step) => step.startsWith('SEARCH p '))).toEqual([])
  close()
})
