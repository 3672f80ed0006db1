import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fillEmptyArchive } from '../../../../electron/local-archive/empty-archive.ts'
import { openDatabase, type Database } from '../../../../electron/local-archive/database.ts'
import { openIntakeThread } from '../../../../electron/local-archive/intake/intake-thread.ts'
import { preservation } from '../../../../electron/local-archive/preservation.ts'
import { indexSlice, indexTag } from '../../../../electron/local-archive/search/index-records.ts'
import { textReader } from '../../../../electron/local-archive/search/texts.ts'
import { watchIndex } from '../../../../electron/local-archive/search/watch-index.ts'
import { startArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { writeBag, zipFolder } from '../../../packages/bags.ts'
import { openIngestWorkplace } from '../../../archives/ingest-workplace.ts'
import { strictCheck } from '../../../../electron/local-archive/strict-check.ts'
import { scripts } from '../../../packages/packing.ts'

const textWorker = new URL('../../../../electron/local-archive/search/text-worker.ts', import.meta.url)
const intakeWorker = new URL('../../../../electron/local-archive/intake/worker.ts', import.meta.url)

/** A bag of text files, each with so many words. */
const writeTexts = (bag: string, count: number, words: number) => {
  const text = Array.from({ length: words }, (_, index) => (index % 2 ? 'protokoll' : `ord${index}`)).join(
    ' ',
  )
  const files = Array.from({ length: count }, (_, index): [string, Buffer] => [
    `data/${index}.txt`,
    Buffer.from(`nummer${index} ${text}`),
  ])
  return writeBag(bag, { 'External-Identifier': 'large' }, Object.fromEntries(files))
}

/**
 * A new archive in this thread, with a bag of texts that waits to be taken in.
 * @param name of what is taken in, where it is not the bag itself
 */
const openArchive = (data: string, count: number, words: number, name = 'bag') => {
  const { folders, now, database, accounts } = openIngestWorkplace(data)
  fillEmptyArchive(database, data, folders.ingest)
  writeTexts(path.join(folders.ingest, 'bag'), count, words)
  const texts = textReader(textWorker)
  const intake = openIntakeThread(intakeWorker)
  const { begin, jobs, work, removeLeft } = preservation({
    database,
    accounts,
    folders,
    texts,
    check: strictCheck(scripts.check),
    intake,
    now,
  })
  begin(name)
  const [job] = jobs()
  if (!job) throw new Error('There is no job.')
  return {
    database,
    package: job.package,
    ingest: folders.ingest,
    working: path.join(folders.working, job.id),
    takeIn: () => work(job).finally(removeLeft),
    close: async () => {
      await texts.close()
      await intake.close()
      database.close()
    },
  }
}

/** The longest time for which this thread let nobody else have a turn, in milliseconds of processor time. */
const longestTurnOf = async (work: Promise<unknown>) => {
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let isOver = false
  const over = work.finally(() => (isOver = true))
  let longest = 0
  for (let last = cpuMs(); !isOver; last = cpuMs()) {
    await new Promise(setImmediate)
    longest = Math.max(longest, cpuMs() - last)
  }
  await over
  return longest
}

const documents = ({ sqlite }: Database, where = 'true') =>
  sqlite.prepare(`select count(*) as n from indexed where part = 'document' and ${where}`).get()?.['n']
const indexedAll = async (database: Database) => {
  const stop = watchIndex(database)
  const { sqlite } = database
  await until(() =>
    sqlite
      .prepare('select 1 where not exists (select 1 from indexing) and not exists (select 1 from placing)')
      .get(),
  )
  await stop()
}

test('what an attempt left that could not clear it is no fault of the package', async () => {
  using place = scratch()
  const archive = openArchive(place.folder, 2, 10, 'bag.zip')
  await zipFolder(archive.ingest, path.join(place.folder, 'bag.zip'))
  renameSync(path.join(place.folder, 'bag.zip'), path.join(archive.ingest, 'bag.zip'))
  const left = path.join(archive.working, '.unpacked/bag/data')
  mkdirSync(left, { recursive: true })
  writeFileSync(path.join(left, '0.txt'), 'half')
  await archive.takeIn()
  expect(archive.database.list('notification').map(({ message }) => message)).toEqual([
    'large (large) is now preserved',
  ])
  await archive.close()
})

test('a large bag of texts is taken in, and given its place, while everybody else has their turn', async () => {
  using place = scratch()
  const count = 1_000
  const archive = openArchive(place.folder, count, 3_000)
  const { database } = archive
  const takingIn = await longestTurnOf(archive.takeIn().then(() => indexedAll(database)))
  expect(documents(database)).toBe(count)
  expect(database.sqlite.prepare('select count(*) as n from extracted').get()).toEqual({ n: 0 })

  const tag = { id: 'series', name: 'Series', reference_code: 'S', description: '', type: 1, parent: null }
  const placing = await longestTurnOf(
    Promise.resolve().then(() => {
      database.transaction(() => {
        indexTag(database.put('tag', { ...tag, information_package: archive.package }), database)
      })
      return indexedAll(database)
    }),
  )
  expect(documents(database)).toBe(count)
  expect(documents(database, `body ->> '$.archive.id' = 'series'`)).toBe(count)
  await archive.close()
  expect(Math.max(takingIn, placing)).toBeLessThan(250)
})

test('an archive that is killed while it indexes goes on: each document is found, and found once', async () => {
  using place = scratch()
  const count = 300
  const archive = openArchive(place.folder, count, 10)
  await archive.takeIn()
  const atOnce = documents(archive.database)
  expect(atOnce).toBeLessThan(count)
  await archive.close()

  const database = openDatabase(place.folder)
  const dying = () =>
    database.transaction(() => {
      indexSlice(database)
      throw new Error('killed')
    })
  expect(dying).toThrow('killed')
  expect(documents(database)).toBe(atOnce)
  database.transaction(() => indexSlice(database))
  expect(documents(database)).toBeGreaterThan(Number(atOnce))
  database.close()

  const running = await startArchive(place.folder)
  const found = async () => {
    const answer = await fetch(`${running.url}/api/search/?q=protokoll&page_size=0`, {
      headers: { authorization: running.basic },
    })
    return Number(answer.headers.get('count')) === count ? count : undefined
  }
  await until(found)
  await running.stop()
  const after = openDatabase(place.folder)
  expect(documents(after)).toBe(count)
  const names = after.sqlite.prepare(`select count(distinct body ->> 'name') as n from indexed`).get()
  expect(names).toEqual({ n: count })
  after.close()
})
