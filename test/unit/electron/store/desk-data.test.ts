import { openArchiveClient } from '../../../archives/archive-client.ts'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { afterEach, expect, test, vi } from 'vitest'
import { command } from '../../../../electron/contract/define.ts'
import { answering } from '../../../../electron/ipc/answer.ts'
import { isDueAt, nextAttempt } from '../../../../electron/jobs/delays.ts'
import { openEngine } from '../../../../electron/jobs/engine.ts'
import { openDownloads } from '../../../../electron/jobs/kinds/download/downloads.ts'
import { isOlderThan } from '../../../../electron/common/age.ts'
import { migrations, openDeskStore, type KeptCreation } from '../../../../electron/store/desk/desk-store.ts'
import { markIfCopied } from '../../../../electron/store/desk/recover.ts'
import { orderLinks } from '../../../../electron/store/desk/former-names.ts'
import { beginSnapshot } from '../../../../electron/store/reading/snapshot.ts'
import { openDatabase } from '../../../../electron/store/open-database.ts'
import type { Subject } from '../../../../electron/contract/subjects.ts'
import { transaction } from '../../../../electron/common/transaction.ts'
import { readLists } from '../../../../electron/sync/read-lists.ts'
import { scratch } from '../../../support/scratch.ts'
import { someCapabilities } from '../../../archives/capabilities.ts'
import { keptJobs } from '../../../desks/kept-jobs.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

afterEach(() => void vi.useRealTimers())

/** No page more than there are: what SQLite meets on a disk without room (SQLITE_FULL). */
const fill = (database: DatabaseSync) => {
  const { page_count: pages } = database.prepare('pragma page_count').get() as { page_count: number }
  database.exec(`pragma max_page_count = ${pages}`)
}
const makeRoom = (database: DatabaseSync) => database.exec('pragma max_page_count = 1000000')
const creation = (id: string, name: string): KeptCreation => ({
  id,
  archive: 'a',
  list: 'metric-types',
  title: name,
  made: '',
  fields: [],
  values: { name },
  state: 'waiting',
  before: null,
  body: null,
  attempts: 0,
  nextAt: null,
  failure: null,
  remote: null,
  wasFound: false,
})
const unsaid = () =>
  Promise.resolve({ is: 'unsaid' as const, algorithm: 'SHA-256', digest: 'ab', preserved: '', source: '' })
const unexpected = (error: unknown): never => {
  throw error
}
const engineFor = ({ isPaused, dueJobs }: ReturnType<typeof openDeskStore>) =>
  openEngine({ isPaused, dueJobs, now: () => new Date(), random: () => 0, reportBug: unexpected })

test('a state and its line in the journal are kept together, or neither of them', () => {
  using place = scratch()
  const store = openDeskStore(path.join(place.folder, 'desk.sqlite'))
  store.keepCreation(creation('one', 'one'))
  store.database.exec(`create trigger broken before update on job begin select raise(abort, 'broken'); end`)
  expect(() => store.keepCreation({ ...creation('one', 'one'), state: 'delivered' })).toThrow('broken')
  expect([store.creation('one')?.state, store.journal.check().count]).toEqual(['waiting', 1])
  store.close()
})

test('what a copy of the file has to send may have been sent since the copy was made', () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  const opened = (of: string) => {
    const store = openDeskStore(of)
    const isCopied = markIfCopied(store, of)
    if (!store.creation('one')) store.keepCreation(creation('one', 'one'))
    const isMarked = store.creation('one')?.wasRestored === true
    store.close()
    return [isCopied, isMarked]
  }
  expect([opened(file), opened(file)]).toEqual([
    [false, false],
    [false, false],
  ])
  const copy = path.join(place.folder, 'copy.sqlite')
  copyFileSync(file, copy)
  expect([opened(copy), opened(copy), opened(file)]).toEqual([
    [true, true],
    [false, true],
    [false, false],
  ])
})

test('a transaction within another one is a part of it', () => {
  using place = scratch()
  const { database, ledger, close } = openDeskStore(path.join(place.folder, 'desk.sqlite'))
  const content = { says: 'news', name: '' } as const
  const message = { key: 'n1', content, place: '', isFailure: false }
  expect(() =>
    transaction(database, () => {
      ledger.enter('a', [message], 'due', '1')
      throw new Error('broken')
    }),
  ).toThrow('broken')
  expect([ledger.knows('a', 'n1'), database.isTransaction]).toEqual([false, false])
  close()
})

test('on a full disk a person is told so, and what was kept before stays', async () => {
  using place = scratch()
  const store = openDeskStore(path.join(place.folder, 'desk.sqlite'))
  store.keepCreation(creation('before', 'before'))
  fill(store.database)
  const contract = { desk: { keep: command(v.string()).returns<void>() } }
  const keep = (id: string) => store.keepCreation(creation(id, 'å'.repeat(20_000)))
  const answer = answering(contract, { desk: { keep } }, unexpected)
  const full = { failure: { kind: 'disk', trouble: 'full', path: '' } }
  expect([await answer('desk.keep', 'one'), await answer('desk.keep', 'two')]).toEqual([full, full])
  expect([keptJobs(store).creations('a').length, store.journal.check().count]).toEqual([1, 1])
  makeRoom(store.database)
  await answer('desk.keep', 'one')
  expect(
    keptJobs(store)
      .creations('a')
      .map(({ id }) => id),
  ).toEqual(['before', 'one'])
  store.close()
})

test('data that another program holds are no bug either', async () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  const store = openDeskStore(file)
  store.database.exec('pragma busy_timeout = 0')
  const other = new DatabaseSync(file)
  other.exec('begin immediate')
  const contract = { desk: { keep: command(v.undefined()).returns<void>() } }
  const keep = () => store.keepCreation(creation('one', 'one'))
  const answer = answering(contract, { desk: { keep } }, unexpected)
  expect(await answer('desk.keep', undefined)).toEqual({
    failure: { kind: 'disk', trouble: 'held', path: '' },
  })
  other.exec('rollback')
  await answer('desk.keep', undefined)
  expect(keptJobs(store).creations('a')).toHaveLength(1)
  other.close()
  store.close()
})

const agent = (id: number) => ({ id, name: `agent ${id} ${'x'.repeat(500)}` })
const everyAgent = Array.from({ length: 400 }, (_, index) => Buffer.from(JSON.stringify(agent(index + 1))))

test('a step of the local copy that fails leaves no transaction open, and the next one succeeds', () => {
  using place = scratch()
  const copy = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  copy.hold(
    'description/agents',
    everyAgent.map((item) => JSON.parse(String(item)) as unknown),
    '1',
  )
  copy.writer.database.exec(
    `create temp trigger broken before delete on main.stale begin select raise(abort, 'broken'); end`,
  )
  expect(() => copy.index()).toThrow('broken')
  copy.hold('description/locations', [{ id: 3, name: 'Shelf' }], '2')
  expect(() => copy.index()).toThrow('broken')
  copy.writer.database.exec('drop trigger broken')
  copy.index()
  expect(copy.cache.count('description/locations')).toBe(1)
  copy.close()
})

test('a list for which there is no room is said to be just that, and is whole once there is', async () => {
  using place = scratch()
  const { writer, cache, close } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const read = () =>
    readLists(
      writer,
      {
        access: { url: '', authorization: '', cookie: '' },
        routes: [{ kind: 'direct' as const }],
        language: 'en',
        subjects: ['description/agents', 'description/locations'],
        hasViews: false,
        isAll: false,
      },
      {
        now: () => new Date(0),
        reportBug: unexpected,
        open: () => ({
          elements: (_path, reader) => {
            for (const element of everyAgent) reader.take(element, 0)
            return Promise.resolve({ pass: 0, count: null, isSure: true })
          },
          answer: () => Promise.reject(new Error('nothing else is asked')),
          close: () => Promise.resolve(),
          stop: () => Promise.resolve(),
        }),
      },
    )
  fill(writer.database)
  expect(await read()).toEqual({
    changed: [],
    complete: [],
    failure: { kind: 'disk', trouble: 'full', path: '' },
  })
  makeRoom(writer.database)
  expect(await read()).toMatchObject({ failure: null })
  expect(cache.count('description/agents')).toBe(everyAgent.length)
  close()
})

test('what other lists bring before anybody hears of a full disk is whole, or is not there', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  using place = scratch()
  const { writer, cache, close } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const reading = (subject: Subject) => {
    const { reader, finish } = beginSnapshot(writer, subject)
    return {
      take: (record: unknown) => reader.take(Buffer.from(JSON.stringify(record)), 0),
      finish: () => finish({ pass: 0, count: null, isSure: true }, '1'),
    }
  }
  const [packages, agents] = [reading('packages'), reading('description/agents')]
  const generation = { package_type: 2, aic: 'aic', label: 'x' }
  packages.take({ id: 'aic', package_type: 1 })
  fill(writer.database)
  const fillUp = () => {
    for (let id = 1; id < 1_000; id += 1) agents.take(agent(id))
  }
  expect(fillUp).toThrow(/full/)
  makeRoom(writer.database)
  packages.take({ id: 'first', ...generation })
  writer.commit()
  const rowless = cache.database.prepare(
    'select count(*) as n from element where number not in (select element from held)',
  )
  expect(rowless.get()).toEqual({ n: 0 })
  expect(packages.finish).toThrow(/taken back/)
  const again = reading('packages')
  again.take({ id: 'aic', package_type: 1 })
  again.take({ id: 'first', ...generation })
  again.finish()
  expect(cache.packages.generations('aic')).toEqual(['first'])
  expect(cache.database.prepare(`select newest from package where id = 'aic'`).get()).toEqual({
    newest: 'first',
  })
  close()
})

test('a clock that was ahead when something was tried makes nothing wait', () => {
  const failure = { kind: 'offline', address: '', detail: '' } as const
  const wrong = nextAttempt(0, failure, new Date('2027-03-01T09:00:00Z'), 0)
  expect(isDueAt(wrong, new Date('2027-03-01T09:00:05Z'))).toBe(false)
  expect(isDueAt(wrong, new Date('2027-03-01T09:00:10Z'))).toBe(true)
  expect(isDueAt(wrong, new Date('2026-03-01T09:00:00Z'))).toBe(true)
  expect(isDueAt(wrong, new Date('2027-03-01T08:59:59Z'))).toBe(true)
  // As earlier versions kept it.
  expect(isDueAt({ nextAt: wrong.nextAt }, new Date('2026-03-01T09:00:00Z'))).toBe(true)
})

test('of thousands of transfers those that wait for their time are not read', () => {
  using place = scratch()
  const store = openDeskStore(path.join(place.folder, 'desk.sqlite'))
  const plan = (sql: string) =>
    store.database
      .prepare(`explain query plan ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
  const waiting = `select body from job where archive = 'a' and kind = 'transfer' and removed is null
    and isWaiting = 1`
  expect(plan(`${waiting} and dueAt <= '2026'`)[0]).toContain('job_due (archive=? AND kind=? AND dueAt<?)')
  expect(plan(`${waiting} and triedAt > '2026'`)[0]).toContain(
    'job_tried (archive=? AND kind=? AND triedAt>?)',
  )
  store.close()
})

test('a file that is being fetched and is forgotten does not come back', async () => {
  using place = scratch()
  // The beginning of a file, and never its end.
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': 1_000_000, 'content-type': 'application/octet-stream' })
    response.write(Buffer.alloc(1000))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const archive = openArchiveClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const store = openDeskStore(path.join(place.folder, 'desk.sqlite'))
  const arrived = new Map<string, () => void>()
  const engine = engineFor(store)
  const downloads = openDownloads({
    engine,
    store,
    archive: () => archive,
    verdictOf: unsaid,
    now: () => new Date(),
    reportBug: unexpected,
    progress: (_archive, { id, bytes }) => bytes !== null && arrived.get(id)?.(),
  })
  for (let nth = 0; nth < 20; nth += 1) {
    const target = path.join(place.folder, `${nth}.tif`)
    const { id } = downloads.begin('a', { package: 'p', path: 'x.tif', target })
    await new Promise<void>((done) => arrived.set(id, done))
    await downloads.forget(id)
    expect(readdirSync(place.folder).filter((name) => name.endsWith('.part'))).toEqual([])
  }
  await engine.stop()
  expect(downloads.unfinished('a')).toEqual([])
  await archive.close()
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
  store.close()
})

test('a file that could not be begun to be fetched, for the data could not be written, can be later', async () => {
  using place = scratch()
  const server = createServer((_request, response) => response.end('content'))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const archive = openArchiveClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const file = path.join(place.folder, 'desk.sqlite')
  const store = openDeskStore(file)
  const ended = Promise.withResolvers<void>()
  const engine = engineFor(store)
  const downloads = openDownloads({
    engine,
    store,
    archive: () => archive,
    verdictOf: unsaid,
    now: () => new Date(),
    reportBug: unexpected,
    progress: (_archive, { state }) => state === 'done' && ended.resolve(),
  })
  const target = path.join(place.folder, 'x.tif')
  const made = {
    id: 'one',
    package: 'p',
    path: 'x.tif',
    target,
    state: 'stopped',
    bytesDone: 0,
    bytes: null,
    failure: null,
    verdict: null,
    mark: '',
    replaces: false,
    isToCompare: false,
    placing: null,
  } as const
  store.tasks.keepTask('download', 'a', '', made)
  store.database.exec('pragma busy_timeout = 0')
  const other = new DatabaseSync(file)
  other.exec('begin immediate')
  expect(() => downloads.resume('one')).toThrow()
  expect(downloads.list('a', 'p')).toMatchObject([{ state: 'stopped' }])
  other.exec('rollback')
  other.close()
  downloads.resume('one')
  await ended.promise
  expect(existsSync(target)).toBe(true)
  await engine.stop()
  await archive.close()
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
  store.close()
})

test('what a full disk hides in its cause is still said', async () => {
  const contract = { desk: { keep: command(v.undefined()).returns<void>() } }
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC', path: '/data/x' })
  const keep = () => {
    throw new Error('while writing', { cause: full })
  }
  const answer = answering(contract, { desk: { keep } }, unexpected)
  expect(await answer('desk.keep', undefined)).toMatchObject({ failure: { kind: 'disk', trouble: 'full' } })
})

test('what a clock that was ahead stamped counts as old', () => {
  const now = new Date('2026-03-01T09:00:00Z')
  const ages = ['2026-03-01T08:59:30Z', '2026-03-01T08:58:00Z', '2027-03-01T09:00:00Z', null, '']
  expect(ages.map((at) => isOlderThan(60_000, at, now))).toEqual([false, true, true, true, true])
})

test('what an earlier version knew of orders of an archive is known in the words of now', () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  const before = openDatabase(file, migrations.slice(0, migrations.indexOf(orderLinks)))
  for (const nameField of ['name', 'label'])
    before
      .prepare('insert into capability (archive, body) values (?, ?)')
      .run(nameField, JSON.stringify({ ...someCapabilities, order: { nameField, types: [] } }))
  before.close()
  const store = openDeskStore(file, () => new Date())
  const orders = ['name', 'label'].map((archive) => store.capabilities(archive)?.order)
  expect(orders).toEqual([
    { linksPackages: true, types: [] },
    { linksPackages: false, types: [] },
  ])
  store.close()
})
