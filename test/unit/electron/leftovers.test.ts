import { expect, test, vi } from 'vitest'
import { openLeftovers } from '../../../electron/local-archive/leftovers.ts'

const openCounted = () => {
  const removed: string[] = []
  const remove = (folder: string) => {
    if (folder === 'locked') return Promise.reject(new Error('It is locked.'))
    removed.push(folder)
    return Promise.resolve()
  }
  return { removed, ...openLeftovers(remove) }
}

test('what is left of small packages is removed once nobody waits', async () => {
  const { add, removeAll, removed } = openCounted()
  await add('a', 1_000)
  await add('b', 1_000)
  expect(removed).toEqual([])
  await removeAll()
  expect(removed).toEqual(['a', 'b'])
  await removeAll()
  expect(removed).toEqual(['a', 'b'])
})

test('what takes much room is removed at once, and what was kept with it', async () => {
  const { add, removed } = openCounted()
  await add('small', 1_000)
  await add('large', 300 * 1024 * 1024)
  expect(removed).toEqual(['small', 'large'])
})

test('what cannot be removed is told, and keeps nothing else', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { add, removeAll, removed } = openCounted()
  for (const folder of ['a', 'locked', 'b']) await add(folder, 1)
  await removeAll()
  expect(removed).toEqual(['a', 'b'])
  expect(told).toHaveBeenCalledWith('locked could not be removed:', expect.any(Error))
  told.mockRestore()
})
