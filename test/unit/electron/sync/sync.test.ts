import { specification } from '../../../../electron/dialects/specification.ts'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Failed } from '../../../../electron/contract/failure.ts'
import { openCache } from '../../../../electron/store/cache/cache.ts'
import { answersOf } from '../../../desks/answers.ts'
import { openThread } from '../../../../electron/sync/thread.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { startFaultyServer } from '../../../faults/faulty-server.ts'
import { builtFile } from '../../../support/built.ts'
import { refreshedSubjects } from '../../../../electron/contract/subjects.ts'

const place = scratch()
let archive: RunningArchive
let proxy: Awaited<ReturnType<typeof startFaultyServer>>
beforeAll(async () => {
  archive = await startArchive(path.join(place.folder, 'archive'), '--sample')
  proxy = await startFaultyServer(archive.url)
})
beforeEach(() => {
  proxy.misbehave('none')
  vi.useRealTimers()
})
afterAll(async () => {
  await proxy.stop()
  await archive.stop()
  place[Symbol.dispose]()
})

const open = (name: string) => {
  const file = path.join(place.folder, `${name}.sqlite`)
  const cache = openCache(file)
  const bugs: unknown[] = []
  const seen: string[] = []
  const thread = openThread({
    script: builtFile('reading-worker.js'),
    fileOf: () => file,
    dialectOf: () => specification,
    reportBug: (error) => String(bugs.push(error)),
    indexed: () => undefined,
    seen: (_archive, subjects) => void seen.push(...subjects),
  })
  const wanted = {
    access: { url: proxy.url, authorization: archive.basic, cookie: '' },
    routes: [{ kind: 'direct' as const }],
    language: 'en',
    subjects: refreshedSubjects,
    hasViews: false,
    isAll: true,
  }
  return {
    cache,
    thread,
    wanted,
    bugs,
    seen,
    answers: answersOf(file),
    [Symbol.asyncDispose]: async () => {
      await thread.close()
      cache.close()
    },
  }
}

test('all lists are read in a thread; read again, nothing has changed', async () => {
  await using desk = open('whole')
  const first = await desk.thread.read('a', desk.wanted)
  expect([first.failure, [...first.changed].sort()]).toEqual([null, [...refreshedSubjects].sort()])
  expect(desk.cache.count('packages')).toBe(154)
  expect(desk.cache.count('objects')).toBe(311)
  expect(
    desk.answers.packages({
      view: 'tree',
      sort: 'changed',
      descending: true,
      filter: 'oxen',
      open: [],
      offset: 0,
      limit: 10,
    }).rows[0],
  ).toMatchObject({ copies: 3 })
  expect(new Set(desk.seen)).toEqual(new Set(refreshedSubjects))
  const age = desk.cache.asOf()
  expect(await desk.thread.read('a', desk.wanted)).toEqual({
    failure: null,
    changed: [],
    complete: [...refreshedSubjects],
  })
  expect(Date.parse(desk.cache.asOf() ?? '')).toBeGreaterThan(Date.parse(age ?? ''))
  expect(desk.bugs).toEqual([])
})

test.each([
  ['half a body', { kind: 'server-broke', detail: 'cut-off' }],
  ['html', { kind: 'server-broke', detail: 'html' }],
  ['html 500', { kind: 'server-broke', status: 500 }],
  ['unauthorized', { kind: 'signed-out' }],
] as const)(
  '%s for one list is said; that list keeps its rows and its age, the others are fresh',
  async (fault, failure) => {
    await using desk = open(`fault ${fault}`)
    await desk.thread.read('a', desk.wanted)
    const age = desk.cache.asOf('packages')
    const ageOfAll = desk.cache.asOf()
    proxy.misbehave(fault, /information-packages/)
    expect((await desk.thread.read('a', desk.wanted)).failure).toMatchObject(failure)
    expect([desk.cache.count('packages'), desk.cache.asOf('packages'), desk.cache.asOf()]).toEqual([
      154,
      age,
      ageOfAll,
    ])
    expect(Date.parse(desk.cache.asOf('media') ?? '')).toBeGreaterThan(Date.parse(age ?? ''))
  },
)

test('a first reading that broke off is gone on with, and what came is not shown as if it were all', async () => {
  await using desk = open('broken first')
  const whole = Buffer.from(JSON.stringify(await archive.get('information-packages/')))
  const broken = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length })
    // What has arrived is seen before the list is complete.
    response.write(
      whole.subarray(0, whole.length / 2),
      () => void until(() => desk.cache.count('packages') > 20 || undefined).then(() => response.destroy()),
    )
  })
  await new Promise<void>((ready) => broken.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`
  const { failure } = await desk.thread.read('a', {
    ...desk.wanted,
    access: { url, authorization: '', cookie: '' },
    routes: [{ kind: 'direct' as const }],
    subjects: ['packages'],
  })
  broken.close()
  expect(failure).toMatchObject({ kind: 'server-broke', detail: 'cut-off' })
  const arrived = desk.cache.count('packages')
  expect(arrived).toBeGreaterThan(20)
  expect(arrived).toBeLessThan(154)
  expect([desk.cache.asOf('packages'), desk.cache.asOf()]).toEqual([null, null])
  await desk.thread.read('a', desk.wanted)
  expect(desk.cache.count('packages')).toBe(154)
  const marked = desk.cache.database.prepare('select count(*) as n from held where changed is not null').get()
  expect(marked).toEqual({ n: 0 })
})

test('a thread that ends without a word leaves nobody waiting, and the next order starts another', async () => {
  const script = path.join(place.folder, 'ends.mjs')
  writeFileSync(
    script,
    `import { parentPort } from 'node:worker_threads'
     parentPort.on('message', ({ id, body }) => {
       if (body.archive === 'ends') process.exit(3)
       const value = { changed: [], complete: [], failure: null }
       if (body.archive === 'answers') parentPort.postMessage({ kind: 'answer', id, value })
     })`,
  )
  const bugs: unknown[] = []
  const thread = openThread({
    script: pathToFileURL(script),
    fileOf: () => '',
    dialectOf: () => specification,
    reportBug: (error) => String(bugs.push(error)),
    seen: () => undefined,
    indexed: () => undefined,
  })
  const wanted = {
    access: { url: '', authorization: undefined, cookie: '' },
    routes: [{ kind: 'direct' as const }],
    language: 'en',
    subjects: [],
    hasViews: false,
    isAll: false,
  }
  const broken = { changed: [], complete: [], failure: { kind: 'bug', reference: '1' } }
  expect(await Promise.all([thread.read('silent', wanted), thread.read('ends', wanted)])).toEqual([
    broken,
    broken,
  ])
  expect(await thread.read('answers', wanted)).toEqual({ changed: [], complete: [], failure: null })
  expect(bugs).toHaveLength(1)
  await thread.close()
})

test('the words of one archive come into its index while another one is being read', async () => {
  const endless = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('[')
  })
  await new Promise<void>((ready) => endless.listen(0, '127.0.0.1', ready))
  const indexed: string[] = []
  const thread = openThread({
    script: builtFile('reading-worker.js'),
    fileOf: (name) => path.join(place.folder, `words ${name}.sqlite`),
    dialectOf: () => specification,
    reportBug: (error) => {
      throw error
    },
    seen: () => undefined,
    indexed: (name, isAll) => isAll && indexed.push(name),
  })
  const wanted = (url: string) => ({
    access: { url, authorization: archive.basic, cookie: '' },
    routes: [{ kind: 'direct' as const }],
    language: 'en',
    subjects: ['packages' as const],
    hasViews: false,
    isAll: false,
  })
  const slow = thread.read('slow', wanted(`http://127.0.0.1:${(endless.address() as AddressInfo).port}`))
  expect((await thread.read('fast', wanted(proxy.url))).failure).toBe(null)
  await until(() => (indexed.includes('fast') ? true : undefined))
  expect(indexed).toEqual(['fast'])
  await thread.release('slow')
  expect((await slow).failure).not.toBe(null)
  await thread.close()
  endless.closeAllConnections()
  endless.close()
})

test('words that wait for the index come into it, though nobody asks the thread for anything', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const all = Promise.withResolvers<void>()
  const bugs: unknown[] = []
  const file = path.join(place.folder, 'words of one that rests.sqlite')
  const thread = openThread({
    script: builtFile('reading-worker.js'),
    fileOf: () => file,
    dialectOf: () => specification,
    reportBug: (error) => String(bugs.push(error)),
    seen: () => undefined,
    indexed: (_archive, isAll) => isAll && all.resolve(),
  })
  const wanted = {
    access: { url: proxy.url, authorization: archive.basic, cookie: '' },
    routes: [{ kind: 'direct' as const }],
    language: 'en',
    subjects: ['packages' as const],
    hasViews: false,
    isAll: false,
  }
  expect((await thread.read('a', wanted)).failure).toBe(null)
  vi.advanceTimersByTime(60_000)
  await all.promise
  expect((await thread.read('a', wanted)).failure).toBe(null)
  expect(bugs).toEqual([])
  await thread.close()
})

test('a local copy that cannot be opened is said for its archive alone', async () => {
  const bugs: unknown[] = []
  const thread = openThread({
    script: builtFile('reading-worker.js'),
    fileOf: (name) => {
      if (name === 'full') throw new Failed({ kind: 'disk', trouble: 'full', path: 'x.sqlite' })
      return name === 'strange'
        ? path.join(place.folder, 'no such folder\0', 'x.sqlite')
        : path.join(place.folder, `${name}.sqlite`)
    },
    dialectOf: () => specification,
    reportBug: (error) => String(bugs.push(error)),
    seen: () => undefined,
    indexed: () => undefined,
  })
  const wanted = {
    access: { url: proxy.url, authorization: archive.basic, cookie: '' },
    routes: [{ kind: 'direct' as const }],
    language: 'en',
    subjects: refreshedSubjects,
    hasViews: false,
    isAll: true,
  }
  const [strange, full, sound] = await Promise.all([
    thread.read('strange', wanted),
    thread.read('full', wanted),
    thread.read('sound', wanted),
  ])
  expect(strange).toEqual({ changed: [], complete: [], failure: { kind: 'bug', reference: 'reading' } })
  expect(full).toEqual({
    changed: [],
    complete: [],
    failure: { kind: 'disk', trouble: 'full', path: 'x.sqlite' },
  })
  expect(sound.failure).toBe(null)
  expect(bugs).toHaveLength(1)
  await thread.close()
})
