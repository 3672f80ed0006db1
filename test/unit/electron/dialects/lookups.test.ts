import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ListClient } from '../../../../electron/archive-client/http.ts'
import { lookUpIn } from '../../../../electron/dialects/lookups.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { openThread } from '../../../../electron/sync/thread.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { builtFile } from '../../../support/built.ts'
import { startFaultyServer } from '../../../faults/faulty-server.ts'
import { openClient } from '../../../archives/archive-client.ts'

const place = scratch()
let archive: RunningArchive
let proxy: Awaited<ReturnType<typeof startFaultyServer>>
beforeAll(async () => {
  archive = await startArchive(path.join(place.folder, 'archive'), '--sample')
  proxy = await startFaultyServer(archive.url)
})
beforeEach(() => proxy.misbehave('none'))
afterAll(async () => {
  await proxy.stop()
  await archive.stop()
  place[Symbol.dispose]()
})

/** Looks things up in passes of one list, of which the last one says what is there now. */
const lookUpAmong = (passes: unknown[][], { isSure = true, areAllKept = false } = {}) => {
  const elements: ListClient['elements'] = (_path, reader) => {
    for (const [pass, records] of passes.entries())
      for (const record of records) reader.take(Buffer.from(JSON.stringify(record)), pass)
    return Promise.resolve({ pass: areAllKept ? null : passes.length - 1, count: null, isSure })
  }
  return lookUpIn({ url: 'http://archive', elements }, specification)
}
const transfer = (id: number, description: string) => ({ id, name: '', delivery: 1, description })

test('a mark is found in what the archive registered, as the last pass of its list shows it', async () => {
  const first = [transfer(1, 'Brev [one]'), transfer(2, '[gone]'), transfer(3, '[taken out]')]
  const last = [transfer(1, 'Brev [one]'), transfer(3, ''), transfer(4, '[twice]'), transfer(5, '[twice]')]
  const lookUp = lookUpAmong([first, last])
  expect(await lookUp('registered', ['[one]', '[gone]', '[taken out]', '[twice]', '[never]'])).toEqual(
    new Map([
      ['[one]', { id: '1' }],
      ['[twice]', { id: '4' }],
    ]),
  )
  // Where no pass was whole, what came in any of them counts, as it came last.
  const both = lookUpAmong([first, last], { areAllKept: true })
  expect(await both('registered', ['[gone]', '[taken out]'])).toEqual(new Map([['[gone]', { id: '2' }]]))
})

test('a record that cannot be read and has a mark stands before those that can', async () => {
  const broken = { name: '', description: '[one]' }
  const lookUp = lookUpAmong([[transfer(1, '[two]'), transfer(3, '[one]'), broken]])
  expect(await lookUp('registered', ['[one]', '[two]'])).toEqual(
    new Map<string, unknown>([
      ['[two]', { id: '1' }],
      ['[one]', { path: '/api/transfers/[2].id', excerpt: JSON.stringify(broken) }],
    ]),
  )
})

test('a list that may lack records says of no mark that it is not there', async () => {
  await expect(lookUpAmong([[]], { isSure: false })('registered', ['[one]'])).rejects.toMatchObject({
    failure: { kind: 'server-broke', address: 'http://archive/api/transfers/', detail: 'unexpected' },
  })
})

test('of the transfers that were received only those are named that were asked for', async () => {
  const event = (id: number, eventType: number, of: string) => ({ id, eventType, transfer: of })
  const lookUp = lookUpAmong([[event(1, 30000, 'a'), event(2, 10000, 'b'), event(3, 30300, 'c')]])
  expect(await lookUp('received', ['a', 'b'])).toEqual(new Set(['a']))
})

test('a thread finds what is found here, and a failure comes back as it was', async () => {
  const asking = openClient(proxy.url, archive.basic, () => 'en')
  const here = lookUpIn(asking, specification)
  const bugs: unknown[] = []
  const thread = openThread({
    script: builtFile('reading-worker.js'),
    fileOf: () => path.join(place.folder, 'never opened.sqlite'),
    dialectOf: () => specification,
    reportBug: (error) => String(bugs.push(error)),
    indexed: () => undefined,
    seen: () => undefined,
  })
  const there = thread.lookingUp(() =>
    Promise.resolve({
      dialect: specification.name,
      access: { url: proxy.url, authorization: archive.basic, cookie: '' },
      routes: [{ kind: 'direct' }],
      language: 'en',
    }),
  )
  const [first] = (await archive.get('languages/')) as { id: string; name_native: string }[]
  const body = { id: first?.id, name_native: first?.name_native }
  const said = await there('saying', 'languages', body)
  expect(said).toEqual(await here('saying', 'languages', body))
  expect(said.found.get(String(first?.id))?.likeness).toBe('same')
  const events = (await archive.get('events/')) as { transfer?: string }[]
  const transfers = events.flatMap((event) => event.transfer ?? [])
  expect(await there('received', transfers)).toEqual(await here('received', transfers))
  proxy.misbehave('closes', /./)
  for (const lookUp of [here, there])
    await expect(lookUp('registered', ['[one]'])).rejects.toMatchObject({ failure: { kind: 'offline' } })
  expect(bugs).toEqual([])
  await thread.close()
  await asking.close()
})
