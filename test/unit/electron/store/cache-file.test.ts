import { latestMigration, takeBackTo } from '../../../desks/earlier-copy.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'
import { Failed } from '../../../../electron/contract/failure.ts'
import type { Dialect } from '../../../../electron/dialects/dialect.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { migrations, openCache } from '../../../../electron/store/cache/cache.ts'
import { findCacheFile, noteDamage } from '../../../../electron/store/cache/cache-file.ts'
import { cacheFileOf, openCaches } from '../../../../electron/store/cache/caches.ts'
import { heldFilters, nothing } from '../../../../electron/contract/search-filters.ts'
import { openFind } from '../../../../electron/store/search/find.ts'
import { scratch } from '../../../support/scratch.ts'
import { openWindowless } from '../../../desks/windowless.ts'

const now = new Date('2026-03-01T09:14:00Z')
const nobody = 65_534

/** @param told hears what stood in the way of which archive's file */
const cachesIn = (
  folder: string,
  told: Parameters<typeof openCaches>[0]['inTheWay'] = () => undefined,
  dialect: Dialect = specification,
) => openCaches({ folder, now: () => now, dialectOf: () => dialect, inTheWay: told })

/** Root may read and write everything: so the work is done as somebody else. */
const asNobody = <T>(folder: string, files: string[], work: () => T): T => {
  if (process.getuid?.() !== 0) return work()
  for (const file of [folder, ...files]) chownSync(file, nobody, nobody)
  process.seteuid?.(nobody)
  try {
    return work()
  } finally {
    process.seteuid?.(0)
  }
}
const damage = (file: string) => {
  const bytes = readFileSync(file)
  bytes.fill(0x55, 4096)
  writeFileSync(file, bytes)
}

/** As it is where only one page went bad: the file opens, and shows it when that is read. */
const damageTable = (file: string, table: string) => {
  const database = new DatabaseSync(file)
  const { page_size: size } = database.prepare('pragma page_size').get() as { page_size: number }
  const pages = database.prepare('select rootpage from sqlite_schema where tbl_name = ?').all(table)
  database.close()
  const bytes = readFileSync(file)
  for (const { rootpage } of pages) bytes.fill(0x55, (Number(rootpage) - 1) * size, Number(rootpage) * size)
  writeFileSync(file, bytes)
}

const inTheWay: [string, (file: string) => void][] = [
  ['a folder', (file) => mkdirSync(file)],
  ['a folder with files', (file) => (mkdirSync(file), writeFileSync(path.join(file, 'notes.txt'), 'mine'))],
  ['a link to nowhere', (file) => symlinkSync(path.join(path.dirname(file), 'none', 'x'), file)],
  ['a link to itself', (file) => symlinkSync(file, file)],
  ['another file', (file) => writeFileSync(file, 'no database at all')],
  [
    'a database of another program',
    (file) => {
      const database = new DatabaseSync(file)
      database.exec('create table package (x)')
      database.close()
    },
  ],
  [
    'a newer version',
    (file) => {
      const cache = openCache(file)
      cache.database.exec('pragma user_version = 9000')
      cache.close()
    },
  ],
  [
    'a folder beside it',
    (file) => {
      openCache(file).close()
      mkdirSync(`${file}-wal`)
    },
  ],
]
test.each(inTheWay)(
  '%s in place of the local copy of one archive is set aside, and harms no other',
  (_what, prepare) => {
    using place = scratch()
    const file = cacheFileOf(place.folder, 'a')
    mkdirSync(path.dirname(file))
    prepare(file)
    const warned: unknown[] = []
    const open = () => cachesIn(place.folder, (archive, what) => void warned.push([archive, what.file]))
    const caches = open()
    expect(caches.cacheOf('b').count('packages')).toBe(0)
    expect(warned).toEqual([])
    expect(caches.cacheOf('a').count('packages')).toBe(0)
    expect(warned).toEqual([['a', file]])
    caches.close()
    const names = readdirSync(path.dirname(file))
    expect(names.filter((name) => name.startsWith('a.sqlite.set-aside-')).length).toBeGreaterThan(0)
    expect(names.filter((name) => name.startsWith('b.'))).toEqual(['b.sqlite'])
    expect(statSync(file).isFile()).toBe(true)
    // Nothing is in the way at the next start.
    const again = open()
    expect(again.fileOf('a')).toBe(file)
    expect(warned).toHaveLength(1)
  },
)

test('a copy that is found damaged while it is used begins anew at the next start, and only that one', () => {
  using place = scratch()
  const warned: string[] = []
  const open = () => cachesIn(place.folder, (archive) => void warned.push(archive))
  const before = open()
  for (const archive of ['a', 'b']) before.cacheOf(archive)
  before.close()
  damageTable(cacheFileOf(place.folder, 'a'), 'package')
  const used = open()
  expect(() => used.cacheOf('a').packages.some(10)).toThrow()
  expect(used.cacheOf('b').packages.some(10)).toEqual([])
  expect(warned).toEqual([])
  used.close()
  const after = open()
  expect(['a', 'b'].map((archive) => after.cacheOf(archive).packages.some(10))).toEqual([[], []])
  expect(warned).toEqual(['a'])
  after.close()
})

test.each(['config', 'data'])('damage in an index of words (its %s) is known for what it is', (part) => {
  using place = scratch()
  const file = path.join(place.folder, 'cache.sqlite')
  const use = () => {
    const copy = openLocalCopy(file)
    try {
      const agents = Array.from({ length: 200 }, (_, id) => ({ id, name: `Länsstyrelsen ${id}` }))
      copy.hold('description/agents', agents, '1')
      copy.index()
      return openFind(copy.cache).ask({
        typed: 'länsstyrelsen',
        filters: heldFilters(nothing),
        most: 500,
        group: null,
      })
    } finally {
      copy.close()
    }
  }
  use()
  damageTable(file, `words_agents_${part}`)
  let found: unknown
  try {
    use()
  } catch (error) {
    found = error
  }
  noteDamage(file, found)
  expect(findCacheFile(file, now).inTheWay?.setAside).toMatch(/set-aside/)
  use()
})

test('the one file that earlier versions had for all archives is deleted; whatever else is there is kept', async () => {
  using place = scratch()
  const former = path.join(place.folder, 'cache.sqlite')
  for (const end of ['', '-wal', '-shm', '.damaged', '.set-aside-2026'])
    writeFileSync(former + end, 'what was read')
  writeFileSync(path.join(place.folder, 'cache.sqlite.txt'), 'mine')
  await openWindowless(place.folder).stop()
  const names = readdirSync(place.folder)
  expect(names.filter((name) => name.startsWith('cache'))).toEqual(['cache.sqlite.txt'])
})

test.each(['', '..', 'a/b', 'A', 'a.b', 'con:', 'ö'])('"%s" is no id of an archive', (archive) => {
  using place = scratch()
  const { fileOf, cacheOf } = cachesIn(place.folder)
  expect(() => fileOf(archive)).toThrow('is no id of an archive')
  expect(() => cacheOf(archive)).toThrow('is no id of an archive')
  expect(readdirSync(place.folder)).toEqual([])
})

test('what cannot be read or written is set aside; what cannot be moved stays, and another file is used', () => {
  using place = scratch()
  const file = path.join(place.folder, 'cache.sqlite')
  for (const mode of [0o000, 0o400]) {
    openCache(file).close()
    chmodSync(file, mode)
    asNobody(place.folder, [file], () =>
      expect(findCacheFile(file, now)).toMatchObject({ file, inTheWay: { file } }),
    )
  }
  // A folder of somebody else's cannot be moved out of a folder with the sticky bit (as /tmp is).
  if (process.getuid?.() !== 0) return
  using other = scratch()
  const held = path.join(other.folder, 'cache.sqlite')
  mkdirSync(held)
  chmodSync(other.folder, 0o1777)
  process.seteuid?.(nobody)
  try {
    const found = findCacheFile(held, now)
    expect(found).toMatchObject({
      file: path.join(other.folder, 'cache-2.sqlite'),
      inTheWay: { file: held, setAside: null },
    })
    openCache(found.file).close()
  } finally {
    process.seteuid?.(0)
  }
})

test('a file that another program holds for good is set aside', () => {
  using place = scratch()
  const file = path.join(place.folder, 'cache.sqlite')
  openCache(file).close()
  const holder = new DatabaseSync(file)
  holder.exec('pragma locking_mode = exclusive; begin exclusive')
  expect(findCacheFile(file, now)).toMatchObject({ file, inTheWay: { file } })
  openCache(file).close()
  holder.close()
})

test('of damaged copies that were set aside the last one is kept, and nothing that is somebody else’s goes', () => {
  using place = scratch()
  const file = path.join(place.folder, 'cache.sqlite')
  mkdirSync(file)
  writeFileSync(path.join(file, 'notes.txt'), 'mine')
  findCacheFile(file, new Date('2026-01-01T00:00:00Z'))
  for (const day of ['2026-01-02', '2026-01-03']) {
    // It may be too long to be looked through at every start: what finds the damage notes it for the next
    // one.
    openCache(file).close()
    damage(file)
    let found: unknown
    try {
      openCache(file).count('packages')
    } catch (error) {
      found = error
    }
    noteDamage(file, new Error('disk full'))
    expect(existsSync(`${file}.damaged`)).toBe(false)
    noteDamage(file, found)
    expect(findCacheFile(file, new Date(`${day}T00:00:00Z`)).inTheWay?.setAside).toBe(
      `${file}.set-aside-${day}T00-00-00-000Z`,
    )
  }
  expect(readdirSync(place.folder).filter((name) => name !== 'cache.sqlite')).toEqual([
    'cache.sqlite.set-aside-2026-01-01T00-00-00-000Z',
    'cache.sqlite.set-aside-2026-01-03T00-00-00-000Z',
  ])
})

test('a folder in which nothing can be made is said as a failure of the disk', () => {
  using place = scratch()
  const folder = path.join(place.folder, 'data')
  writeFileSync(folder, 'a file where the folder should be')
  expect(() => findCacheFile(path.join(folder, 'cache.sqlite'), now)).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ kind: 'disk' }) as object }) as Error,
  )
})

test('what another definition read is shown to nobody before it is read anew', async () => {
  using place = scratch()
  const file = cacheFileOf(place.folder, 'a')
  const written = openLocalCopy(file)
  written.hold('description/agents', [{ id: 1, name: 'one' }], '1')
  written.close()
  const other: Dialect = { ...specification, name: 'other' }
  const caches = cachesIn(place.folder, () => undefined, other)
  expect(() => caches.cacheOf('a')).toThrow(Failed)
  const full = new Failed({ kind: 'disk', trouble: 'full', path: file })
  await expect(caches.prepare('a', other, () => Promise.reject(full))).rejects.toBe(full)
  expect(() => caches.fileToRead('a')).toThrow(Failed)
  await caches.prepare('a', other, () => Promise.resolve(openLocalCopy(file, other).close()))
  expect(caches.cacheOf('a').count('description/agents')).toBe(1)
  caches.close()
})

test('what an earlier version wrote is brought up to date by who writes it, and shown to nobody before', async () => {
  using place = scratch()
  const file = cacheFileOf(place.folder, 'a')
  const written = openLocalCopy(file)
  written.hold('description/agents', [{ id: 1, name: 'one' }], '1')
  written.close()
  const versionOf = () => {
    const database = new DatabaseSync(file)
    const found = database.prepare('pragma user_version').get()
    database.close()
    return found?.['user_version']
  }
  const before = new DatabaseSync(file)
  takeBackTo(before, latestMigration)
  before.close()
  const earlier = migrations.length - 1
  const caches = cachesIn(place.folder)
  expect(() => caches.cacheOf('a')).toThrow(Failed)
  expect(() => caches.fileToRead('a')).toThrow(Failed)
  expect(versionOf()).toBe(earlier)
  await caches.prepare('a', specification, () => Promise.resolve(openLocalCopy(file).close()))
  expect(versionOf()).toBe(migrations.length)
  expect(caches.cacheOf('a').count('description/agents')).toBe(1)
  caches.close()
})
