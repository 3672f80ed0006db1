import { expect, test } from 'vitest'
import { scratch } from '../../archive.ts'
import { torture } from '../../torture/torture.ts'

test('killed again and again before an archive that fails, the outbox loses nothing and sends nothing twice', async () => {
  using place = scratch()
  const verdict = await torture(place.folder, { seed: 11, kills: 8 })
  expect(verdict).toMatchObject({ lost: [], duplicates: [], wrong: [], undecided: [] })
  expect(verdict.delivered).toBeGreaterThan(5)
}, 120_000)
