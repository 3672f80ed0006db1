import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test, vi } from 'vitest'
import { heldFilters, nothing } from '../../../../electron/contract/search-filters.ts'
import { yieldToRows } from '../../../../electron/questions/yield-to-rows.ts'
import { openFind } from '../../../../electron/store/search/find.ts'
import { openPackageFacets } from '../../../../electron/store/lists/package-facets.ts'
import { openSortOrders } from '../../../../electron/store/lists/sort-orders.ts'
import { scratch } from '../../../support/scratch.ts'
import { filledPackage, many, readAt } from '../../../bench/filled-records.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

const shared = () => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

test('what counts goes on as soon as nobody waits for rows any more', async () => {
  const asked = shared()
  yieldToRows(asked)
  asked[0] = 1
  const other = new Worker(
    `const { parentPort } = require('node:worker_threads')
     parentPort.once('message', (asked) => { Atomics.sub(asked, 0, 1); Atomics.notify(asked, 0) })`,
    { eval: true },
  )
  other.postMessage(asked)
  yieldToRows(asked)
  expect(asked[0]).toBe(0)
  await other.terminate()
})

test('what counts goes on after some seconds while others are asked without end', () => {
  const asked = shared()
  asked[0] = 1
  const now = vi.spyOn(performance, 'now')
  now.mockReturnValueOnce(0).mockReturnValueOnce(9_999).mockReturnValueOnce(10_000)
  yieldToRows(asked)
  expect(now).toHaveBeenCalledTimes(3)
  now.mockRestore()
})

test('others go first before each step of counting, and of what is known already none is taken', () => {
  using place = scratch()
  const { cache, hold, index, close } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  hold('packages', many(20, filledPackage), readAt)
  index()
  const letOthers = vi.fn()
  const { facet } = openPackageFacets(cache, openSortOrders(cache.database), letOthers)
  const count = () => facet({ view: 'tree', sort: 'changed', descending: true, filter: '', field: 'year' })
  expect(count()).toEqual([{ value: '2005', name: '', count: 20 }])
  expect(count()).toHaveLength(1)
  expect(letOthers).toHaveBeenCalledTimes(1)
  const found = openFind(cache, letOthers).facets({ typed: 'volym', filters: heldFilters(nothing), most: 50 })
  // Before each field, and each group of what has values of it.
  expect(letOthers.mock.calls.length - 1).toBeGreaterThan(found.length)
  close()
})
