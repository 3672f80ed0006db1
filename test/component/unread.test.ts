import { expect, test, vi } from 'vitest'
import { deskOf } from '../../renderer/bridge.svelte.ts'
import { announcement } from '../../renderer/state/announce.svelte.ts'
import { unread } from '../../renderer/state/unread.svelte.ts'

// The page's door is there before any page is.
const { answers, listeners } = vi.hoisted(() => {
  const answers = new Map<string, (value: unknown) => void>()
  const listeners = new Set<(payload: unknown, archive: string) => void>()
  const alerts = {
    list: (archive: string) =>
      new Promise((answered) => answers.set(archive, (value) => answered({ value }))),
    changed: (listener: (payload: unknown, archive: string) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  Object.assign(window, { bridge: { application: {}, archive: { alerts } } })
  return { answers, listeners }
})

const answer = (archive: string, texts: string[]) => {
  const rows = texts.map((text) => ({ keys: [text], text, isUnread: true }))
  answers.get(archive)?.({ messages: [], rows, unread: texts.length })
}

test('what was asked of an archive that is not shown any more counts for no other', async () => {
  const stop = unread.start(deskOf('a'))
  stop()
  unread.start(deskOf('b'))
  answer('b', ['b1'])
  await vi.waitFor(() => expect(unread.count).toBe(1))
  answer('a', ['a1', 'a2'])
  listeners.forEach((tell) => tell({ unread: 3 }, 'b'))
  answer('b', ['b1', 'b2', 'b3'])
  await vi.waitFor(() => expect(announcement.aloud).toContain('b2'))
  expect(unread.count).toBe(3)
  // Of the archive that is shown one was known.
  expect(announcement.aloud).toMatch(/^2 /)
})
