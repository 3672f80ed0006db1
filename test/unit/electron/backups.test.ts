import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import {
  migrations as archiveMigrations,
  openDatabase as openArchive,
} from '../../../electron/local-archive/database.ts'
import { backups, recover } from '../../../electron/store/backups.ts'
import { migrations as cacheMigrations, openCache } from '../../../electron/store/cache.ts'
import { migrations as deskMigrations, openDeskStore } from '../../../electron/store/desk.ts'
import { openDatabase } from '../../../electron/store/open.ts'
import { scratch } from '../../archive.ts'

const now = new Date('2026-03-01T09:14:00Z')
const archive = (id: string) =>
  ({
    id,
    name: id,
    url: '',
    isHere: false,
    isSample: false,
    username: '',
    fullName: '',
    scheme: 'Token',
    isSignedIn: true,
  }) as const

const withBackups = async (file: string) => {
  const store = openDeskStore(file)
  const save = backups(store.database, file)
  store.keepArchive(archive('first'), '1')
  await save()
  store.keepArchive(archive('second'), '2')
  await save()
  store.keepArchive(archive('third'), '3')
  store.close()
}
const names = (file: string) => {
  const store = openDeskStore(file)
  const found = store.archives().map(({ id }) => id)
  store.close()
  return found.sort()
}
const damage = (file: string, to = 12_288) => {
  const bytes = readFileSync(file)
  bytes.fill(0x55, 4096, Math.min(bytes.length, to))
  writeFileSync(file, bytes)
}

test('two generations are kept, and nothing is written where nothing changed', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  await withBackups(file)
  expect(names(`${file}.backup-1`)).toEqual(['first', 'second'])
  expect(names(`${file}.backup-2`)).toEqual(['first'])
  expect(recover(file, now)).toBeNull()
  expect(names(file)).toEqual(['first', 'second', 'third'])
})

test.each([
  ['damaged in the middle', damage],
  ['no database at all', (file: string) => writeFileSync(file, 'x'.repeat(20_000))],
  ['cut short', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 5000))],
])('a file that is %s is set aside, and the newest sound backup takes its place', async (_how, spoil) => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  await withBackups(file)
  spoil(file)
  const spoilt = readFileSync(file)
  const recovered = recover(file, now)
  expect(recovered?.from).toMatch(/^\d{4}-/)
  expect(readFileSync(recovered?.setAside ?? '')).toEqual(spoilt)
  expect(names(file)).toEqual(['first', 'second'])
})

test('where the newest backup is damaged as well, the older one is taken; where both are, the desk begins anew', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  await withBackups(file)
  damage(file)
  damage(`${file}.backup-1`)
  expect(recover(file, now)).not.toBeNull()
  expect(names(file)).toEqual(['first'])
  damage(file)
  damage(`${file}.backup-2`)
  expect(recover(file, now)).toMatchObject({
    from: null,
    setAside: expect.stringContaining('damaged-2026-03-01') as string,
  })
  expect(names(file)).toEqual([])
})

test('a file that is gone comes back from its backup; a first start recovers nothing', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  expect(recover(file, now)).toBeNull()
  await withBackups(file)
  renameSync(file, `${file} elsewhere`)
  expect(recover(file, now)).toMatchObject({ setAside: null })
  expect(names(file)).toEqual(['first', 'second'])
})

test.each([
  ['cache', cacheMigrations],
  ['desk', deskMigrations],
])('the %s opens from every earlier version as if it had been made today', (name, migrations) => {
  using place = scratch()
  const shapeOf = (database: DatabaseSync) =>
    database
      .prepare(
        "select type, name, tbl_name, sql from sqlite_schema where name not like 'sqlite_%' order by name",
      )
      .all()
  const made = openDatabase(path.join(place.folder, 'today.sqlite'), migrations)
  for (let version = 1; version < migrations.length; version += 1) {
    const file = path.join(place.folder, `${name}-${version}.sqlite`)
    openDatabase(file, migrations.slice(0, version)).close()
    const later = openDatabase(file, migrations)
    expect([version, shapeOf(later)]).toEqual([version, shapeOf(made)])
    later.close()
  }
  made.close()
  rmSync(place.folder, { recursive: true })
})

test('an archive of the first version keeps its restrictions', () => {
  using place = scratch()
  const first = new DatabaseSync(path.join(place.folder, 'archive.sqlite'))
  first.exec(`${archiveMigrations[0]}; pragma user_version = 1`)
  const put = first.prepare(`insert into record (kind, id, body) values ('information package', ?, ?)`)
  put.run('a', JSON.stringify({ id: 'a', package_type: 1, restricted: true }))
  put.run('b', JSON.stringify({ id: 'b', package_type: 1, restricted: false }))
  first.close()
  const database = openArchive(place.folder)
  expect(database.list('restriction')).toEqual([{ id: 'a' }])
  expect(database.list('information package')).toEqual([
    { id: 'a', package_type: 1 },
    { id: 'b', package_type: 1 },
  ])
  database.close()
})

test('a local copy of the shape that earlier versions had is emptied, and works', () => {
  using place = scratch()
  const file = path.join(place.folder, 'cache.sqlite')
  const before = new DatabaseSync(file)
  before.exec(`create table held (archive text not null, subject text not null, id text not null, position integer not null, model text not null, raw text not null, primary key (archive, subject, id)) strict, without rowid;
    insert into held values ('a', 'packages', 'x', 0, '{}', '{}'); create table refreshed (archive text primary key, at text not null) strict; insert into refreshed values ('a', '1'); pragma user_version = 4`)
  before.close()
  const cache = openCache(file)
  expect([cache.count('a', 'packages'), cache.asOf('a'), cache.asOf('a', 'packages')]).toEqual([
    0,
    null,
    null,
  ])
  cache.close()
})
