import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { heldFilters, nothing } from '../../../../electron/contract/search-filters.ts'
import { numberedPackages } from '../../../../electron/store/cache/cache.ts'
import { openFind } from '../../../../electron/store/search/find.ts'
import { scratch } from '../../../support/scratch.ts'
import { holdShortLists } from '../../../bench/fill-copy.ts'
import { filledPackage, many, packageId, readAt } from '../../../bench/filled-records.ts'
import { takeBackTo } from '../../../desks/earlier-copy.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

/** The packages, and how many of them have another number than their records. */
const numbered = (database: DatabaseSync) =>
  database
    .prepare(
      `select count(*) as packages, coalesce(sum(h.number is not p.number), 0) as others from package p
        left join held h on h.subject = 'packages' and h.id = p.id`,
    )
    .get()
const packages = (...numbers: number[]) => numbers.map(filledPackage)
const from = (first: number, count: number) => Array.from({ length: count }, (_, nth) => first + nth)

test('a package has the number of its record, whatever came, went and changed', () => {
  using place = scratch()
  const { cache, hold, close } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  holdShortLists({ hold })
  hold('packages', packages(...from(0, 30)), readAt)
  expect(numbered(cache.database)).toEqual({ packages: 30, others: 0 })
  const [first, ...others] = packages(...from(10, 15))
  hold('packages', [{ ...first, label: 'Changed' }, ...others, ...packages(40, 41)], readAt)
  holdShortLists({ hold })
  hold('packages', packages(...from(0, 45)), readAt)
  expect(numbered(cache.database)).toEqual({ packages: 45, others: 0 })
  close()
})

test('in a copy of an earlier version packages get the numbers of their records', () => {
  using place = scratch()
  const file = path.join(place.folder, 'cache.sqlite')
  const before = openLocalCopy(file)
  holdShortLists(before)
  before.hold('packages', many(40, filledPackage), readAt)
  before.index()
  const rows = (database: DatabaseSync) =>
    database
      .prepare('select * from package order by id')
      .all()
      .map(({ number: _, ...facts }) => facts)
  const facts = rows(before.cache.database)
  before.close()
  const earlier = new DatabaseSync(file)
  earlier.exec('update package set number = number + 100')
  takeBackTo(earlier, numberedPackages)
  expect(numbered(earlier)).toEqual({ packages: 40, others: 40 })
  earlier.close()

  const { cache, close } = openLocalCopy(file)
  expect(numbered(cache.database)).toEqual({ packages: 40, others: 0 })
  expect(rows(cache.database)).toEqual(facts)
  const found = openFind(cache).list({
    typed: 'volym',
    filters: heldFilters({ ...nothing, states: ['Received'] }),
    most: 10,
  })
  expect(found.hits.map(({ id }) => id)).toEqual([23, 3].map((number) => `packages ${packageId(number)}`))
  close()
})
