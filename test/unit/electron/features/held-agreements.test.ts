import path from 'node:path'
import { expect, test } from 'vitest'
import { specification } from '../../../../electron/dialects/specification.ts'
import { dips } from '../../../../electron/features/dips.ts'
import { transfers } from '../../../../electron/features/transfers.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'
import { scratch } from '../../../support/scratch.ts'

test('a transfer and a dissemination can be made under any agreement that is held, without the archive', async () => {
  using place = scratch()
  const copy = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const agreements = Array.from({ length: 600 }, (_, n) => ({ id: `a${n}`, name: `A ${n}`, published: true }))
  copy.hold('agreements', agreements, '2026-01-01T00:00:00Z')
  const cacheOf = () => copy.cache
  const archive = { id: 'a', findClient: () => undefined, dialect: () => specification }
  const offered = [
    await transfers({ cacheOf } as never).agreements(archive as never, undefined),
    await dips({ cacheOf } as never).agreements(archive as never, undefined),
  ]
  expect(offered.map(({ length }) => length)).toEqual([agreements.length, agreements.length])
  copy.close()
})
