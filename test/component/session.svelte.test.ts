import { expect, test, vi } from 'vitest'
import { go, place } from '../../renderer/state/place.svelte.ts'
import { session } from '../../renderer/state/session.svelte.ts'

const { status, heard } = vi.hoisted(() => ({
  status: (archives: string[]) => ({
    archives: archives.map((archive) => ({ account: { archive }, connection: { state: 'online' } })),
    lastUrl: '',
    lastUsername: '',
  }),
  heard: [] as ((status: unknown) => void)[],
}))
vi.mock('../../renderer/bridge.svelte.ts', () => ({
  bridge: {
    session: {
      show: () => Promise.resolve(null),
      status: () => Promise.resolve(status(['first', 'second'])),
      changed: (listener: (status: unknown) => void) => void heard.push(listener),
    },
  },
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

test('whoever signs out leaves the place: it belongs to no archive that is shown next', async () => {
  const say = (archives: string[]) => heard.forEach((listener) => listener(status(archives)))
  await session.start()
  await session.show('first')
  go('packages', 'AIP-1', 'text=oxen')
  say(['second', 'first'])
  expect([place.name, place.id]).toEqual(['packages', 'AIP-1'])
  say(['second'])
  expect(location.hash).toBe('#/desk')
})
