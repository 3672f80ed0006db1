import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { beginSnapshot } from '../../../../electron/store/reading/snapshot.ts'
import { scratch } from '../../../support/scratch.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

afterEach(() => void vi.useRealTimers())

const agents = [1, 2].map((id) => ({ id, name: `thing ${id}`, type: 1 }))
const shelf = { id: 2, name: 'Shelf' }
const textOf = (record: unknown) => Buffer.from(JSON.stringify(record))

// A full disk ends a statement alone, or takes back the whole transaction by itself.
test.each(['abort', 'rollback'])('nothing is held of an element that cannot be written whole: %s', (how) => {
  // Rows are committed after some milliseconds, which pass here alone.
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  using place = scratch()
  const copy = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const { database } = copy.writer
  database.exec(
    `create temp trigger refuse before insert on main.held when new.id = '2' begin
       select raise(${how}, 'database or disk is full'); end`,
  )
  const { reader } = beginSnapshot(copy.writer, 'description/agents')
  const [first, second] = agents
  reader.take(textOf(first), 0)
  expect(() => reader.take(textOf(second), 0)).toThrow(/full/)
  // Whoever reads the list hears of it later than another list goes on, and than the clock.
  const other = beginSnapshot(copy.writer, 'description/locations')
  expect(() => other.reader.take(textOf(shelf), 0)).toThrow(/full/)
  vi.advanceTimersByTime(10)
  database.exec('drop trigger refuse')
  expect(database.prepare('select * from element').all()).toEqual([])
  copy.hold('description/agents', agents, '1')
  copy.hold('description/locations', [shelf], '1')
  expect([copy.cache.count('description/agents'), copy.cache.count('description/locations')]).toEqual([2, 1])
  copy.close()
})
