import { expect, test, vi } from 'vitest'
import { go, place } from '../../renderer/state/place.svelte.ts'
import { session } from '../../renderer/state/session.svelte.ts'

const { status, heard, show } = vi.hoisted(() => ({
  show: vi.fn(() => Promise.resolve(null)),
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
      show,
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

test('whoever turns to another archive leaves what is open at once, and keeps what they open there', async () => {
  const { promise, resolve } = Promise.withResolvers<null>()
  show.mockReturnValueOnce(promise)
  go('packages', 'AIP-1')
  const turned = session.turnTo('second')
  expect([place.name, place.id]).toEqual(['packages', ''])
  go('packages', 'AIP-2')
  resolve(null)
  await turned
  expect([place.name, place.id]).toEqual(['packages', 'AIP-2'])
})
