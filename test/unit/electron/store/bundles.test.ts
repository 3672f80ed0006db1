import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { listOf } from '../../../../electron/dialects/dialect.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { openBundler } from '../../../../electron/store/cache/bundles.ts'
import { migrations, openCacheFile } from '../../../../electron/store/cache/cache.ts'
import { digestOf } from '../../../../electron/store/cache/element-cursor.ts'
import { openDatabase } from '../../../../electron/store/open-database.ts'
import { rowTable, type RowTable } from '../../../../electron/store/cache/row-table.ts'
import { openElementThread } from '../../../../electron/sync/element-thread.ts'
import { scratch } from '../../../support/scratch.ts'
import { packageAt } from '../../../bench/many-packages.ts'
import { builtFile } from '../../../support/built.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'
import { readLongList, serveList } from '../../../archives/long-list.ts'

type Copy = ReturnType<typeof openLocalCopy>

const place = scratch()
let copies = 0
const newFile = () => path.join(place.folder, `${(copies += 1)}.sqlite`)
const packages = Array.from({ length: 600 }, (_, number) => packageAt(number))
const last = 450
const definition = listOf(specification, 'packages')

const read = async (url: string, file: string) => {
  const elementThread = openElementThread(builtFile('element-worker.js'), String)
  const { found } = await readLongList(url, elementThread, file)
  return found
}

/** A copy that holds all of the packages, those after the first megabyte in bundles. */
const holdAll = async () => {
  using server = await serveList(JSON.stringify(packages))
  const file = newFile()
  expect((await read(server.url, file)).failure).toBeNull()
  return file
}

const opened = (file: string) => {
  const copy = openLocalCopy(file)
  return Object.assign(copy, { [Symbol.dispose]: copy.close })
}

const numberIn = (database: DatabaseSync, sql: string) =>
  Number(Object.values(database.prepare(sql).get() ?? {})[0])
/** In how many packages words are found. */
const foundIn = (database: DatabaseSync, words: string) =>
  database.prepare('select rowid from words_packages(?)').all(words).length
const bundlesIn = (database: DatabaseSync) => numberIn(database, 'select count(*) from bundle')

/** Rows without their bundle, and bundles without any row. */
const strayIn = (database: DatabaseSync) =>
  numberIn(
    database,
    `select (select count(*) from held where bundle not in (select number from bundle)) +
      (select count(*) from bundle where number not in (select bundle from held where bundle is not null))`,
  )

/** The packages that are held, as the archive gave them. */
const bodiesIn = ({ cache }: Copy, all: { id: string }[]) => all.map(({ id }) => cache.raw('packages', id))

test('long lists lie in bundles, of a fraction of their texts, and are read as they came', async () => {
  using copy = opened(await holdAll())
  const { database } = copy.cache
  const inBundles = numberIn(database, 'select sum(length) from held')
  expect(inBundles).toBeGreaterThan(1_500_000)
  expect(numberIn(database, 'select sum(octet_length(bytes)) from bundle')).toBeLessThan(inBundles / 5)
  expect(bundlesIn(database)).toBeLessThan(30)
  expect(strayIn(database)).toBe(0)
  expect(bodiesIn(copy, packages)).toEqual(packages)
  copy.index()
  expect(foundIn(database, `"volym ${last}"`)).toBe(1)
})

test('packages that stand in their AIC lie in bundles as well, and are read as they came', async () => {
  const nested = packages.map((aip, number) => {
    const id = `${String(number).padStart(8, '0')}-0000-4000-8000-0000000000cc`
    const inside = { ...aip, aic: id }
    return { ...packageAt(number), id, package_type: 1, information_packages: [inside] }
  })
  using server = await serveList(JSON.stringify(nested))
  const file = newFile()
  expect((await read(server.url, file)).failure).toBeNull()
  using copy = opened(file)
  const inside = nested.flatMap(({ information_packages }) => information_packages)
  expect(bodiesIn(copy, inside)).toEqual(inside)
  const labels = nested.map(({ label }) => ({ label }))
  expect(bodiesIn(copy, nested)).toMatchObject(labels)
  const { database } = copy.cache
  // Those of the first megabyte were read where they are written.
  expect(numberIn(database, 'select count(*) from held where bundle is not null')).toBeGreaterThan(700)
  expect(strayIn(database)).toBe(0)
  copy.index()
  expect(foundIn(database, `"volym ${last}"`)).toBe(2)
})

test('what has changed leaves its bundle, which goes with the last of its rows', async () => {
  const file = await holdAll()
  const before = opened(file)
  const all = bundlesIn(before.cache.database)
  before.close()
  const changed = packages
    .filter((_, number) => number < 300 || number >= 400)
    .map((one, number) => (number < 350 ? one : { ...one, label: `Changed ${number}` }))
  {
    using server = await serveList(JSON.stringify(changed))
    expect((await read(server.url, file)).failure).toBeNull()
    using copy = opened(file)
    expect(bodiesIn(copy, changed)).toEqual(changed)
    expect(copy.cache.raw('packages', packages[300]?.id ?? '')).toBeUndefined()
    expect(strayIn(copy.cache.database)).toBe(0)
    expect(bundlesIn(copy.cache.database)).toBeLessThan(all)
    expect(bundlesIn(copy.cache.database)).toBeGreaterThan(0)
    copy.index()
    expect(foundIn(copy.cache.database, '"changed 410"')).toBe(1)
  }
})

test('what another definition reads anew stays in its bundle', async () => {
  const file = await holdAll()
  const database = openCacheFile(file)
  database.exec(`update definition set reader = 'of an earlier version'; delete from stale`)
  const bundles = bundlesIn(database)
  database.close()
  using copy = opened(file)
  expect(numberIn(copy.cache.database, 'select count(*) from stale')).toBe(packages.length)
  expect(bundlesIn(copy.cache.database)).toBe(bundles)
  expect(bodiesIn(copy, packages)).toEqual(packages)
})

test.each([
  ['a transaction that was taken back', ({ writer }: Copy) => writer.abandon(null)],
  [
    'the last of its rows',
    ({ writer }: Copy, rows: RowTable) => {
      rows.removeSingle('1')
      writer.commit()
    },
  ],
])('a bundle that went with %s is held again where more of it is needed', (_, end) => {
  using copy = opened(newFile())
  const rows = rowTable(copy.writer, 'packages')
  const { add, close } = openBundler()
  const elements = ['1', '2'].map((id) => {
    const record = { id, label: `The label of ${id}` }
    const text = Buffer.from(JSON.stringify(record))
    const { rows: found, unreadable } = definition?.read(record, 0) ?? { rows: [], unreadable: [] }
    const laid = found.map(({ model }) => ({ model, text: add(text) }))
    return { rows: laid, unreadable, digest: digestOf(text), bytes: text.length }
  })
  close()
  let next = 0
  const put = (element: (typeof elements)[number]) =>
    copy.writer.write('packages', () =>
      rows.put(
        null,
        element,
        () => (next += 1024),
        null,
        () => false,
      ),
    )
  elements.slice(0, 1).forEach(put)
  end(copy, rows)
  elements.slice(1).forEach(put)
  copy.writer.commit()
  expect(copy.cache.raw('packages', '1')).toBeUndefined()
  expect(copy.cache.raw('packages', '2')).toEqual({ id: '2', label: 'The label of 2' })
  expect(strayIn(copy.cache.database)).toBe(0)
})

const overwritten = (bytes: Buffer) => bytes.fill(0x55, 1_000, 1_050)
const flipped = (bytes: Buffer) => bytes.fill((bytes[700] ?? 0) ^ 1, 700, 701)
const cutOff = (bytes: Buffer) => bytes.subarray(0, 1_000)
const emptied = () => Buffer.alloc(0)

/** The bytes of a bundle are others than were written; gives the packages that lie in it. */
const damage = (file: string, spoil: (bytes: Buffer) => Buffer): string[] => {
  const database = openCacheFile(file)
  const number = numberIn(database, `select bundle from held where id = '${packages[last]?.id ?? ''}'`)
  const { bytes } = database.prepare('select bytes from bundle where number = ?').get(number) ?? {}
  const broken = spoil(Buffer.from(bytes as Uint8Array))
  database.prepare('update bundle set bytes = ? where number = ?').run(broken, number)
  const ids = database.prepare('select id from held where bundle = ?').all(number)
  database.close()
  return ids.map(({ id }) => String(id))
}

const takeWords = ({ index }: Copy) => index()
const look = ({ writer }: Copy) => writer.markSeen('packages', packages[last]?.id ?? '')

test.each([
  ['overwritten, as its words are taken', overwritten, takeWords],
  ['cut off, as its words are taken', cutOff, takeWords],
  ['flipped by a bit, as a person looks at it', flipped, look],
  ['emptied, as a person looks at it', emptied, look],
])('a damaged bundle says so of its own rows, and is read anew once found: %s', async (_, spoil, find) => {
  const file = await holdAll()
  const ids = damage(file, spoil)
  expect(ids.length).toBeGreaterThan(20)
  {
    using copy = opened(file)
    for (const id of ids)
      expect(() => copy.cache.raw('packages', id)).toThrow(
        expect.objectContaining({ failure: { kind: 'disk', trouble: 'read-back', path: file } }),
      )
    const sound = packages.filter(({ id }) => !ids.includes(id))
    expect(bodiesIn(copy, sound)).toEqual(sound)
    // It is in the list all the same.
    expect(copy.packages.facts(packages[last]?.id ?? '')?.label).toBe(packages[last]?.label)
    find(copy)
  }
  using server = await serveList(JSON.stringify(packages))
  expect((await read(server.url, file)).failure).toBeNull()
  using copy = opened(file)
  expect(bodiesIn(copy, packages)).toEqual(packages)
  expect(strayIn(copy.cache.database)).toBe(0)
  // Nobody says that it has changed.
  expect(numberIn(copy.cache.database, 'select count(*) from held where changed is not null')).toBe(0)
})

test('a damaged bundle is no word on a record that another definition reads', async () => {
  const file = await holdAll()
  const ids = damage(file, overwritten)
  const database = openCacheFile(file)
  database.exec(`update definition set reader = 'of an earlier version'`)
  database.close()
  {
    using copy = opened(file)
    const sound = packages.filter(({ id }) => !ids.includes(id))
    expect(bodiesIn(copy, sound)).toEqual(sound)
    expect(copy.cache.asOf('packages')).toBeNull()
  }
  using server = await serveList(JSON.stringify(packages))
  expect((await read(server.url, file)).failure).toBeNull()
  using copy = opened(file)
  expect(bodiesIn(copy, packages)).toEqual(packages)
})

test('a copy of an earlier version stays as it is, and goes on', async () => {
  const file = newFile()
  const earlier = openDatabase(file, migrations.slice(0, 11))
  const addElement = earlier.prepare(
    `insert into element (subject, place, digest, bytes, rows) values ('packages', ?, unhex(?), ?, 1)`,
  )
  const addHeld = earlier.prepare(
    `insert into held (subject, id, element, nth, position, model, raw)
      values ('packages', ?, ?, 0, 0, '', ?)`,
  )
  packages.forEach((one, index) => {
    const text = JSON.stringify(one)
    addElement.run((index + 1) * 1024, digestOf(Buffer.from(text)), Buffer.byteLength(text))
    addHeld.run(one.id, index + 1, text)
  })
  earlier.exec(
    `insert into definition (subject, reader) values ('packages', 'of an earlier version');
     insert into refreshed (subject, at) values ('packages', '2026-11-25T08:00:00Z')`,
  )
  earlier.close()
  {
    using copy = opened(file)
    expect(bodiesIn(copy, packages)).toEqual(packages)
    expect(copy.cache.asOf('packages')).toBe('2026-11-25T08:00:00Z')
    expect(copy.packages.facts(packages[7]?.id ?? '')?.label).toBe(packages[7]?.label)
    expect(bundlesIn(copy.cache.database)).toBe(0)
  }
  const changed = packages.map((one, number) => (number === 500 ? { ...one, label: 'Changed' } : one))
  using server = await serveList(JSON.stringify(changed))
  expect((await read(server.url, file)).failure).toBeNull()
  using copy = opened(file)
  expect(bodiesIn(copy, changed)).toEqual(changed)
})

test('killed in the middle of a first reading, a copy has what it shows, and is filled up', async () => {
  const text = JSON.stringify(packages)
  using server = await serveList(text)
  server.stopAt(2_500_000)
  const file = newFile()
  const child = fork(path.join(import.meta.dirname, '../../../archives/long-list.ts'), [server.url, file])
  const database = openCacheFile(file)
  await expect.poll(() => bundlesIn(database)).toBeGreaterThan(3)
  child.kill('SIGKILL')
  await once(child, 'exit')
  database.close()
  {
    using copy = opened(file)
    const held = numberIn(copy.cache.database, 'select count(*) from held')
    expect(held).toBeGreaterThan(200)
    expect(held).toBeLessThan(packages.length)
    expect(bodiesIn(copy, packages.slice(0, held))).toEqual(packages.slice(0, held))
    expect(strayIn(copy.cache.database)).toBe(0)
  }
  server.stopAt(undefined)
  expect((await read(server.url, file)).failure).toBeNull()
  using copy = opened(file)
  expect(bodiesIn(copy, packages)).toEqual(packages)
  expect(strayIn(copy.cache.database)).toBe(0)
})
