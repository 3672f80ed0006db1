import { expect, test, vi } from 'vitest'
import { deskOf } from '../../renderer/bridge.svelte.ts'
import { Thumbnails } from '../../renderer/pages/reader/thumbnails.svelte.ts'

// The page's door is there before any page is.
const { asked, kept } = vi.hoisted(() => {
  const asked: string[] = []
  const failures: Record<string, unknown> = {
    'gone.tif': { kind: 'not-found', what: 'gone.tif' },
    'last.tif': { kind: 'offline', address: '', detail: '' },
  }
  const open = (_archive: string, { path }: { path: string }) => {
    asked.push(path)
    return Promise.resolve({ failure: failures[path] })
  }
  const kept: { path: string; picture: string }[] = []
  const reader = { open, thumbnails: () => Promise.resolve({ value: kept }) }
  Object.assign(window, { bridge: { application: {}, archive: { reader } } })
  return { asked, kept }
})

test('a file that the archive does not give takes no other with it, unless none can be had', async () => {
  const thumbnails = new Thumbnails(deskOf('a'), 'p')
  const files = (names: string[]) => names.map((id) => ({ id, bytes: 1_000 }))
  thumbnails.want(files(['gone.tif', 'last.tif', 'never.tif']))
  await vi.waitFor(() => expect(asked).toEqual(['gone.tif', 'last.tif']))
  await new Promise((done) => setTimeout(done))
  expect(asked).toEqual(['gone.tif', 'last.tif'])
  thumbnails.leave()
})

test('a picture that is decoded after its package was left is let go', async () => {
  const { promise, resolve } = Promise.withResolvers<{ close: () => void }>()
  const decode = vi.fn(() => promise)
  vi.stubGlobal('createImageBitmap', decode)
  kept.push({ path: 'plan.tif', picture: '' })
  const thumbnails = new Thumbnails(deskOf('a'), 'p')
  thumbnails.want([{ id: 'plan.tif', bytes: 1_000 }])
  await vi.waitFor(() => expect(decode).toHaveBeenCalled())
  thumbnails.leave()
  const close = vi.fn()
  resolve({ close })
  await vi.waitFor(() => expect(close).toHaveBeenCalledTimes(1))
  expect(thumbnails.pictures.size).toBe(0)
  vi.unstubAllGlobals()
})
