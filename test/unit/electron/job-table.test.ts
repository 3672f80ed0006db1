import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { beforeJobs, migrations, openDeskStore, type KeptCreation } from '../../../electron/store/desk.ts'
import { openDatabase } from '../../../electron/store/open.ts'
import { recover } from '../../../electron/store/recover.ts'
import { scratch } from '../../archive.ts'

/** What the version before the one table kept: a state of each kind inside its body, and fields that it did not know yet. */
const writeEarlier = (file: string) => {
  const database = openDatabase(file, migrations.slice(0, beforeJobs))
  const put = (table: string, id: string, body: object, columns: Record<string, string | number> = {}) => {
    const row = { id, archive: 'a', ...columns, body: JSON.stringify({ id, archive: 'a', ...body }) }
    database
      .prepare(
        `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.keys(row)
          .map(() => '?')
          .join(', ')})`,
      )
      .run(...Object.values(row))
  }
  const creation = { list: 'orders', title: 'order', made: '1', fields: [], values: { name: 'order' } }
  const sent = { before: ['1'], body: { name: 'order' }, attempts: 2, triedAt: '1', nextAt: '2' }
  put(
    'creation',
    'unanswered',
    { ...creation, ...sent, state: 'unanswered', failure: null, remote: null },
    { place: 1 },
  )
  put(
    'creation',
    'held',
    {
      ...creation,
      before: null,
      body: null,
      attempts: 0,
      nextAt: null,
      state: 'held',
      failure: null,
      remote: null,
      wasRestored: true,
    },
    { place: 2 },
  )
  const form = {
    name: 'box',
    delivery: '1',
    organization: '',
    address: '',
    person: '',
    email: '',
    description: '7',
    identifier: 'x',
  }
  const counts = { files: 1, folders: 0, bytes: 2 }
  put(
    'transfer',
    'bag',
    {
      stage: 'prepared',
      made: '1',
      changed: '2',
      form,
      counts,
      sources: [{ path: '/a', isFolder: true, files: 1, folders: 0, bytes: 2, failure: null }],
      bag: { path: '/b', counts },
      times: { prepared: '2', sent: null, received: null, preserved: null },
      remote: null,
      package: null,
      failure: { kind: 'signed-out' },
      sending: 'registering',
      ingestFolder: null,
      before: [],
      isWaiting: true,
      attempts: 3,
      nextAt: '3',
    },
    { made: '1' },
  )
  const task = (it: object) => ({ kind: 'download', made: '1', it })
  put(
    'task',
    'file',
    task({
      id: 'file',
      package: 'p',
      path: 'x',
      target: '/x',
      state: 'failed',
      bytesDone: 3,
      bytes: 9,
      failure: null,
      mark: 'm',
    }),
    { kind: 'download', made: '1' },
  )
  put(
    'task',
    'dip',
    task({
      id: 'dip',
      order: 'o',
      label: 'l',
      identifier: 'i',
      agreement: '',
      dip: null,
      stage: 'fetch',
      state: 'working',
      items: [],
      failure: null,
      message: '',
    }),
    { kind: 'dip', made: '1' },
  )
  database.close()
}
const expectEverything = (file: string, wasRestored: boolean) => {
  const store = openDeskStore(file)
  expect(store.creations('a')).toMatchObject([
    { id: 'unanswered', state: 'unanswered', attempts: 2, before: ['1'], body: { name: 'order' } },
    { id: 'held', state: 'held', wasRestored: true },
  ])
  expect(store.transfer('bag')).toMatchObject({
    stage: 'prepared',
    isWaiting: true,
    attempts: 3,
    sending: 'registering',
    wasRestored,
    bag: { form: 'folder', algorithm: 'sha256', skipped: 0 },
    sources: [{ skipped: { count: 0 } }],
    form: { description: '7', tags: {} },
    packing: { form: 'folder' },
  })
  expect(store.dueTransfers('a', '9').map(({ id }) => id)).toEqual(['bag'])
  expect(store.tasks.task('download', 'file')?.task).toMatchObject({
    state: 'failed',
    mark: 'm',
    bytesDone: 3,
  })
  expect(store.tasks.tasks('dissemination', 'a')).toMatchObject([
    { id: 'dip', state: 'working', stage: 'fetch' },
  ])
  store.close()
}

/** Fills a page with what is no page. */
const damagePage = (file: string, page: number) => {
  const bytes = readFileSync(file)
  bytes.fill(0x55, (page - 1) * 4096, page * 4096)
  writeFileSync(file, bytes)
}

test('a file of the version before has everything in the one table', () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  writeEarlier(file)
  expectEverything(file, false)
})

test('a damaged file of the version before is read as it was, and then brought up to date', () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  writeEarlier(file)
  const database = openDatabase(file, migrations.slice(0, beforeJobs))
  const { rootpage } = database.prepare(`select rootpage from sqlite_schema where name = 'view'`).get() as {
    rootpage: number
  }
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
  damagePage(file, rootpage)
  expect(recover(file, new Date())?.saved).toBe(5)
  expectEverything(file, true)
})

const creation = (id: string): KeptCreation => ({
  id,
  archive: 'a',
  list: 'metric-types',
  title: id,
  made: '1',
  fields: [],
  values: { name: id },
  state: 'waiting',
  before: null,
  body: null,
  attempts: 0,
  nextAt: null,
  failure: null,
  remote: null,
})

test.each([
  ['no JSON', '{"id":"one'],
  ['not what its kind wants', JSON.stringify({ id: 'one', title: 3 })],
  ['of another job', JSON.stringify({ ...creation('two'), id: 'two' })],
])('a body that is %s is said as such, kept, and nothing is sent of it', (_what, body) => {
  using place = scratch()
  const store = openDeskStore(path.join(place.folder, 'desk.sqlite'))
  store.keepCreation(creation('one'))
  store.keepCreation(creation('other'))
  store.database.prepare(`update job set body = ? where id = 'one'`).run(body)
  expect(store.creations('a')).toMatchObject([
    { id: 'one', state: 'refused', failure: { kind: 'unreadable-job' } },
    { id: 'other', state: 'waiting', failure: null },
  ])
  expect(store.undelivered('a').map(({ id }) => id)).toEqual(['other'])
  expect(() => store.keepCreation(creation('one'))).toThrow(
    expect.objectContaining({
      failure: { kind: 'unreadable-job', detail: expect.any(String) as string },
    }) as Error,
  )
  expect(store.database.prepare(`select body from job where id = 'one'`).get()).toEqual({ body })
  store.close()
})

test('no step leads where the table has none, and what was there stays', () => {
  using place = scratch()
  const store = openDeskStore(path.join(place.folder, 'desk.sqlite'))
  store.keepCreation(creation('one'))
  store.keepCreation({ ...creation('one'), state: 'sending' })
  store.keepCreation({ ...creation('one'), state: 'delivered', remote: '1' })
  const { count } = store.journal.check()
  expect(() => store.keepCreation({ ...creation('one'), state: 'waiting' })).toThrow(
    'A creation does not go from delivered to waiting.',
  )
  expect([store.creation('one')?.state, store.journal.check().count]).toEqual(['delivered', count])
  store.close()
})
