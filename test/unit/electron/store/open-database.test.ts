import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../../electron/store/open-database.ts'
import { scratch } from '../../../support/scratch.ts'

test('migrations run once, in order, and a newer file is not touched', () => {
  using place = scratch()
  const file = path.join(place.folder, 'a.sqlite')
  const steps = ['create table a (x) strict'.replace('(x)', '(x text)'), 'alter table a add column y text']
  openDatabase(file, steps.slice(0, 1)).close()
  const database = openDatabase(file, steps)
  expect(database.prepare('pragma user_version').get()).toEqual({ user_version: 2 })
  database.close()
  expect(() => openDatabase(file, steps.slice(0, 1))).toThrow(/newer version/)
})

test('a migration that fails leaves the file as it was', () => {
  using place = scratch()
  const file = path.join(place.folder, 'a.sqlite')
  expect(() =>
    openDatabase(file, ['create table a (x text) strict', 'create table b (x text) strict; nonsense']),
  ).toThrow()
  const database = new DatabaseSync(file)
  expect(database.prepare('pragma user_version').get()).toEqual({ user_version: 1 })
  expect(database.prepare(`select name from sqlite_master where type = 'table'`).all()).toEqual([
    { name: 'a' },
  ])
})

test('a file that two threads open at once is brought up to date by one of them', async () => {
  using place = scratch()
  const module = new URL('../../../../electron/store/open-database.ts', import.meta.url).href
  const steps = Array.from({ length: 5 }, (_, step) => `create table t${step} (x text) strict`)
  const script = `
    import { workerData } from 'node:worker_threads'
    import { openDatabase } from ${JSON.stringify(module)}
    const { barrier, files, steps } = workerData
    const kept = []
    for (const [round, file] of files.entries()) {
      // Both begin with each file at the same moment.
      Atomics.add(barrier, round, 1)
      while (Atomics.load(barrier, round) < 2);
      kept.push(openDatabase(file, steps))
    }`
  const files = Array.from({ length: 30 }, (_, round) => path.join(place.folder, `${round}.sqlite`))
  const barrier = new Int32Array(new SharedArrayBuffer(files.length * Int32Array.BYTES_PER_ELEMENT))
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`)
  const workers = [1, 2].map(() => new Worker(url, { workerData: { barrier, files, steps } }))
  expect(await Promise.all(workers.map((worker) => once(worker, 'exit')))).toEqual([[0], [0]])
})
