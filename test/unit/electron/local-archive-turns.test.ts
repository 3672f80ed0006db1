import { expect, test } from 'vitest'
import { scratch, startArchive, type RunningArchive } from '../../archive.ts'

// What one person asks keeps nobody else waiting. What is mended here took from 12 seconds up.
const longestMs = 9_000

/** The time that it takes, in milliseconds. */
const lasting = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  return performance.now() - began
}
const ask = (archive: RunningArchive, address: string) =>
  fetch(`${archive.url}/api/${address}`, { headers: { authorization: archive.basic } })

test('an address of slashes is read in one go', async () => {
  using place = scratch()
  const archive = await startArchive(place.folder)
  const taken = await lasting(async () => {
    for (let count = 0; count < 40; count += 1)
      expect((await ask(archive, `search/q${'/'.repeat(15_000)}x`)).status).toBe(404)
  })
  expect(taken).toBeLessThan(longestMs)
  await archive.stop()
})
