import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../../electron/local-archive/database.ts'
import { openLeftovers } from '../../../../electron/local-archive/leftovers.ts'
import { tidyWorking } from '../../../../electron/local-archive/preservation.ts'
import { scratch } from '../../../support/scratch.ts'
import { writeBag } from '../../../packages/bags.ts'

const small = { files: 3, bytes: 1_000 }

const openCounted = (freeBytes = 0) => {
  const removed: string[][] = []
  const leftovers = openLeftovers(
    (folders) => Promise.resolve(removed.push(folders)),
    () => Promise.resolve(freeBytes),
  )
  return { removed, ...leftovers }
}

test('what is left of small packages is removed in parts once nobody waits', async () => {
  const { add, removeSome, removed } = openCounted()
  const folders = Array.from({ length: 40 }, (_, nth) => `${nth}`)
  for (const folder of folders) await add(folder, small)
  expect(removed).toEqual([])
  expect([await removeSome(), await removeSome(), await removeSome()]).toEqual([true, true, false])
  expect(removed).toEqual([folders.slice(0, 32), folders.slice(32)])
})

test('what takes much room is removed beside the work: large files, and many small ones', async () => {
  const { add, removeSome, removed } = openCounted()
  await add('small', small)
  await add('large', { files: 1, bytes: 200 * 1024 * 1024 })
  expect(removed).toEqual([['small', 'large']])
  await add('many files', { files: 100_000, bytes: 0 })
  expect(removed).toEqual([['small', 'large'], ['many files']])
  expect(await removeSome()).toBe(false)
  for (let nth = 0; nth < 10_000; nth += 1) await add(`${nth}`, small)
  expect(removed.length).toBeGreaterThan(100)
})

test('where the disk has room, ten thousand small packages are kept until nobody waits', async () => {
  const { add, removed } = openCounted(64 * 1024 ** 3)
  for (let nth = 0; nth < 10_000; nth += 1) await add(`${nth}`, small)
  expect(removed).toEqual([])
  await add('large', { files: 1, bytes: 1024 ** 3 })
  expect(removed.length).toBeGreaterThan(0)
})

test('what a process left of packages is removed by the next one, and nothing of those under way', async () => {
  using place = scratch()
  const working = path.join(place.folder, 'working')
  for (const name of ['over', 'known', 'known/.unpacked'])
    writeBag(path.join(working, name, 'bag'), {}, { 'data/a/b.txt': Buffer.from('b') })
  mkdirSync(path.join(working, 'empty'))
  const database = openDatabase(place.folder)
  database.sqlite
    .prepare(
      `insert into job (id, name, package, stage, reason, made)
        values ('known', 'bag', 'package', 'working', null, '2026')`,
    )
    .run()
  await tidyWorking(database, working)
  database.close()
  expect(
    ['over', 'empty', 'known/.unpacked', 'known/bag/data/a/b.txt'].map((name) =>
      existsSync(path.join(working, name)),
    ),
  ).toEqual([false, false, false, true])
})
