import { expect, test, vi } from 'vitest'
import { deskOf } from '../../renderer/bridge.svelte.ts'
import { announcement } from '../../renderer/state/announce.svelte.ts'
import { unread } from '../../renderer/state/unread.svelte.ts'

// The page's door is there before any page is.
const { answers, listeners } = vi.hoisted(() => {
  /** Of each archive those that wait for an answer, the first first. */
  const answers = new Map<string, ((value: unknown) => void)[]>()
  const listeners = new Set<(payload: unknown, archive: string) => void>()
  const alerts = {
    list: (archive: string) =>
      new Promise((answered) => {
        const waiting = answers.get(archive) ?? []
        answers.set(archive, [...waiting, (value) => answered({ value })])
      }),
    changed: (listener: (payload: unknown, archive: string) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  Object.assign(window, { bridge: { application: {}, archive: { alerts } } })
  return { answers, listeners }
})

/** Answers the question of an archive that was asked first. */
const answer = async (archive: string, texts: string[]) => {
  await vi.waitFor(() => expect(answers.get(archive)?.length).toBeGreaterThan(0))
  const rows = texts.map((text) => ({ keys: [text], text, isUnread: true }))
  answers.get(archive)?.shift()?.({ messages: [], rows, unread: texts.length })
}

test('what was asked of an archive that is not shown any more counts for no other', async () => {
  const stop = unread.start(deskOf('a'))
  stop()
  unread.start(deskOf('b'))
  await answer('b', ['b1'])
  await vi.waitFor(() => expect(unread.count).toBe(1))
  await answer('a', ['a1', 'a2'])
  listeners.forEach((tell) => tell({ unread: 3 }, 'b'))
  await answer('b', ['b1', 'b2', 'b3'])
  await vi.waitFor(() => expect(announcement.aloud).toContain('b2'))
  expect(unread.count).toBe(3)
  // Of the archive that is shown one was known.
  expect(announcement.aloud).toMatch(/^2 /)
})

test('a count that was asked for before news came is not shown after them, and what is new is said once', async () => {
  unread.start(deskOf('c'))
  const tell = (count: number) => listeners.forEach((hear) => hear({ unread: count }, 'c'))
  tell(2)
  tell(3)
  await answer('c', ['c1'])
  await new Promise((done) => setTimeout(done))
  expect(unread.count).toBe(3)
  await answer('c', ['c1', 'c2'])
  await vi.waitFor(() => expect(announcement.aloud).toBe('New notice: c2'))
  await answer('c', ['c1', 'c2', 'c3'])
  await vi.waitFor(() => expect(announcement.aloud).toBe('New notice: c3'))
})
