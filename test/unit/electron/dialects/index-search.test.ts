import path from 'node:path'
import { expect, test } from 'vitest'
import type { Archive } from '../../../../electron/archives/archive.ts'
import { nothing } from '../../../../electron/contract/search-filters.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { search } from '../../../../electron/features/search.ts'
import { scratch } from '../../../support/scratch.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

test('equal files of two generations are told apart in what the index gives', async () => {
  using place = scratch()
  const copy = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const aip = (id: string, generation: number) => ({ id, aic: 'f', generation, package_type: 2 })
  const family = { id: 'f', package_type: 1, information_packages: [aip('a', 0), aip('b', 1)] }
  copy.hold('packages', [family], new Date().toISOString())
  const hit = (ip: string | null, index = 'document') => ({
    _index: index,
    _id: `${index} ${ip}`,
    _source: { name: 'plan.tif', filename: 'plan.tif', href: 'content', ip },
  })
  const body = { hits: [hit('a'), hit('b'), hit('unknown'), hit(null, 'component')] }
  // Only what is asked of an archive here.
  const archive = {
    id: 'one',
    dialect: () => specification,
    client: () => ({ answer: () => Promise.resolve({ body, count: 4 }) }),
  } as unknown as Archive
  const { hits } = await search({ cacheOf: () => copy.cache }).ask(archive, { ...nothing, q: 'plan' })
  expect(hits.map(({ generation }) => generation)).toEqual([1, 2, null, null])
  copy.close()
})
