import path from 'node:path'
import fc from '../../../support/properties.ts'
import { afterEach, expect, test, vi } from 'vitest'
import type { Dialect } from '../../../../electron/dialects/dialect.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { holdsFormerRows } from '../../../../electron/store/cache/former-rows.ts'
import { beginSnapshot } from '../../../../electron/store/reading/snapshot.ts'
import { scratch } from '../../../support/scratch.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

afterEach(() => void vi.useRealTimers())

type Copy = ReturnType<typeof openLocalCopy>
const agent = (id: number, name = `thing ${id}`) => ({ id, name, type: id % 3 })
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const agents = (ids: number[]) => ids.map((id) => agent(id))

const withCopy = <T>(work: (copy: Copy) => T): T => {
  using place = scratch()
  const copy = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const result = work(copy)
  copy.close()
  return result
}
const titles = ({ scans }: Copy) =>
  scans.all<{ title: string }>('description/agents').map(({ title }) => title)
const marked = ({ cache }: Copy) =>
  cache.database
    .prepare('select id from held where changed is not null order by position')
    .all()
    .map((item) => Number(item['id']))
const writes = ({ writer }: Copy) =>
  (writer.database.prepare('select total_changes() as n').get() as { n: number }).n

test('only what differs is written, in the archive’s order; what was looked at is marked once it changes', () => {
  withCopy((copy) => {
    const hold = (records: unknown[], at: string) => copy.hold('description/agents', records, at)
    hold(agents(range(1, 100)), '1')
    expect(marked(copy)).toEqual([])
    const before = writes(copy)
    expect(hold(agents(range(1, 100)), '2')).toEqual({ hasChanged: false, isDoubted: false })
    expect(writes(copy) - before).toBeLessThan(5)

    const records = [agent(101), ...agents(range(2, 100))].map((item) =>
      item.id === 50 ? agent(50, 'new name') : item,
    )
    hold(records, '3')
    expect(titles(copy)).toEqual(records.map(({ name }) => name))
    // Nobody has looked at any of them, so nobody has to be told what is different.
    expect(marked(copy)).toEqual([])
    for (const id of ['50', '101']) copy.writer.markSeen('description/agents', id)
    expect(marked(copy)).toEqual([])
    const later = records.map(({ id, name }) => agent(id, id > 49 && id < 52 ? 'newer name' : name))
    hold(later, '4')
    expect(marked(copy)).toEqual([50])
    copy.writer.markSeen('description/agents', '50')
    expect(marked(copy)).toEqual([])
  })
})

test('whatever came before, what is held afterwards is the list that came last, in its order', () => {
  const list = fc.uniqueArray(
    fc.record({ id: fc.integer({ min: 1, max: 40 }), name: fc.constantFrom('a', 'b', 'c') }),
    { selector: ({ id }) => id, maxLength: 40 },
  )
  fc.assert(
    fc.property(fc.array(list, { minLength: 1, maxLength: 6 }), (lists) => {
      withCopy((copy) => {
        lists.forEach((records, index) => {
          copy.writer.acceptShrunk('description/agents')
          const outcome = copy.hold('description/agents', records, String(index))
          if (outcome.isDoubted) {
            copy.writer.acceptShrunk('description/agents')
            copy.hold('description/agents', records, String(index))
          }
          expect(
            copy.scans
              .all<{ id: string; title: string }>('description/agents')
              .map(({ id, title }) => [id, title]),
          ).toEqual(records.map(({ id, name }) => [String(id), name]))
        })
      })
    }),
    { numRuns: 150 },
  )
})

test('the first time rows are seen as they come; later a reader sees the old list until the new one is complete', () => {
  withCopy((copy) => {
    const first = beginSnapshot(copy.writer, 'description/agents')
    for (const record of agents(range(1, 5))) first.reader.take(Buffer.from(JSON.stringify(record)), 0)
    copy.writer.commit()
    expect(titles(copy)).toHaveLength(5)
    expect(copy.cache.asOf('description/agents')).toBeNull()
    for (const record of agents(range(6, 10))) first.reader.take(Buffer.from(JSON.stringify(record)), 0)
    first.finish({ pass: 0, count: null, isSure: true }, '1')
    expect([titles(copy).length, copy.cache.asOf('description/agents')]).toEqual([10, '1'])

    const second = beginSnapshot(copy.writer, 'description/agents')
    for (const record of range(1, 12).map((id) => agent(id, `new ${id}`)))
      second.reader.take(Buffer.from(JSON.stringify(record)), 0)
    copy.writer.commit()
    expect(titles(copy)).toEqual(agents(range(1, 10)).map(({ name }) => name))
    second.finish({ pass: 0, count: null, isSure: true }, '2')
    expect(titles(copy)).toEqual(range(1, 12).map((id) => `new ${id}`))
  })
})

test('a reading that breaks off leaves the list as it was; what nobody read to its end takes nothing away', () => {
  withCopy((copy) => {
    copy.hold('description/agents', agents(range(1, 10)), '1')
    const broken = beginSnapshot(copy.writer, 'description/agents')
    broken.reader.take(Buffer.from(JSON.stringify(agent(1, 'other'))), 0)
    broken.giveUp()
    expect(titles(copy)).toEqual(agents(range(1, 10)).map(({ name }) => name))
    expect(copy.cache.asOf('description/agents')).toBe('1')

    const unsure = beginSnapshot(copy.writer, 'description/agents')
    for (const record of agents([1, 2, 3, 4, 5, 6, 7, 8, 11]))
      unsure.reader.take(Buffer.from(JSON.stringify(record)), 0)
    unsure.finish({ pass: null, count: 12, isSure: false }, '2')
    expect(titles(copy)).toHaveLength(11)
    expect(copy.cache.incomplete()).toEqual([{ subject: 'description/agents', counted: 12 }])
    copy.hold('description/agents', agents(range(1, 12)), '3')
    expect(copy.cache.incomplete()).toEqual([])
  })
})

test('rows of a list that is read in several passes are those of the pass that was whole', () => {
  withCopy((copy) => {
    copy.hold('description/agents', agents(range(1, 10)), '1')
    const { reader, finish } = beginSnapshot(copy.writer, 'description/agents')
    const take = (records: unknown[], pass: number) =>
      records.map((record) => reader.take(Buffer.from(JSON.stringify(record)), pass))
    expect(take([agent(1), agent(20), agent(20), agent(2, 'changed')], 0)).toEqual([
      { isNew: true, isNewInPass: true },
      { isNew: true, isNewInPass: true },
      { isNew: false, isNewInPass: false },
      { isNew: true, isNewInPass: true },
    ])
    expect(take([...agents(range(1, 9)), agent(21)], 1).map(({ isNew }) => isNew)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
    ])
    finish({ pass: 1, count: 10, isSure: true }, '2')
    expect(copy.scans.all<{ id: string }>('description/agents').map(({ id }) => Number(id))).toEqual([
      ...range(1, 9),
      21,
    ])
  })
})

test('a record that stands alone and in another one is one record, and stays when either goes', () => {
  const ip = (id: string, label: string, more = {}) => ({
    id,
    label,
    package_type_display: 'AIP',
    object_identifier_value: id,
    ...more,
  })
  const aic = (id: string, ...nested: unknown[]) => ({
    ...ip(id, id),
    package_type_display: 'AIC',
    information_packages: nested,
  })
  withCopy((copy) => {
    const ids = () =>
      copy.cache.database
        .prepare('select id from held order by id')
        .all()
        .map((item) => item['id'])
    const hold = (...records: unknown[]) => {
      copy.hold('packages', records, '1')
      expect(copy.cache.database.prepare('select id from package order by id').all()).toEqual(
        copy.cache.database.prepare('select id from held order by id').all(),
      )
    }
    hold(aic('A', ip('1', 'one', { aic: 'A' })), ip('2', 'two'), ip('1', 'one', { aic: 'A' }))
    expect(ids()).toEqual(['1', '2', 'A'])
    expect(copy.cache.unreadable()).toEqual([])
    hold(aic('A'), ip('2', 'two'), ip('1', 'one', { aic: 'A' }))
    expect(ids()).toEqual(['1', '2', 'A'])
    hold(aic('A', ip('1', 'one', { aic: 'A' })), ip('2', 'two'))
    expect(ids()).toEqual(['1', '2', 'A'])
    hold(aic('A', ip('1', 'one', { aic: 'A' })), ip('2', 'two'), ip('1', 'another'))
    expect(ids()).toEqual(['1', '2', 'A'])
    expect(copy.cache.unreadable()).toEqual([
      { path: expect.stringContaining('1') as string, why: 'Another record has the id 1' },
    ])
  })
})

test('the newest generation and the copies of a package are shown at its AIC, in whatever order they come', () => {
  const ip = (id: string, generation: number, state: string) => ({
    id,
    label: id,
    package_type_display: 'AIP',
    aic: 'A',
    generation,
    state,
    object_size: generation,
  })
  withCopy((copy) => {
    const top = () => {
      const [row] = copy.packages.list({
        view: 'tree',
        sort: 'label',
        descending: false,
        filter: '',
        open: [],
        offset: 0,
        limit: 10,
      }).rows
      return row && [row.id, row.state, row.copies, row.generations, row.bytes]
    }
    copy.hold('objects', [{ id: 'o1', ip: 'i2', storage_medium: 'm' }], '1')
    copy.hold(
      'packages',
      [ip('i2', 2, 'Preserved'), ip('i1', 1, 'Old'), { id: 'A', label: 'A', package_type_display: 'AIC' }],
      '1',
    )
    expect(top()).toEqual(['A', 'Preserved', 1, 2, 2])
    const copyOn = (id: string, medium: string) => ({ id, ip: 'i2', storage_medium: medium })
    copy.hold('objects', [copyOn('o1', 'm'), copyOn('o2', 'n')], '2')
    expect(top()).toEqual(['A', 'Preserved', 2, 2, 2])
    copy.hold('packages', [ip('i1', 1, 'Older'), { id: 'A', label: 'A', package_type_display: 'AIC' }], '2')
    expect(top()).toEqual(['A', 'Older', 0, 1, 1])
    copy.hold('packages', [ip('i1', 1, 'Older')], '3')
    expect(top()).toEqual(['i1', 'Older', 0, 0, 1])
  })
})

test('a list that shrinks by more than a fifth keeps the old rows and their age until a person agrees', () => {
  withCopy((copy) => {
    const { cache, writer } = copy
    const hold = (ids: number[], at: string) => copy.hold('description/agents', agents(ids), at)
    const shown = () => [titles(copy).length, cache.shrunk(), cache.asOf('description/agents')]
    hold(range(1, 100), '1')
    hold(range(1, 80), '2')
    expect(shown()).toEqual([80, [], '2'])
    hold(range(1, 63), '3')
    expect(shown()).toEqual([80, [{ subject: 'description/agents', held: 80, found: 63 }], '2'])
    hold([], '4')
    expect(shown()).toEqual([80, [{ subject: 'description/agents', held: 80, found: 0 }], '2'])
    writer.acceptShrunk('description/agents')
    hold(range(1, 10), '5')
    expect(shown()).toEqual([10, [], '5'])
    // An agreement is for one time.
    hold([1], '6')
    expect(titles(copy)).toHaveLength(10)
    hold(range(1, 12), '7')
    expect(shown()).toEqual([12, [], '7'])
  })
})

/** The specification as it would be after some of its lists came to be read in another way. */
const changedDialect = (shown: (title: string) => string | undefined): Dialect => ({
  ...specification,
  described: (list) => {
    const known = specification.described(list)
    if (!known || (list !== 'agents' && list !== 'tags')) return known
    return {
      ...known,
      version: known.version + 1,
      read: (element, from, above) => {
        const { rows, unreadable } = known.read(element, from, above)
        const read = rows.flatMap(({ model, raw }) => {
          const title = shown(model.title)
          return title === undefined ? [] : [{ model: { ...model, title }, raw }]
        })
        return { rows: read, unreadable }
      },
    }
  },
})

test('a list whose definition has changed is read anew before it is shown, and no other one', () => {
  using place = scratch()
  const file = path.join(place.folder, 'cache.sqlite')
  const first = openLocalCopy(file)
  first.hold('description/agents', [...agents([1, 2, 3]), { name: 'no id' }], '1')
  first.writer.markSeen('description/agents', '2')
  first.hold('description/agents', [agent(1), agent(2, 'was changed'), agent(3), { name: 'no id' }], '2')
  first.hold('description/locations', agents([1, 2]), '1')
  const nested = { id: 'a', name: 'fonds', children: [{ id: 'b', name: 'series' }] }
  first.hold('description/tags', [nested, { id: 'c', name: 'loose' }], '1')
  first.index()
  const known = (copy: Copy) =>
    copy.cache.database
      .prepare('select subject, count(*) as n from element where bytes > 0 group by subject order by subject')
      .all()
      .map(({ subject, n }) => [subject, n])
  const before = known(first)
  const changed = changedDialect((title) => title.toUpperCase())
  expect(holdsFormerRows(first.cache.database, specification)).toBe(false)
  expect(holdsFormerRows(first.cache.database, changed)).toBe(true)
  first.close()

  const second = openLocalCopy(file, changed)
  expect(holdsFormerRows(second.cache.database, changed)).toBe(false)
  expect(titles(second)).toEqual(['THING 1', 'WAS CHANGED', 'THING 3'])
  expect(marked(second)).toEqual([2])
  expect(second.cache.unreadable()).toHaveLength(1)
  const titlesOf = (list: 'tags' | 'locations') =>
    second.scans.all<{ title: string }>(`description/${list}`).map(({ title }) => title)
  expect(titlesOf('locations')).toEqual(['thing 1', 'thing 2'])
  expect(titlesOf('tags')).toEqual(['FONDS', 'SERIES', 'LOOSE'])
  expect(second.cache.pathTo({ list: 'tags', id: 'b' }).map(({ id }) => id)).toEqual(['a'])
  // An element whose record was kept whole is known by its text; what held several, or none, is read again.
  expect(before).toEqual([
    ['description/agents', 4],
    ['description/locations', 2],
    ['description/tags', 2],
  ])
  expect(known(second)).toEqual([
    ['description/agents', 3],
    ['description/locations', 2],
    ['description/tags', 1],
  ])
  expect(second.hold('description/agents', [agent(1), agent(2, 'was changed'), agent(3)], '3')).toMatchObject(
    {
      isDoubted: false,
    },
  )
  expect([titles(second), marked(second)]).toEqual([['THING 1', 'WAS CHANGED', 'THING 3'], [2]])
  second.close()
})

test('what a changed definition cannot read of what is held is gone, and comes with the next reading', () => {
  using place = scratch()
  const file = path.join(place.folder, 'cache.sqlite')
  const first = openLocalCopy(file)
  first.hold('description/agents', agents(range(1, 10)), '1')
  first.hold('packages', [{ id: 'p', label: 'P' }], '1')
  first.close()
  const second = openLocalCopy(
    file,
    changedDialect((title) => (title === 'thing 3' ? undefined : title)),
  )
  expect(titles(second)).not.toContain('thing 3')
  // The rest is there; as a whole the list is as if it had never been complete.
  expect([titles(second).length, second.cache.asOf('description/agents')]).toEqual([9, null])
  expect(second.cache.asOf('packages')).toBe('1')
  second.hold('description/agents', agents(range(1, 10)), '2')
  expect([marked(second), second.cache.asOf('description/agents')]).toEqual([[], '2'])
  second.close()
})

test('a copy that moves is counted where it is', () => {
  withCopy((second) => {
    const ip = (id: string) => ({ id, label: id, package_type_display: 'AIP' })
    const copies = () =>
      second.packages
        .list({
          view: 'flat',
          sort: 'label',
          descending: false,
          filter: '',
          open: [],
          offset: 0,
          limit: 10,
        })
        .rows.map((row) => row.copies)
    second.hold('packages', [ip('p'), ip('q')], '1')
    second.hold('objects', [{ id: 'o', ip: 'p' }], '1')
    expect(copies()).toEqual([1, 0])
    second.hold('objects', [{ id: 'o', ip: 'q' }], '2')
    expect(copies()).toEqual([0, 1])
  })
})

/**
 * Rows are committed after some milliseconds; a clock that stands still keeps them from it on a busy
 * computer.
 */
const stopClock = () => vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
const textOf = (record: unknown) => Buffer.from(JSON.stringify(record))

test('a list whose rows were taken back with those of another one is not said to be complete', () => {
  stopClock()
  withCopy((copy) => {
    const { reader, finish } = beginSnapshot(copy.writer, 'description/agents')
    reader.take(textOf(agent(1)), 0)
    copy.writer.abandon('test')
    expect(() => finish({ pass: 0, count: null, isSure: true }, '1')).toThrow(/taken back/)
    expect([titles(copy), copy.cache.asOf('description/agents')]).toEqual([[], null])
    copy.hold('description/agents', agents([1, 2]), '2')
    expect(titles(copy)).toHaveLength(2)
  })
})

test('a list whose rows were committed before another one broke is complete', () => {
  stopClock()
  withCopy((copy) => {
    const { reader, finish } = beginSnapshot(copy.writer, 'description/agents')
    reader.take(textOf(agent(1)), 0)
    vi.advanceTimersByTime(10)
    copy.writer.abandon('test')
    finish({ pass: 0, count: null, isSure: true }, '1')
    expect([titles(copy), copy.cache.asOf('description/agents')]).toEqual([['thing 1'], '1'])
  })
})

test('a list whose changes were taken back with the rows of another one is not said to be complete', () => {
  stopClock()
  withCopy((copy) => {
    copy.hold('description/agents', agents([1, 2]), '1')
    const other = beginSnapshot(copy.writer, 'description/locations')
    other.reader.take(textOf({ id: 1, name: 'Shelf' }), 0)
    const { reader, finish, giveUp } = beginSnapshot(copy.writer, 'description/agents')
    reader.take(textOf(agent(1, 'new name')), 0)
    copy.writer.abandon('test')
    reader.take(textOf(agent(2)), 0)
    expect(() => finish({ pass: 0, count: null, isSure: true }, '2')).toThrow(/taken back/)
    giveUp()
    expect([titles(copy), copy.cache.asOf('description/agents')]).toEqual([['thing 1', 'thing 2'], '1'])
    copy.hold('description/agents', [agent(1, 'new name'), agent(2)], '3')
    expect(titles(copy)).toEqual(['new name', 'thing 2'])
  })
})

test('a delivery is found by its id before a name, and by its name in whatever case, accents counted', () => {
  withCopy(({ cache, hold }) => {
    const delivery = (id: number, name: string) => ({ id, name, type: { id: 1, name: 'T' } })
    hold('deliveries', [delivery(1, 'Élan'), delivery(2, 'ELAN'), delivery(3, '2')], '1')
    const found = (written: string) => cache.named('deliveries', written)?.id
    expect(['élan', 'Elan', '2', '3', 'el', ''].map(found)).toEqual([
      '1',
      '2',
      '2',
      '3',
      undefined,
      undefined,
    ])
  })
})
