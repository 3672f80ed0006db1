import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import {
  migrations as archiveMigrations,
  openDatabase as openArchive,
} from '../../../../electron/local-archive/database.ts'
import { backups } from '../../../../electron/store/desk/backups.ts'
import { migrations as cacheMigrations } from '../../../../electron/store/cache/cache.ts'
import {
  migrations as deskMigrations,
  openDeskStore,
  type KeptCreation,
} from '../../../../electron/store/desk/desk-store.ts'
import { openDatabase } from '../../../../electron/store/open-database.ts'
import { recover } from '../../../../electron/store/desk/recover.ts'
import { scratch } from '../../../support/scratch.ts'
import { keptJobs } from '../../../desks/kept-jobs.ts'

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
  store.keepArchive(archive('first'))
  await save()
  store.keepArchive(archive('second'))
  await save()
  store.keepArchive(archive('third'))
  store.close()
}
const names = (file: string) => {
  const store = openDeskStore(file)
  const found = store.archives().map(({ id }) => id)
  store.close()
  return found.sort()
}
/** Damages the pages behind the first one, and the one that the table of jobs begins on. */
const damage = (file: string, to = 12_288) => {
  const database = new DatabaseSync(file)
  const { rootpage } = database.prepare(`select rootpage from sqlite_schema where name = 'job'`).get() as {
    rootpage: number
  }
  database.close()
  const bytes = readFileSync(file)
  bytes.fill(0x55, 4096, Math.min(bytes.length, to))
  bytes.fill(0x55, (rootpage - 1) * 4096, rootpage * 4096)
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
  ['damaged in the middle', damage, ['first', 'second', 'third']],
  ['no database at all', (file: string) => writeFileSync(file, 'x'.repeat(20_000)), ['first', 'second']],
  [
    'cut short',
    (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 5000)),
    ['first', 'second'],
  ],
])(
  'a file that is %s is set aside, and the newest sound backup takes its place',
  async (_how, spoil, found) => {
    using place = scratch()
    const file = path.join(place.folder, 'desk.sqlite')
    await withBackups(file)
    spoil(file)
    const spoilt = readFileSync(file)
    const recovered = recover(file, now)
    expect(recovered?.from).toMatch(/^\d{4}-/)
    expect(readFileSync(recovered?.setAside ?? '')).toEqual(spoilt)
    expect(names(file)).toEqual(found)
  },
)

test('where the newest backup is damaged as well, the older one is taken; where both are, the desk begins anew', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  await withBackups(file)
  const spoil = () => writeFileSync(file, 'x'.repeat(20_000))
  spoil()
  damage(`${file}.backup-1`)
  expect(recover(file, now)).not.toBeNull()
  expect(names(file)).toEqual(['first'])
  spoil()
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

test('a file that another program holds is no damaged one: it is said, and nothing is replaced', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  await withBackups(file)
  const other = new DatabaseSync(file)
  other.exec('pragma locking_mode = exclusive; begin exclusive; delete from paused; commit')
  expect(() => recover(file, now)).toThrow(
    expect.objectContaining({ failure: { kind: 'disk', trouble: 'held', path: file } }) as Error,
  )
  other.close()
  expect(recover(file, now)).toBeNull()
  expect(names(file)).toEqual(['first', 'second', 'third'])
  expect(readdirSync(place.folder).filter((name) => /damaged|restor/.test(name))).toEqual([])
})

test('a file that cannot be opened is no damaged one either', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  await withBackups(file)
  rmSync(file)
  mkdirSync(file)
  expect(() => recover(file, now)).toThrow(
    expect.objectContaining({ failure: { kind: 'disk', trouble: 'not-allowed', path: file } }) as Error,
  )
  expect(readdirSync(place.folder).filter((name) => /damaged|restor/.test(name))).toEqual([])
})

const creation = (id: string): KeptCreation => ({
  id,
  archive: 'a',
  list: 'orders',
  title: id,
  made: '',
  fields: [],
  values: { name: 'x'.repeat(900) },
  state: 'waiting',
  before: null,
  body: null,
  attempts: 0,
  nextAt: null,
  failure: null,
  remote: null,
})
/** Damages the page that a table or its rows begin on. */
const damagePage = (file: string, page: number) => {
  const bytes = readFileSync(file)
  bytes.fill(0x55, (page - 1) * 4096, page * 4096)
  writeFileSync(file, bytes)
}

test('what a backup did not have is saved out of the damaged file, and all that was not sent is to be looked up', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  const store = openDeskStore(file)
  const save = backups(store.database, file)
  const ids = Array.from({ length: 100 }, (_, index) => `creation ${String(index).padStart(3, '0')}`)
  store.keepCreation(creation('before'))
  store.keepCreation({ ...creation('sent'), state: 'delivered' })
  await save()
  for (const id of ids) store.keepCreation(creation(id))
  store.lists.keepOrderDraft({
    id: 'order',
    archive: 'a',
    made: '1',
    name: 'order',
    content: '',
    packages: ['p'],
    placed: null,
  })
  const { head } = store.journal.check()
  const { pageno: leaf } = store.database
    .prepare(`select pageno from dbstat where name = 'job' and pagetype = 'leaf' limit 1 offset 12`)
    .get() as { pageno: number }
  store.close()
  damagePage(file, leaf)

  const recovered = recover(file, now)
  expect(recovered?.saved).toBeGreaterThan(150)
  const again = openDeskStore(file)
  const kept = keptJobs(again).creations('a')
  const saved = ids.filter((id) => kept.some((row) => row.id === id))
  expect(ids.length - saved.length).toBeLessThanOrEqual(6)
  expect(saved).toEqual(expect.arrayContaining([ids[0], ids.at(-1)]))
  expect(kept.filter(({ wasRestored }) => wasRestored !== true).map(({ id }) => id)).toEqual(['sent'])
  expect(again.lists.orderDraft('order')).toMatchObject({ packages: ['p'], wasRestored: true })
  expect(again.journal.check()).toMatchObject({ brokenAt: null, head })
  again.close()
})

test('a full disk is said as such, nothing is lost, and it is recovered once there is room', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  const store = openDeskStore(file)
  store.keepCreation(creation('before'))
  await backups(store.database, file)()
  for (let index = 0; index < 100; index += 1) store.keepCreation(creation(`creation ${index}`))
  const { rootpage } = store.database
    .prepare(`select rootpage from sqlite_schema where name = 'view'`)
    .get() as { rootpage: number }
  store.close()
  damagePage(file, rootpage)
  const damaged = readFileSync(file)
  // No disk can be made small here: a limit of pages is what SQLite takes for a full one (SQLITE_FULL).
  const { exec } = DatabaseSync.prototype
  const full = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
    this: DatabaseSync,
    sql: string,
  ) {
    exec.call(this, sql)
    if (this.location()?.endsWith('.restoring') === true) {
      const { page_count: pages } = this.prepare('pragma page_count').get() as { page_count: number }
      if (pages > 2) exec.call(this, `pragma max_page_count = ${pages}`)
    }
  })
  expect(() => recover(file, now)).toThrow(
    expect.objectContaining({ failure: { kind: 'disk', trouble: 'full', path: file } }) as Error,
  )
  full.mockRestore()
  expect(readFileSync(file)).toEqual(damaged)
  expect(readdirSync(place.folder).filter((name) => /damaged|restor/.test(name))).toEqual([])
  expect(recover(file, now)?.saved).toBeGreaterThanOrEqual(100)
  const again = openDeskStore(file)
  expect(keptJobs(again).creations('a')).toHaveLength(101)
  again.close()
})

test('a start that was killed while it took the backup goes on with that', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  await withBackups(file)
  // As the folder stands between the last two steps.
  const store = openDeskStore(`${file}.restored`)
  store.keepArchive(archive('saved'))
  store.close()
  rmSync(file)
  expect(recover(file, now)).toMatchObject({ setAside: null })
  expect(names(file)).toEqual(['saved'])
})

test('an empty file is as good as none', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  await withBackups(file)
  writeFileSync(file, '')
  expect(recover(file, now)).not.toBeNull()
  expect(names(file)).toEqual(['first', 'second'])
})

/** The write-ahead log as it stands while a desk is open. */
const logOf = (file: string) => {
  const store = openDeskStore(file)
  store.keepArchive(archive('in the log'))
  const log = readFileSync(`${file}-wal`)
  store.close()
  return log
}

test('an empty file with a log beside it is as good as none, and the log is kept', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  await withBackups(file)
  const log = logOf(file)
  writeFileSync(file, '')
  writeFileSync(`${file}-wal`, log)
  const recovered = recover(file, now)
  expect(recovered?.from).toMatch(/^\d{4}-/)
  expect(readFileSync(`${recovered?.setAside ?? ''}-wal`)).toEqual(log)
  expect(names(file)).toEqual(['first', 'second'])
})

test('a log whose file is gone is kept where there is no backup either', () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  const log = logOf(file)
  rmSync(file)
  writeFileSync(`${file}-wal`, log)
  const recovered = recover(file, now)
  expect(recovered?.from).toBeNull()
  expect(readFileSync(recovered?.setAside ?? '')).toEqual(log)
  expect(names(file)).toEqual([])
})

test('a file without the tables of a desk is not sound while a backup has them, and is no backup', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  const empty = (at: string) => {
    rmSync(at, { force: true })
    const database = new DatabaseSync(at)
    database.exec('pragma journal_mode = wal')
    database.close()
  }
  empty(file)
  expect(recover(file, now)).toBeNull()
  await withBackups(file)
  empty(file)
  empty(`${file}.backup-1`)
  expect(recover(file, now)?.from).toMatch(/^\d{4}-/)
  expect(names(file)).toEqual(['first'])
})

test('a row that does not fit costs no other row of its table', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  await withBackups(file)
  const database = new DatabaseSync(file)
  // A table of the same name that takes what the desk's does not, as damaged pages hold anything.
  const row = (id: string, used: string) => `('${id}', ${used}, '${JSON.stringify(archive(id))}')`
  database.exec(`create table loose (id, used, body); insert into loose values
      ${row('early', "'1'")}, ${row('unfit', 'null')}, ${row('middle', "'2'")},
      ${row('large', '9007199254740993')}, ${row('late', "'3'")}, ${row('huge', '9007199254740995')};
    drop table archive; alter table loose rename to archive`)
  const { rootpage } = database.prepare(`select rootpage from sqlite_schema where name = 'view'`).get() as {
    rootpage: number
  }
  database.close()
  damagePage(file, rootpage)
  expect(recover(file, now)).not.toBeNull()
  expect(names(file)).toEqual(expect.arrayContaining(['early', 'first', 'late', 'middle', 'second']))
  expect(names(file)).not.toContain('unfit')
})

/** A desk whose outbox was stopped, and a notice told, after its last backup. */
const stopped = async (file: string) => {
  const store = openDeskStore(file)
  store.keepCreation(creation('waiting'))
  store.keepCreation({ ...creation('sent'), archive: 'b', state: 'delivered' })
  await backups(store.database, file)()
  store.setPaused('a', true)
  const content = { says: 'news', name: 'A text.' } as const
  const message = { archive: 'a', key: 'n1', content, place: '', isFailure: false }
  store.ledger.enter('a', [message], 'due', '1')
  store.ledger.mark([message], 'told')
  const pages = Object.fromEntries(
    store.database
      .prepare(`select name, rootpage from sqlite_schema where name in ('view', 'paused')`)
      .all()
      .map(({ name, rootpage }) => [String(name), Number(rootpage)]),
  )
  store.close()
  return pages
}

test('an outbox that was stopped since the backup stays so, and what was told is not told again', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  const { view = 0 } = await stopped(file)
  damagePage(file, view)
  expect(recover(file, now)).not.toBeNull()
  const store = openDeskStore(file)
  expect([store.isPaused('a'), store.isPaused('b')]).toEqual([true, false])
  expect(store.ledger.knows('a', 'n1')).toBe(true)
  expect(store.ledger.due()).toEqual([])
  store.close()
})

test('an outbox that nobody stopped goes on', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  const { view = 0 } = await stopped(file)
  const before = openDeskStore(file)
  before.setPaused('a', false)
  before.close()
  damagePage(file, view)
  expect(recover(file, now)).not.toBeNull()
  const store = openDeskStore(file)
  expect(store.isPaused('a')).toBe(false)
  store.close()
})

test.each([
  ['cannot be read', (file: string, page: number) => damagePage(file, page)],
  ['is gone', (file: string) => rmSync(file)],
])('where the list of stopped outboxes %s, one with something to send waits', async (_what, spoil) => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  const { paused = 0 } = await stopped(file)
  spoil(file, paused)
  expect(recover(file, now)).not.toBeNull()
  const store = openDeskStore(file)
  expect([store.isPaused('a'), store.isPaused('b')]).toEqual([true, false])
  store.close()
})

test('a damaged file is set aside before its log', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  await withBackups(file)
  const log = logOf(file)
  writeFileSync(file, 'x'.repeat(20_000))
  writeFileSync(`${file}-wal`, log)
  // A folder in the place of the log stops it there, as if it were killed.
  mkdirSync(path.join(`${file}.damaged-2026-03-01T09-14-00-000Z-wal`, 'taken'), { recursive: true })
  expect(() => recover(file, now)).toThrow()
  expect(readdirSync(place.folder)).not.toContain('desk.sqlite')
  expect(recover(file, new Date('2026-03-01T09:15:00Z'))).not.toBeNull()
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
