import { dialects } from '../../../../electron/dialects/dialects.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { readdirSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDeskData } from '../../../../electron/desk/desk-data.ts'
import { openQuestions } from '../../../../electron/questions/questions.ts'
import { cacheFileOf } from '../../../../electron/store/cache/caches.ts'
import { openThread } from '../../../../electron/sync/thread.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { builtFile } from '../../../support/built.ts'
import { openFilesAt } from '../../../support/open-files.ts'
import { refreshedSubjects } from '../../../../electron/contract/subjects.ts'

const place = scratch()
let archive: RunningArchive
beforeAll(async () => {
  archive = await startArchive(path.join(place.folder, 'archive'), '--sample')
})
afterAll(async () => {
  await archive.stop()
  place[Symbol.dispose]()
})

/** What a desk keeps, with both of its threads, and nothing else of it. */
const open = (name: string) => {
  const folder = path.join(place.folder, name)
  const bugs: unknown[] = []
  const deskData = openDeskData({
    dialects,
    folder,
    now: () => new Date(),
    warn: (...line) => void bugs.push(line),
  })
  const { cacheOf, fileOf, deskFile } = deskData
  const questions = openQuestions({
    script: builtFile('questions-worker.js'),
    fileOf,
    dialectOf: () => specification,
    deskFile,
  })
  const thread = openThread({
    script: builtFile('reading-worker.js'),
    fileOf,
    dialectOf: () => specification,
    reportBug: (error) => String(bugs.push(error)),
    seen: () => undefined,
    indexed: () => undefined,
  })
  const wanted = (url: string) => ({
    access: { url, authorization: archive.basic, cookie: '' },
    routes: [{ kind: 'direct' as const }],
    language: 'en',
    subjects: refreshedSubjects,
    hasViews: false,
    isAll: true,
  })
  const inFolder = () => readdirSync(path.dirname(cacheFileOf(folder, 'a')))
  const openFilesOf = (id: string) => openFilesAt(cacheFileOf(folder, id))
  return {
    bugs,
    cacheOf,
    inFolder,
    openFilesOf,
    read: (id: string, url = archive.url) => thread.read(id, wanted(url)),
    copiesOf: (id: string) => questions.ask('copiesOfMedia', id),
    forget: (id: string) => deskData.forget(id, questions, thread),
    [Symbol.asyncDispose]: async () => {
      await questions.close()
      await thread.close()
      deskData.store.close()
    },
  }
}

test('what is held of one archive is deleted once nobody has it open, and another one keeps everything', async () => {
  await using desk = open('forgotten')
  for (const id of ['a', 'b']) {
    expect((await desk.read(id)).failure).toBe(null)
    expect(desk.cacheOf(id).count('packages')).toBe(154)
    expect((await desk.copiesOf(id)).size).toBeGreaterThan(0)
  }
  const forgetting = desk.forget('a')
  expect(() => desk.cacheOf('a')).toThrow(
    expect.objectContaining({ failure: { kind: 'signed-out' } }) as Error,
  )
  await expect(desk.copiesOf('a')).rejects.toMatchObject({ failure: { kind: 'signed-out' } })
  expect((await desk.read('a')).failure).toEqual({ kind: 'signed-out' })
  await forgetting
  expect(desk.inFolder().filter((name) => name.startsWith('a'))).toEqual([])
  if (process.platform === 'linux') expect(desk.openFilesOf('a')).toEqual([])
  expect(desk.cacheOf('b').count('packages')).toBe(154)
  expect((await desk.copiesOf('b')).size).toBeGreaterThan(0)

  expect([desk.cacheOf('a').count('packages'), desk.cacheOf('a').asOf()]).toEqual([0, null])
  expect((await desk.read('a')).failure).toBe(null)
  expect(desk.cacheOf('a').count('packages')).toBe(154)
  expect(desk.bugs).toEqual([])
})

test('an archive of which a list is being read is forgotten without waiting for its end', async () => {
  await using desk = open('broken off')
  const answers: ServerResponse[] = []
  const endless = createServer((_request, response) => {
    answers.push(response)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('[')
  })
  await new Promise<void>((ready) => endless.listen(0, '127.0.0.1', ready))
  const reading = desk.read('a', `http://127.0.0.1:${(endless.address() as AddressInfo).port}`)
  await until(() => (answers.length > 0 ? true : undefined))
  await desk.forget('a')
  expect((await reading).failure).not.toBe(null)
  expect(desk.inFolder()).toEqual([])
  if (process.platform === 'linux') expect(desk.openFilesOf('a')).toEqual([])
  expect(desk.bugs).toEqual([])
  endless.closeAllConnections()
  endless.close()
})

test('what was never opened is forgotten as well', async () => {
  await using desk = open('never opened')
  await desk.forget('a')
  desk.cacheOf('a')
  await desk.forget('a')
  expect(desk.inFolder()).toEqual([])
})
