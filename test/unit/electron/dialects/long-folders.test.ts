import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { listFiles } from '../../../../electron/dialects/essarch/files.ts'
import { openClient } from '../../../archives/archive-client.ts'
import { metsOf } from '../../../essarch/mets.ts'

const mostResults = 10_000
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/**
 * Lists a folder as ESSArch does from its index (InformationPackageViewSet.files of 3.2): by pages without
 * links, with no more counted or given than Elasticsearch does where nothing else is set.
 */
const startIndex = async (names: string[], mets: string | undefined) => {
  const say = (response: ServerResponse, status: number, body: unknown, count?: number) =>
    response
      .writeHead(status, {
        'content-type': 'application/json',
        ...(count === undefined ? {} : { count: String(count) }),
      })
      .end(JSON.stringify(body))
  const server = createServer((request, response) => {
    const { searchParams: asked } = new URL(request.url ?? '/', 'http://localhost')
    if (asked.get('path') === 'mets.xml') {
      if (mets === undefined) say(response, 404, { detail: 'Not found.' })
      else response.writeHead(200, { 'content-type': 'text/xml' }).end(mets)
      return
    }
    const [page, size] = [Number(asked.get('page') ?? 1), Number(asked.get('page_size') ?? 10)]
    const total = Math.min(names.length, mostResults)
    const rows = names.slice((page - 1) * size, page * size)
    if (page * size > mostResults) say(response, 400, [`Can't show more than ${mostResults} results`])
    else if (page > Math.max(1, Math.ceil(total / size))) say(response, 404, { detail: 'Invalid page.' })
    else
      say(
        response,
        200,
        rows.map((name) => ({ type: 'file', name, size: 5, modified: '2026-11-22T10:00:00+01:00' })),
        total,
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = openClient(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    undefined,
    () => 'en',
  )
  ends.push(async () => {
    await client.close()
    await new Promise((resolve) => server.close(resolve))
  })
  return client
}
const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `sida-${index + 1}.tif`)
const metsFor = (names: string[]) =>
  metsOf(
    'P1',
    ['premis.xml', 'content/other/a.txt', ...names.map((name) => `content/scans/${name}`)].map((path) => ({
      path,
      content: Buffer.from('12345'),
    })),
  )

test('a folder of more files than the index of the archive gives is told whole', async () => {
  const names = namesOf(10_003)
  const client = await startIndex(names, metsFor([...names, 'inside/b.tif', 'packed.tar']))
  const entries = await listFiles(client, 'p', 'content/scans')
  expect(entries.length).toBe(10_005)
  expect(entries[0]).toEqual({
    name: 'inside',
    isFolder: true,
    isContainer: false,
    bytes: null,
    modified: null,
  })
  expect(entries.find(({ name }) => name === 'packed.tar')).toMatchObject({ isContainer: true, bytes: 5 })
  expect(entries.filter(({ modified }) => modified !== null).length).toBe(10_000)
  expect(new Set(entries.map(({ name }) => name)).size).toBe(10_005)
})

test('what the archive leaves out of a folder is never taken for all where no METS names the rest', async () => {
  const client = await startIndex(namesOf(10_003), undefined)
  await expect(listFiles(client, 'p', 'content/scans')).rejects.toMatchObject({
    failure: { kind: 'server-broke', detail: 'cut-off' },
  })
})

test('a folder of fewer files is told as the index has it, and nothing else is read', async () => {
  const client = await startIndex(namesOf(9_999), undefined)
  expect((await listFiles(client, 'p', 'content/scans')).length).toBe(9_999)
})
