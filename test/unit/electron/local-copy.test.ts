import path from 'node:path'
import { expect, test } from 'vitest'
import { openCache } from '../../../electron/store/cache.ts'
import { scratch } from '../../archive.ts'

const row = (id: number, name = `thing ${id}`) => ({ model: { id, name, refs: [`agents:${id % 3}`] }, raw: { id, name } })
const listOf = (ids: number[]) => ({ rows: ids.map((id) => row(id)), unreadable: [] })
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

const withCache = (work: (cache: ReturnType<typeof openCache>) => void) => {
  using place = scratch()
  const cache = openCache(path.join(place.folder, 'cache.sqlite'))
  work(cache)
  cache.close()
}
const names = (cache: ReturnType<typeof openCache>) => cache.all<{ name: string }>('a', 'description/tags').map(({ name }) => name)
const changed = (cache: ReturnType<typeof openCache>) =>
  cache.database
    .prepare('select id from held where changed is not null order by position')
    .all()
    .map((it) => Number(it['id']))

test('only what differs is written, in the archive’s order; what changed is marked until it is looked at', () => {
  withCache((cache) => {
    cache.hold('a', 'description/tags', listOf(range(1, 100)), '1')
    expect(changed(cache)).toEqual([])
    const writes = () => (cache.database.prepare('select total_changes() as n').get() as { n: number }).n
    const before = writes()
    cache.hold('a', 'description/tags', listOf(range(1, 100)), '2')
    expect(writes() - before).toBeLessThan(5)

    const rows = [row(101), ...listOf(range(2, 100)).rows].map((it) => (it.model.id === 50 ? row(50, 'new name') : it))
    cache.hold('a', 'description/tags', { rows, unreadable: [] }, '3')
    expect(names(cache)).toEqual(rows.map(({ model }) => model.name))
    expect(changed(cache)).toEqual([101, 50])
    expect(cache.look('a', 'description/tags', '50')).toBe(true)
    expect(cache.look('a', 'description/tags', '50')).toBe(false)
    expect(changed(cache)).toEqual([101])
    const { n } = cache.database.prepare(`select count(*) as n from reference`).get() as { n: number }
    expect(n).toBe(100)
  })
})

test('a list that shrinks by more than a fifth keeps the old rows until a person agrees', () => {
  withCache((cache) => {
    cache.hold('a', 'description/tags', listOf(range(1, 100)), '1')
    cache.hold('a', 'description/tags', listOf(range(1, 80)), '2')
    expect([names(cache).length, cache.shrunk('a')]).toEqual([80, []])
    cache.hold('a', 'description/tags', listOf(range(1, 63)), '3')
    expect([names(cache).length, cache.shrunk('a')]).toEqual([80, [{ subject: 'description/tags', held: 80, found: 63 }]])
    cache.hold('a', 'description/tags', listOf([]), '4')
    expect([names(cache).length, cache.shrunk('a')]).toEqual([80, [{ subject: 'description/tags', held: 80, found: 0 }]])
    cache.agree('a', 'description/tags')
    cache.hold('a', 'description/tags', listOf(range(1, 10)), '5')
    expect([names(cache).length, cache.shrunk('a')]).toEqual([10, []])
    // An agreement is for one time.
    cache.hold('a', 'description/tags', listOf([1]), '6')
    expect(names(cache).length).toBe(10)
    cache.hold('a', 'description/tags', listOf(range(1, 12)), '7')
    expect([names(cache).length, cache.shrunk('a')]).toEqual([12, []])
  })
})

test('one list that shrinks does not hold the others back', () => {
  withCache((cache) => {
    const lists = (tags: number, agents: number) => [
      { subject: 'description/tags' as const, ...listOf(range(1, tags)) },
      { subject: 'description/agents' as const, ...listOf(range(1, agents)) },
    ]
    cache.replace('a', lists(50, 50), '1')
    cache.replace('a', lists(5, 60), '2')
    expect([cache.count('a', 'description/tags'), cache.count('a', 'description/agents')]).toEqual([50, 60])
  })
})
