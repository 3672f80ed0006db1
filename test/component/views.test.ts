import { expect, test, vi } from 'vitest'
import { addressOfPlace, loadViews, viewsOf } from '../../renderer/state/views.svelte.ts'

// The page's door is there before any page is.
const { answers } = vi.hoisted(() => {
  const answers = new Map<string, (lists: Record<string, string>) => void>()
  const all = (archive: string) =>
    new Promise((answered) => answers.set(archive, (value) => answered({ value })))
  Object.assign(window, { bridge: { application: {}, archive: { views: { all } } } })
  return { answers }
})

const answer = (archive: string) => answers.get(archive)?.({ packages: `{"query":"text=${archive}"}` })

test('how lists were shown of an archive that was left before that was read is not taken', async () => {
  const first = loadViews('a')
  answer('a')
  await first
  const second = loadViews('b')
  const again = loadViews('a')
  answer('a')
  await again
  answer('b')
  await second
  expect([viewsOf(), addressOfPlace('packages')]).toEqual(['a', '#/packages?text=a'])
})
