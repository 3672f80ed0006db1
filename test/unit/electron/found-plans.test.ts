import path from 'node:path'
import { expect, test } from 'vitest'
import { heldFilters, nothing } from '../../../electron/contract/search-filters.ts'
import { openFind } from '../../../electron/store/find.ts'
import { scratch } from '../../archive.ts'
import { holdShortLists } from '../../bench/fill-copy.ts'
import { filledCopy, filledPackage, many, readAt } from '../../bench/filled-records.ts'
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
