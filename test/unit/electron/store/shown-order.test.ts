import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WhichPackages } from '../../../../electron/contract/packages.ts'
import { openPackageList } from '../../../../electron/store/lists/package-list.ts'
import { packageQuery } from '../../../../electron/store/lists/package-query.ts'
import { openSortOrders } from '../../../../electron/store/lists/sort-orders.ts'
import { scratch } from '../../../support/scratch.ts'
import { filledPackage, many, readAt } from '../../../bench/filled-records.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

const which: WhichPackages = {
  view: 'flat',
  sort: 'changed',
  descending: true,
  filter: '',
  filters: {},
  open: [],
  offset: 0,
  limit: 5,
}
/** Longer than the rows of a window take to be drawn. */
const drawnMs = 1_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const openShown = (file: string) => {
  const { cache, hold, close } = openLocalCopy(file)
  hold('packages', many(20, filledPackage), readAt)
  const sortOrders = openSortOrders(cache.database)
  const isMade = (shown: WhichPackages) => {
    const { lists, sql, given } = packageQuery(shown)
    return sortOrders.known(lists, sql, given) !== undefined
  }
  return { list: openPackageList(cache, sortOrders), isMade, close }
}

test('the order of a list that is shown from its top is made once its rows were drawn', () => {
  using place = scratch()
  const { list, isMade, close } = openShown(path.join(place.folder, 'cache.sqlite'))
  expect(list.list(which).rows).toHaveLength(5)
  expect(isMade(which)).toBe(false)
  vi.advanceTimersByTime(drawnMs)
  expect(isMade(which)).toBe(true)
  close()
})

test('of lists that follow each other at once only the order of the last is made', () => {
  using place = scratch()
  const { list, isMade, close } = openShown(path.join(place.folder, 'cache.sqlite'))
  const other: WhichPackages = { ...which, sort: 'label' }
  list.list(which)
  list.list(other)
  vi.advanceTimersByTime(drawnMs)
  expect(isMade(which)).toBe(false)
  expect(isMade(other)).toBe(true)
  close()
})

test('no order is made of a list that is in the window whole, nor of a file that was closed', () => {
  using place = scratch()
  const { list, isMade, close } = openShown(path.join(place.folder, 'cache.sqlite'))
  list.list({ ...which, limit: 50 })
  vi.advanceTimersByTime(drawnMs)
  expect(isMade(which)).toBe(false)
  list.list(which)
  list.close()
  vi.advanceTimersByTime(drawnMs)
  expect(isMade(which)).toBe(false)
  close()
})
