import { expect, test } from 'vitest'
import { openDatabase, type Database } from '../../../../electron/local-archive/database.ts'
import { prepareFiles } from '../../../../electron/local-archive/search/prepare-files.ts'
import { scratch } from '../../../support/scratch.ts'

/** What is known of the files of a package before it is entered, or with it. */
const known = ({ sqlite }: Database) =>
  sqlite
    .prepare('select name, bytes, length(content) as characters from extracted order by name')
    .all()
    .map(({ name, bytes, characters }) => [name, bytes, characters])

/** Prepares files whose texts are so long. @returns what was known before the package is entered, and then */
const prepared = async (texts: Record<string, number>) => {
  using place = scratch()
  const database = openDatabase(place.folder)
  let transactions = 0
  const enter = await prepareFiles(database, {
    of: 'package',
    files: Object.keys(texts).map((name) => ({ name, bytes: 7 })),
    read: (name) => Promise.resolve('x'.repeat(texts[name] ?? 0)),
    prepare: (work) => {
      transactions += 1
      database.transaction(work)
      return Promise.resolve()
    },
  })
  const before = known(database)
  database.transaction(enter)
  const then = known(database)
  database.close()
  return { transactions, before, then }
}

test('few files with short texts cost no transaction but that of their package', async () => {
  expect(await prepared({ a: 0, b: 5_000, c: 15_000 })).toEqual({
    transactions: 0,
    before: [],
    then: [
      ['a', 7, 0],
      ['b', 7, 5_000],
      ['c', 7, 15_000],
    ],
  })
})

test('a long text does not wait in memory for its package, and loses nothing when that is entered', async () => {
  expect(await prepared({ a: 100, b: 1_000_000, c: 100 })).toEqual({
    transactions: 2,
    before: [
      ['b', 7, 1_000_000],
      ['c', 7, 100],
    ],
    then: [
      ['a', 7, 100],
      ['b', 7, 1_000_000],
      ['c', 7, 100],
    ],
  })
})

test('many files are named a thousand at a time before their package is entered', async () => {
  const names = Array.from({ length: 2_001 }, (_, nth) => `${nth}`.padStart(4, '0'))
  const { transactions, before, then } = await prepared(
    Object.fromEntries(names.map((name) => [name, name === '0007' ? 10 : 0])),
  )
  expect(transactions).toBe(3)
  expect(before).toEqual(names.map((name) => [name, 7, 0]))
  expect(then).toEqual(names.map((name) => [name, 7, name === '0007' ? 10 : 0]))
})
