import { expect, test, vi } from 'vitest'
import { go, place } from '../../renderer/state/place.svelte.ts'
import { session } from '../../renderer/state/session.svelte.ts'

vi.mock('../../renderer/bridge.svelte.ts', () => ({
  bridge: { session: { show: () => Promise.resolve(null) } },
}))

test('whoever signs in to another archive begins at its desk, and finds the same one as it was left', async () => {
  // A link may have led there before anybody was signed in.
  go('transfers', 'batch:1')
  await session.enter('first')
  expect([place.name, place.id]).toEqual(['transfers', 'batch:1'])
  await session.enter('first')
  expect(place.name).toBe('transfers')
  await session.enter('second')
  expect([place.name, place.id]).toEqual(['desk', ''])
})
