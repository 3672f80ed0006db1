import { expect, test } from 'vitest'
import { scratch } from '../../../support/scratch.ts'
import { fuzz } from '../../../fuzz/fuzz.ts'

test('thousands of hostile requests break nothing and keep nobody waiting', async () => {
  using place = scratch()
  const { failures, requests, statuses } = await fuzz(place.folder, { requests: 2_000, seed: 1 })
  expect(failures).toEqual([])
  expect(requests).toBe(2_000)
  for (const status of [200, 201, 400, 401, 404, 405, 415, 421])
    expect([status, statuses[status] ?? 0]).not.toEqual([status, 0])
})
