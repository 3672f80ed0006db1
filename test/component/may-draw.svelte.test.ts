import { flushSync } from 'svelte'
import { expect, test, vi } from 'vitest'
import { openMayDraw } from '../../renderer/pages/reader/may-draw.svelte.ts'
import { Query } from '../../renderer/state/query.svelte.ts'
import type { ArchiveDesk } from '../../renderer/bridge.svelte.ts'
import type { PackagePage } from '../../electron/contract/packages.ts'

/** As much of a package's page as says whether it may be shown. */
const pageOf = (informationClass: number | null) => ({ informationClass }) as PackagePage

/** The desk is asked for the package beside alone. */
const openPair = () => {
  const ask = vi.fn<() => Promise<PackagePage>>().mockImplementation(() => Promise.resolve(pageOf(null)))
  const query = new Query(ask)
  const desk = { packages: { one: ask } } as unknown as ArchiveDesk
  const drawn: string[] = []
  const close = $effect.root(() => {
    const mayDraw = openMayDraw(desk, { id: 'read', query }, () => 'beside')
    $effect(() => {
      drawn.push(`file ${mayDraw.now}`)
    })
    $effect(() => {
      drawn.push(`file beside ${mayDraw.beside}`)
    })
  })
  return { ask, query, drawn, close }
}

test('what is drawn stays as it is when the archive tells of its package anew', async () => {
  const { query, drawn, close } = openPair()
  await vi.waitFor(() =>
    expect(drawn.toSorted()).toEqual(['file beside false', 'file beside true', 'file false', 'file true']),
  )
  await query.refreshed()
  flushSync()
  expect(drawn).toHaveLength(4)
  close()
})

test('what is classed meanwhile is taken away', async () => {
  const { ask, query, drawn, close } = openPair()
  await vi.waitFor(() => expect(drawn).toHaveLength(4))
  ask.mockResolvedValue(pageOf(1))
  await query.refreshed()
  flushSync()
  expect(drawn.slice(4).toSorted()).toEqual(['file beside false', 'file false'])
  close()
})
