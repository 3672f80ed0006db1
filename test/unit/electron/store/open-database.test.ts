import { DatabaseSync } from 'node:sqlite'
import path from 'node:path'
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
