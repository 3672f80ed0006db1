import { expect, test, vi } from 'vitest'
import { openLruCache } from '../../../renderer/viewer/parts/lru-cache.ts'

/** Keeps texts, each as many bytes as it has letters, and tells which were made. */
const openKeeper = (mostBytes: number) => {
  const keep = openLruCache<string>(mostBytes, ({ length }) => length)
  const made: string[] = []
  const get = (key: string, making = Promise.resolve(key)) =>
    keep(key, () => {
      made.push(key)
      return making
    })
  return { get, made }
}

test('what was used longest ago is let go of, by its bytes', async () => {
  const { get, made } = openKeeper(10)
  for (const key of ['aaaa', 'bbbb', 'aaaa', 'cccc', 'aaaa', 'bbbb']) await get(key)
  expect(made).toEqual(['aaaa', 'bbbb', 'cccc', 'bbbb'])
})

test('what is still made is not let go of, and counts once it is there', async () => {
  const { get, made } = openKeeper(10)
  const slow = Promise.withResolvers<string>()
  const asked = get('aaaa', slow.promise)
  for (const key of ['bbbb', 'cccc', 'dddd']) await get(key)
  expect(await Promise.race([get('aaaa'), Promise.resolve('not yet')])).toBe('not yet')
  slow.resolve('aaaa')
  await asked
  for (let turn = 0; turn < 3; turn += 1) await Promise.all([get('aaaa'), get('eeee')])
  expect(made).toEqual(['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee'])
})

test('what is larger than all that may be kept is kept while nothing else is', async () => {
  const { get, made } = openKeeper(3)
  for (const key of ['aaaa', 'aaaa', 'b', 'b']) await get(key)
  expect(made).toEqual(['aaaa', 'b'])
})

test('what failed is made again', async () => {
  const { get, made } = openKeeper(10)
  const making = vi.fn(() => Promise.reject(new Error('broken')))
  await expect(get('aaaa', making())).rejects.toThrow('broken')
  expect(await get('aaaa')).toBe('aaaa')
  expect(made).toEqual(['aaaa', 'aaaa'])
})
