import { expect, test } from 'vitest'
import { Viewing } from '../../renderer/pages/reader/viewing.svelte.ts'

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
  return {
    viewing,
    leave,
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
