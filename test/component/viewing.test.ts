import * as v from 'valibot'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Viewing } from '../../renderer/pages/reader/viewing.svelte.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const isAlive = (asked: unknown) => v.is(v.object({ ask: v.literal('alive') }), asked)

/** A file that a frame draws, and how the frame tells something. */
const follow = () => {
  const viewing = new Viewing()
  viewing.show({
    ask: 'show',
    address: 'app://content/k',
    name: 'brev.txt',
    bytes: 1,
    language: 'en',
    accent: '',
    looked: '',
  })
  const frame = document.body.appendChild(document.createElement('iframe'))
  if (!frame.contentWindow) throw new Error('There is no frame.')
  const source = frame.contentWindow
  const leave = viewing.follow(source)
  const posted = vi.spyOn(source, 'postMessage')
  return {
    viewing,
    leave,
    /** What the frame was asked, but whether it is alive. */
    asked: () => posted.mock.calls.map(([asked]): unknown => asked).filter((asked) => !isAlive(asked)),
    tell: (data: unknown) => viewing.hear(new MessageEvent('message', { source, data })),
  }
}

test('the text is what the frame answers to that question', async () => {
  const { viewing, leave, tell } = follow()
  const text = viewing.text()
  tell({ told: 'text', number: 7, text: 'of another question' })
  tell({ told: 'text', number: 1, text: 'Hamnkontoret' })
  expect(await text).toBe('Hamnkontoret')
  leave()
})

test.each<[string, (followed: ReturnType<typeof follow>) => void]>([
  ['the frame cannot give it', ({ tell }) => tell({ told: 'text', number: 1, text: null })],
  ['the drawing fails', ({ tell }) => tell({ told: 'trouble', trouble: 'broken', detail: '' })],
  ['the frame is ended', ({ viewing }) => viewing.end()],
  ['the file is left', ({ leave }) => leave()],
])('there is no text, nor a small picture, once %s', async (_, happen) => {
  const followed = follow()
  const text = followed.viewing.text()
  const small = followed.viewing.small(240)
  happen(followed)
  expect(await text).toBeNull()
  followed.leave()
  expect(await small).toBeNull()
  expect(await followed.viewing.text()).toBeNull()
})

const kind = { told: 'kind', kind: 'mets', path: [] }
const shown = { told: 'shown', tools: [] }

test('of a drawing of which nothing was heard for 10 seconds that is said, until something is', () => {
  const { viewing, leave, tell } = follow()
  tell({ told: 'ready' })
  tell(kind)
  for (let second = 0; second < 9; second += 1) {
    vi.advanceTimersByTime(1_000)
    tell({ told: 'alive', number: 1 })
  }
  expect(viewing.isSilent).toBe(false)
  vi.advanceTimersByTime(1_000)
  expect([viewing.isSilent, viewing.trouble]).toEqual([true, undefined])
  tell({ told: 'read', bytes: 1, isWhole: true })
  expect(viewing.isSilent).toBe(false)
  tell(shown)
  tell({ told: 'alive', number: 2 })
  vi.advanceTimersByTime(9_000)
  tell({ told: 'alive', number: 3 })
  vi.advanceTimersByTime(9_000)
  expect(viewing.isSilent).toBe(false)
  leave()
})

test('a frame that answers has the file drawn, though nobody heard that it had begun', () => {
  const { leave, tell, asked } = follow()
  tell({ told: 'alive', number: 1 })
  tell({ told: 'alive', number: 2 })
  expect(asked()).toEqual([expect.objectContaining({ ask: 'show', name: 'brev.txt' })])
  leave()
})

test('a frame that begins again has lost what it drew, which is said', () => {
  const { viewing, leave, tell } = follow()
  tell({ told: 'ready' })
  tell(shown)
  tell({ told: 'ready' })
  expect(viewing.trouble).toBe('broken')
  leave()
})

test('what a frame notes twice stands there once', () => {
  const { viewing, leave, tell } = follow()
  for (const note of ['cut', 'odd', 'cut']) tell({ told: 'note', note })
  expect(viewing.notes).toEqual(['cut', 'odd'])
  leave()
})

test('a frame is told of another language once, and draws in it where it has not begun', () => {
  const { viewing, leave, tell, asked } = follow()
  viewing.speak('sv')
  tell({ told: 'ready' })
  viewing.speak('sv')
  viewing.speak('en')
  expect(asked()).toEqual([
    expect.objectContaining({ ask: 'show', language: 'sv' }),
    { ask: 'language', language: 'en' },
  ])
  leave()
})
