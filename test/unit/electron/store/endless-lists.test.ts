import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { openConcurrency } from '../../../../electron/archive-client/concurrency.ts'
import type { ElementReader } from '../../../../electron/archive-client/split-array.ts'
import { readWholeList } from '../../../../electron/archive-client/whole-list.ts'
import { conventions } from '../../../../electron/dialects/specification/conventions.ts'
import { boundsOf, type ListBounds } from '../../../../electron/store/reading/list-bounds.ts'
import { openSingleRecordWriter } from '../../../../electron/store/reading/single-records.ts'
import { readLists } from '../../../../electron/sync/read-lists.ts'
import { scratch } from '../../../support/scratch.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

const subject = 'description/agents' as const
const agent = (id: number) => JSON.stringify({ id: `a${id}`, name: { main: `Agent ${id}` } })
type Answer = (url: URL, response: ServerResponse) => unknown

/** A local copy and an archive whose one list is as the answer makes it. */
const open = async (folder: string, answer: Answer) => {
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    response.setHeader('content-type', 'application/json')
    answer(new URL(request.url ?? '/', `http://${request.headers.host}`), response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const copy = openLocalCopy(path.join(folder, 'cache.sqlite'))
  const bounds: ListBounds = {
    ...boundsOf(copy.writer.database, { rows: 0, bytes: 0 }),
    rows: 2_000,
    bytes: 1_000_000,
  }
  return {
    copy,
    asked: () => asked,
    count: () => copy.cache.count(subject),
    elements: () => copy.cache.database.prepare('select count(*) as n from element').get(),
    read: (some: Partial<ListBounds> = {}) =>
      readLists(
        copy.writer,
        {
          access: {
            url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
            authorization: undefined,
            cookie: '',
          },
          routes: [{ kind: 'direct' }],
          language: 'en',
          subjects: [subject],
          hasViews: false,
          isAll: false,
        },
        {
          now: () => new Date('2026-01-01T00:00:00Z'),
          reportBug: (error) => {
            throw error
          },
          bounds: Object.assign({}, bounds, some),
        },
      ),
    [Symbol.asyncDispose]: () => {
      copy.close()
      server.closeAllConnections()
      return new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}

/** One array that goes on as long as somebody reads it. */
const endless: Answer = (_url, response) => {
  let id = 0
  const send = () => {
    if (response.destroyed) return
    const some = Array.from({ length: 100 }, () => agent((id += 1)))
    if (response.write(`${some.join(',')},`)) setImmediate(send)
    else response.once('drain', send)
  }
  response.write('[')
  send()
}
const list =
  (...ids: number[]): Answer =>
  (_url, response) =>
    response.end(`[${ids.map(agent).join(',')}]`)

test('a list without end is given up, and nothing of it is kept', async () => {
  using place = scratch()
  await using desk = await open(place.folder, endless)
  const { failure } = await desk.read()
  expect(failure).toMatchObject({ kind: 'server-broke', detail: 'too-long', address: '/api/agents/' })
  expect([desk.count(), desk.elements()]).toEqual([0, { n: 0 }])
  expect((await desk.read({ rows: 1e9 })).failure).toMatchObject({ detail: 'too-long' })
  expect([desk.count(), desk.elements()]).toEqual([0, { n: 0 }])
})

test('a list that has become endless leaves what was held before as it was', async () => {
  using place = scratch()
  let answer = list(1, 2, 3)
  await using desk = await open(place.folder, (url, response) => answer(url, response))
  expect((await desk.read()).failure).toBeNull()
  answer = endless
  expect((await desk.read()).failure).toMatchObject({ detail: 'too-long' })
  expect(desk.count()).toBe(3)
  expect(desk.copy.writer.database.prepare('select count(*) as n from temp.staged').get()).toEqual({ n: 0 })
  answer = list(1, 2, 4)
  expect((await desk.read()).failure).toBeNull()
  expect(desk.copy.scans.ids(subject).sort()).toEqual(['a1', 'a2', 'a4'])
})

test('a list that would fill the disk is given up while there is room', async () => {
  using place = scratch()
  await using desk = await open(place.folder, endless)
  let bytes = 10_000_000
  const freeSpace = () => ({ folder: place.folder, bytes: (bytes -= 3_000_000) })
  const { failure } = await desk.read({ rows: 1e9, bytes: 1e9, freeSpace })
  expect(failure).toEqual({ kind: 'disk', trouble: 'full', path: place.folder })
  expect(desk.count()).toBe(0)
})

test('a full disk is said of the disk, and what was held before stays', async () => {
  using place = scratch()
  let answer = list(1, 2, 3)
  await using desk = await open(place.folder, (url, response) => answer(url, response))
  expect((await desk.read()).failure).toBeNull()
  answer = list(1, 2, 4)
  const full = () => ({ folder: place.folder, bytes: -1 })
  const { failure } = await desk.read({ freeSpace: full })
  expect(failure).toEqual({ kind: 'disk', trouble: 'full', path: place.folder })
  expect(desk.copy.scans.ids(subject).sort()).toEqual(['a1', 'a2', 'a3'])
})

test('what was held says how much a list may bring, and a disk how much room it has', () => {
  using place = scratch()
  const { writer, close } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const first = boundsOf(writer.database, { rows: 0, bytes: 0 })
  expect(first.freeSpace().bytes).toBeGreaterThan(0)
  expect([first.rows, first.bytes]).toEqual([20_000_000, 100e9])
  expect(boundsOf(writer.database, { rows: 30_000_000, bytes: 140e9 })).toMatchObject({
    rows: 60_000_000,
    bytes: 280e9,
  })
  close()
})

const pages: [string, Answer][] = [
  [
    'in a circle',
    (url, response) => {
      const page = Number(url.searchParams.get('page') ?? 1)
      response.setHeader('link', `<${url.origin}/api/agents/?page=${(page % 3) + 1}>; rel="next"`)
      response.end(`[${agent(page)}]`)
    },
  ],
  [
    'to the same rows under ever new addresses',
    (url, response) => {
      const page = Number(url.searchParams.get('page') ?? 1)
      response.setHeader('link', `<${url.origin}/api/agents/?page=${page + 1}>; rel="next"`)
      response.end(`[${agent(1)},${agent(2)},${agent(3)}]`)
    },
  ],
  [
    'to empty pages',
    (url, response) => {
      const page = Number(url.searchParams.get('page') ?? 1)
      response.setHeader('link', `<${url.origin}/api/agents/?page=${page + 1}>; rel="next"`)
      response.end(page < 4 ? `[${agent(page)}]` : '[]')
    },
  ],
]
test.each(pages)('next links that lead %s come to an end, and what came is kept', async (_where, answer) => {
  using place = scratch()
  await using desk = await open(place.folder, answer)
  expect((await desk.read()).failure).toBeNull()
  expect(desk.count()).toBe(3)
  expect(desk.asked()).toBeLessThan(100)
})

test('a list that is said to be longer than it is comes to an end where its rows are given again', async () => {
  using place = scratch()
  await using desk = await open(place.folder, (url, response) => {
    const [page = 1, size = 10] = ['page', 'page_size'].map((name) =>
      url.searchParams.has(name) ? Number(url.searchParams.get(name)) : undefined,
    )
    response.setHeader('count', '20000')
    response.setHeader('link', `<${url.origin}/api/agents/?page=${page + 1}>; rel="next"`)
    response.end(`[${Array.from({ length: Math.min(size, 10) }, (_, at) => agent(at)).join(',')}]`)
  })
  expect((await desk.read()).failure).toBeNull()
  expect(desk.count()).toBe(10)
  expect(desk.asked()).toBeLessThan(100)
})

test('pages without end are given up, and are no whole list', async () => {
  let asked = 0
  const reading = readWholeList(
    {
      name: 'things/',
      ask: () => {
        asked += 1
        const record = Buffer.from(`{"id":${asked}}`)
        const read = ({ take }: ElementReader) => Promise.resolve(take(record))
        return Promise.resolve({ read, count: null, next: `http://127.0.0.1/api/things/?page=${asked + 1}` })
      },
      concurrency: openConcurrency(),
      conventions,
    },
    { take: () => ({ isNew: true, isNewInPass: true }) },
  )
  await expect(reading).rejects.toMatchObject({ failure: { kind: 'server-broke', detail: 'too-long' } })
})

test('pages that bring a new row each for ever are given up', async () => {
  using place = scratch()
  await using desk = await open(place.folder, (url, response) => {
    const page = Number(url.searchParams.get('page') ?? 1)
    response.setHeader('link', `<${url.origin}/api/agents/?page=${page + 1}>; rel="next"`)
    response.end(`[${agent(page)}]`)
  })
  expect((await desk.read({ rows: 200 })).failure).toMatchObject({ detail: 'too-long' })
  expect(desk.count()).toBe(0)
})

test('what is held is not looked at for an archive that gives no list', async () => {
  using place = scratch()
  let isThere = true
  const failing: Answer = (_url, response) => {
    response.statusCode = 503
    response.end('{}')
  }
  await using desk = await open(place.folder, (...asked) => (isThere ? list(1, 2) : failing)(...asked))
  await desk.read()
  isThere = false
  const prepared = vi.spyOn(desk.copy.writer.database, 'prepare')
  expect((await desk.read()).failure).not.toBe(null)
  expect(prepared.mock.calls.flat()).toEqual([])
  isThere = true
  expect((await desk.read()).failure).toBe(null)
  expect(prepared.mock.calls.flat()).not.toEqual([])
})

test('what came alone while a list was asked for, and is not in it, stays', async () => {
  using place = scratch()
  let answer: Answer = list(1, 2)
  await using desk = await open(place.folder, (url, response) => answer(url, response))
  await desk.read()
  answer = (url, response) => {
    openSingleRecordWriter(desk.copy.writer, subject, '2026-01-01T00:00:00Z').take([JSON.parse(agent(3))])
    return list(1, 2)(url, response)
  }
  expect((await desk.read()).failure).toBe(null)
  expect(desk.count()).toBe(3)
  answer = list(1, 2)
  await desk.read()
  expect(desk.count()).toBe(2)
})
