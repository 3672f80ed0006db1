import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Failed } from '../../../../electron/contract/failure.ts'
import {
  beforeBatches,
  beforeJobs,
  migrations,
  openDeskStore,
} from '../../../../electron/store/desk/desk-store.ts'
import { openDatabase } from '../../../../electron/store/open-database.ts'
import { recover } from '../../../../electron/store/desk/recover.ts'
import { scratch } from '../../../support/scratch.ts'
import { keptJobs, waitingCreation } from '../../../desks/kept-jobs.ts'
import { queryPlansOf } from '../../../support/query-plans.ts'

/**
 * What the version before the one table kept: a state of each kind inside its body, and fields that it did
 * not know yet.
 */
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
  expect(keptJobs(store).creations('a')).toMatchObject([
    { id: 'unanswered', state: 'unanswered', attempts: 2, before: ['1'], body: { name: 'order' } },
    { id: 'held', state: 'held', wasRestored: true },
  ])
  expect(store.transfer('bag')).toMatchObject({
    state: 'prepared',
    isWaiting: true,
    attempts: 3,
    sending: 'registering',
    wasRestored,
    sip: { form: 'folder', algorithm: 'sha256', skipped: 0 },
    sources: [{ skipped: { count: 0 } }],
    form: { description: '7', tags: {} },
    packing: { form: 'folder' },
  })
  expect(store.dueJobs('a', 'transfer', '9', null)).toMatchObject([{ id: 'bag' }])
  expect(store.tasks.task('download', 'file')?.task).toMatchObject({
    state: 'failed',
    mark: 'm',
    bytesDone: 3,
  })
  expect(store.tasks.unfinishedTasks('dissemination', 'a')).toMatchObject([
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

test.each([2, 3, 4, 5, 6])(
  'a desk of version %i opens, whatever became of the text of a job, and keeps it',
  (version) => {
    for (const body of [
      'no json',
      '{"stage": {"a": 1}, "state": [1], "attempts": "many", "made": {"x": 1}}',
    ]) {
      using place = scratch()
      const file = path.join(place.folder, 'desk.sqlite')
      const earlier = openDatabase(file, migrations.slice(0, version))
      const enter = earlier.prepare('insert into transfer (id, archive, made, body) values (?, ?, ?, ?)')
      enter.run('damaged', 'a', '1', body)
      earlier.prepare(`insert into creation (id, archive, place, body) values ('c', 'a', 1, ?)`).run(body)
      earlier.close()
      const store = openDeskStore(file)
      expect(store.transfer('damaged')).toMatchObject({
        state: 'refused',
        failure: { kind: 'unreadable-job' },
      })
      expect(keptJobs(store).creations('a')).toHaveLength(1)
      store.close()
    }
  },
)

test('a job in a state that its kind does not have is said as such and kept', () => {
  using place = scratch()
  const store = openDeskStore(path.join(place.folder, 'desk.sqlite'))
  store.keepCreation(waitingCreation('one'))
  store.database.exec(`update job set state = 'ready' where id = 'one'`)
  expect(store.creation('one')).toMatchObject({
    state: 'refused',
    failure: { kind: 'unreadable-job', detail: 'state: ready' },
  })
  expect(() => store.keepCreation(waitingCreation('one'))).toThrow(
    expect.objectContaining({ failure: { kind: 'unreadable-job', detail: 'state: ready' } }) as Error,
  )
  expect(store.database.prepare(`select state from job where id = 'one'`).get()).toEqual({ state: 'ready' })
  store.close()
})

test.each([
  ['no JSON', '{"id":"one'],
  ['not what its kind wants', JSON.stringify({ id: 'one', title: 3 })],
  ['of another job', JSON.stringify({ ...waitingCreation('two'), id: 'two' })],
])('a body that is %s is said as such, kept, and nothing is sent of it', (_what, body) => {
  using place = scratch()
  const store = openDeskStore(path.join(place.folder, 'desk.sqlite'))
  store.keepCreation(waitingCreation('one'))
  store.keepCreation(waitingCreation('other'))
  store.database.prepare(`update job set body = ? where id = 'one'`).run(body)
  expect(keptJobs(store).creations('a')).toMatchObject([
    { id: 'one', state: 'refused', failure: { kind: 'unreadable-job' } },
    { id: 'other', state: 'waiting', failure: null },
  ])
  expect(() => store.keepCreation(waitingCreation('one'))).toThrow(
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
  store.keepCreation(waitingCreation('one'))
  store.keepCreation({ ...waitingCreation('one'), state: 'sending' })
  store.keepCreation({ ...waitingCreation('one'), state: 'delivered', remote: '1' })
  const { count } = store.journal.check()
  expect(() => store.keepCreation({ ...waitingCreation('one'), state: 'waiting' })).toThrow(
    'A creation does not go from delivered to waiting.',
  )
  expect([store.creation('one')?.state, store.journal.check().count]).toEqual(['delivered', count])
  store.close()
})

const batchBody = {
  id: 'batch',
  archive: 'a',
  kind: 'table',
  tablePath: '/lista.csv',
  made: '1',
  columns: ['source'],
  rows: [['Album 1'], ['Album 2']],
  ids: ['x', 'y'],
  mapping: {
    source: 0,
    name: null,
    delivery: null,
    agreement: null,
    identifier: null,
    description: null,
    organization: null,
    address: null,
    person: null,
    email: null,
    tags: {},
  },
  template: null,
  counted: { 0: { files: 1, folders: 0, bytes: 2, skipped: 0 } },
}
/** What the version before batches became jobs kept, beside a job. */
const writeWithBatches = (file: string) => {
  const database = openDatabase(file, migrations.slice(0, beforeBatches))
  const put = database.prepare('insert into batch (id, archive, made, body) values (?, ?, ?, ?)')
  put.run('batch', 'a', '1', JSON.stringify(batchBody))
  put.run('restored', 'a', '2', JSON.stringify({ ...batchBody, id: 'restored', wasRestored: true }))
  put.run('broken', 'a', '3', '{"id":"bro')
  database.exec(
    `insert into job (id, archive, kind, state, made, place, body)
     values ('kept', 'a', 'creation', 'held', '1', 1,
       '${JSON.stringify({ ...waitingCreation('kept'), state: undefined })}')`,
  )
  return database
}

test('batches of the version before are jobs, with their rows and the ids of their transfers', () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  writeWithBatches(file).close()
  const store = openDeskStore(file)
  expect(store.batch('batch')).toEqual({ ...batchBody, state: 'ready', wasRestored: false })
  expect(store.batch('restored')).toMatchObject({ id: 'restored', wasRestored: true })
  const { tablePath } = batchBody
  expect(store.batches('a')).toEqual([
    { id: 'broken', path: 'broken', made: '3', total: 0 },
    { id: 'restored', path: tablePath, made: '2', total: 2 },
    { id: 'batch', path: tablePath, made: '1', total: 2 },
  ])
  // The rows of none are read for that.
  expect(queryPlansOf(store.database, () => store.batches('a'))).toEqual([
    'SEARCH job USING INDEX job_batches (archive=?)',
  ])
  // What cannot be read is shown, and not written over.
  expect(store.batch('broken')).toMatchObject({ id: 'broken', rows: [] })
  expect(() => store.keepBatch({ ...batchBody, id: 'broken', kind: 'table', state: 'ready' })).toThrow(Failed)
  expect(store.creation('kept')?.state).toBe('held')
  store.close()
})

test('a damaged file of that version loses neither batches nor jobs, and says that they may be out of date', () => {
  using place = scratch()
  const file = path.join(place.folder, 'desk.sqlite')
  const database = writeWithBatches(file)
  const { rootpage } = database.prepare(`select rootpage from sqlite_schema where name = 'view'`).get() as {
    rootpage: number
  }
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
  damagePage(file, rootpage)
  expect(recover(file, new Date())?.saved).toBe(3)
  const store = openDeskStore(file)
  expect(store.batch('batch')).toEqual({ ...batchBody, state: 'ready', wasRestored: true })
  expect(store.creation('kept')).toMatchObject({ state: 'held', wasRestored: true })
  store.close()
})

test('a batch goes from ready to work and back, and to no other work meanwhile', () => {
  using place = scratch()
  const store = openDeskStore(path.join(place.folder, 'desk.sqlite'))
  const batch = { ...batchBody, kind: 'table', state: 'ready' } as const
  store.keepBatch(batch)
  store.keepBatch({ ...batch, state: 'counting' })
  expect(() => store.keepBatch({ ...batch, state: 'packing' })).toThrow(
    'A batch does not go from counting to packing.',
  )
  store.keepBatch(batch)
  store.keepBatch({ ...batch, state: 'packing' })
  expect(store.batch('batch')?.state).toBe('packing')
  store.removeBatch('batch')
  expect(store.batch('batch')).toBeUndefined()
  store.close()
})

test('failures that earlier versions wrote are read in the words of now', () => {
  const readBack = (failure: object) => {
    using place = scratch()
    const file = path.join(place.folder, 'desk.sqlite')
    writeEarlier(file)
    openDeskStore(file).close()
    const database = openDatabase(file, migrations)
    database
      .prepare(`update job set body = json_set(body, '$.failure', json(?)) where id = 'bag'`)
      .run(JSON.stringify(failure))
    database.close()
    const store = openDeskStore(file)
    const found = store.transfer('bag')?.failure
    store.close()
    return found
  }
  const first = { level: 'error', code: 'not-a-bag', file: 'b', line: null, detail: '' }
  expect(readBack({ kind: 'bad-bag', path: '/b', errors: 1, first })).toEqual({
    kind: 'bad-package',
    path: '/b',
    errors: 1,
    first: { level: 'error', code: 'not-a-package', file: 'b', line: null, detail: '' },
  })
  expect(readBack({ kind: 'unconfirmed', what: 'bag', mayBeSent: true })).toEqual({
    kind: 'unconfirmed',
    what: 'package',
    mayBeSent: true,
  })
  expect(readBack({ kind: 'signed-out' })).toEqual({ kind: 'signed-out' })
})
