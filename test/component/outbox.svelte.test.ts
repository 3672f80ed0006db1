import { flushSync } from 'svelte'
import { expect, test, vi } from 'vitest'
import type { ArchiveDesk } from '../../renderer/bridge.svelte.ts'
import { creationList, transferGroups } from '../../renderer/state/outbox.svelte.ts'

vi.mock('../../renderer/bridge.svelte.ts', () => ({}))

/** A desk with so many records on their way, and as many transfers. */
const deskWith = (count: number) => {
  const changed = () => () => undefined
  const outbox = { list: () => Promise.resolve({ count }), changed }
  const transfers = { groups: () => Promise.resolve({ waiting: { count } }), changed }
  return { outbox, transfers } as unknown as ArchiveDesk
}

test('what waits at the archive that was left is not told of the one that is shown now', async () => {
  let shown = $state.raw(deskWith(3))
  const creations = creationList(() => shown)
  const transfers = transferGroups(() => shown)
  const stop = $effect.root(() => {
    $effect(creations.listen)
    $effect(transfers.listen)
  })
  const told = () => [creations.query.value?.count, transfers.query.value?.waiting.count]
  flushSync()
  await vi.waitFor(() => expect(told()).toEqual([3, 3]))
  shown = deskWith(0)
  flushSync()
  expect(told()).toEqual([undefined, undefined])
  await vi.waitFor(() => expect(told()).toEqual([0, 0]))
  stop()
})
