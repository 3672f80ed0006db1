import { expect, test } from 'vitest'
import { scratch } from '../../../support/scratch.ts'
import { torture } from '../../../torture/torture.ts'

test('killed again and again before an archive that fails, the desk loses nothing, sends nothing twice and invents nothing', async () => {
  using place = scratch()
  const verdict = await torture(place.folder, { seed: 11, kills: 10 })
  expect(verdict).toMatchObject({ lost: [], duplicates: [], wrong: [], stuck: [], invented: [], bugs: [] })
  expect(verdict.records + verdict.drafts).toBeGreaterThan(5)
}, 300_000)
