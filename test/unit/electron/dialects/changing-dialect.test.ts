import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { specification } from '../../../../electron/dialects/specification.ts'
import { openThread } from '../../../../electron/sync/thread.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { openFilesAt } from '../../../support/open-files.ts'
import { shelf } from '../../../third-dialect/dialect.ts'
import { laterShelf } from '../../../third-dialect/later-dialect.ts'

/** An archive whose lists are empty, and which leaves its first request without an answer. */
const startEmpty = async () => {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    if (asked.length === 1) return
    const [body, header] = url.startsWith('/v2/')
      ? ['{"results": [], "next": null}', 'total']
      : ['[]', 'count']
    response.writeHead(200, { 'content-type': 'application/json', [header]: '0' }).end(body)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const open = (folder: string, url: string) => {
  let dialect: { name: string } = shelf
  const bugs: unknown[] = []
  const thread = openThread({
    script: new URL('../../../third-dialect/reading-worker.ts', import.meta.url),
    fileOf: () => path.join(folder, 'copy.sqlite'),
    dialectOf: () => dialect,
    reportBug: (error) => String(bugs.push(error)),
    indexed: () => undefined,
    seen: () => undefined,
  })
  return {
    bugs,
    release: () => thread.release('a'),
    read: (as: { name: string }) => {
      dialect = as
      return thread.read('a', {
        access: { url, authorization: 'Basic eDp4', cookie: '' },
        routes: [{ kind: 'direct' }],
        language: 'en',
        subjects: ['description/agents'],
        hasViews: false,
        isAll: false,
      })
    },
    [Symbol.asyncDispose]: thread.close,
  }
}

test('of two changes of dialect at once, the last one is followed to its end', async () => {
  using place = scratch()
  using server = await startEmpty()
  await using desk = open(place.folder, server.url)
  const first = desk.read(shelf)
  await until(() => server.asked[0])
  const second = desk.read(laterShelf)
  const third = desk.read(specification)
  expect((await first).failure).not.toBeNull()
  await second
  expect((await third).failure).toBeNull()
  expect(server.asked.at(-1)).toMatch(/^\/api\//)
  expect(desk.bugs).toEqual([])
})

test('an archive that is let go while what it speaks changes has nothing open afterwards', async () => {
  using place = scratch()
  using server = await startEmpty()
  await using desk = open(place.folder, server.url)
  const readings = [desk.read(shelf)]
  await until(() => server.asked[0])
  readings.push(desk.read(laterShelf))
  await desk.release()
  if (process.platform === 'linux') expect(openFilesAt(path.join(place.folder, 'copy.sqlite'))).toEqual([])
  await Promise.all(readings)
  expect(desk.bugs).toEqual([])
})
