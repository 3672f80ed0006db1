import { connect } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase, type Body } from '../../../../electron/local-archive/database.ts'
import { LazyList, writeJson } from '../../../../electron/local-archive/http/write-json.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'

// What one person asks keeps nobody else waiting. What is mended here took from 12 seconds up.
const longestMs = 9_000

/** The time that it takes, in milliseconds. */
const lasting = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  return performance.now() - began
}
/** Enters records while no archive runs. */
const enter = (data: string, kind: 'agent' | 'location', records: Iterable<Body>) => {
  const database = openDatabase(data)
  database.transaction(() => {
    for (const record of records) database.put(kind, record)
  })
  database.close()
}
/** Ids of the types of names. */
const nameTypes = (data: string) => {
  const database = openDatabase(data)
  const ids = database.list('agent name type').map(({ id }) => id)
  database.close()
  return ids
}
const post = (archive: RunningArchive, list: string, body: unknown) =>
  fetch(`${archive.url}/api/${list}/`, {
    method: 'POST',
    headers: { authorization: archive.basic, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const ask = (archive: RunningArchive, address: string) =>
  fetch(`${archive.url}/api/${address}`, { headers: { authorization: archive.basic } })

test('an address of slashes is read in one go', async () => {
  using place = scratch()
  const archive = await startArchive(place.folder)
  const taken = await lasting(async () => {
    for (let count = 0; count < 30; count += 1)
      expect((await ask(archive, `search/q${'/'.repeat(15_000)}x`)).status).toBe(404)
  })
  expect(taken).toBeLessThan(longestMs)
  await archive.stop()
})

test('a record in which a hundred megabytes are embedded is sent in turns with others', async () => {
  using place = scratch()
  const data = path.join(place.folder, 'data')
  await (await startArchive(data)).stop()
  const [type] = nameTypes(data)
  const names = Array.from({ length: 1_000 }, (_, index) => ({ id: index + 1, main: `n${index}`, type }))
  const agent = (id: string, related: string[] = []): Body => ({
    id,
    names,
    notes: [],
    identifiers: [],
    places: [],
    related_agents: related.map((other, index) => ({ id: index + 1, agent: other, type: null })),
  })
  const ids = Array.from({ length: 1_000 }, (_, index) => `a${index}`)
  enter(
    data,
    'agent',
    ids.values().map((id) => agent(id)),
  )
  enter(data, 'agent', [agent('b', ids)])
  const archive = await startArchive(data)
  for (const address of ['agents/b/', 'agents/', 'agents/archives=x']) {
    const leaving = new AbortController()
    const sent = fetch(`${archive.url}/api/${address}`, {
      headers: { authorization: archive.basic },
      signal: leaving.signal,
    })
    const taken = await lasting(async () => {
      for (let count = 0; count < 5; count += 1) expect((await ask(archive, 'me/')).status).toBe(200)
    })
    expect((await sent).status).toBe(200)
    leaving.abort()
    expect([address, taken < longestMs]).toEqual([address, true])
  }
  const twice = { agent: 'a1', type: 1 }
  const said = await post(archive, 'agents', {
    type: null,
    names: [{ main: 'B' }],
    related_agents: [twice, twice],
  })
  expect(said.status).toBe(400)
  await archive.stop()
})

test('who does not read an answer has nothing made of what was asked after it', async () => {
  using place = scratch()
  const data = path.join(place.folder, 'data')
  await (await startArchive(data)).stop()
  // More than the system keeps for a connection that is not read.
  enter(
    data,
    'agent',
    Array.from({ length: 400 }, (_, id) => ({ id: `a${id}`, names: [{ main: 'x'.repeat(100_000) }] })),
  )
  const archive = await startArchive(data)
  const { hostname, port, host } = new URL(archive.url)
  const client = connect(Number(port), hostname)
  const head = (line: string, more = '') =>
    `${line} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${archive.basic}\r\n${more}\r\n`
  const body = JSON.stringify({ name: 'asked after it' })
  const sent = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n`
  client.write(head('GET /api/agents/') + head('POST /api/metric-types/', sent) + body)
  const isMade = async () => (await (await ask(archive, 'metric-types/')).text()).includes('asked after it')
  for (let count = 0; count < 20; count += 1) expect(await isMade()).toBe(false)
  const answers = (await client.toArray()).join('')
  expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 201'])
  expect(await isMade()).toBe(true)
  await archive.stop()
})

test('locations lie in each other a hundred levels deep, and deeper ones that are there are shown', async () => {
  using place = scratch()
  const data = path.join(place.folder, 'data')
  await (await startArchive(data, '--sample')).stop()
  const levels = 6_000
  enter(
    data,
    'location',
    Array.from({ length: levels }, (_, index) => ({
      id: 10_000 + index,
      name: 'l',
      parent: index === 0 ? null : 9_999 + index,
      level_type: null,
    })),
  )
  const archive = await startArchive(data)
  for (const address of ['locations/', 'locations/10000/']) {
    const said = await ask(archive, address)
    const text = await said.text()
    expect([address, said.status, text.match(/"id":1[0-9]{4},/g)?.length]).toEqual([address, 200, levels])
  }
  const [level] = (await archive.get('location-level-types/')) as Body[]
  const [use] = (await archive.get('location-function-types/')) as Body[]
  let parent: unknown = null
  const below = async () =>
    post(archive, 'locations', { name: 'x', parent, level_type: level?.['id'], function: use?.['id'] })
  for (let depth = 1; depth <= 100; depth += 1) {
    const said = await below()
    expect(said.status).toBe(201)
    parent = ((await said.json()) as Body)['id']
  }
  const refused = await below()
  expect([refused.status, await refused.json()]).toEqual([
    400,
    { parent: ['Ensure that locations lie in each other at most 100 levels deep.'] },
  ])
  await archive.stop()
})

test('what is written piece by piece is the JSON that it stands for', () => {
  const lazy = (...rows: unknown[]) => new LazyList(() => rows)
  const value = {
    a: undefined,
    b: lazy(),
    c: lazy(1, 'å', null, { d: lazy({ e: [] }, lazy(lazy())) }),
    f: { g: { h: lazy('x'.repeat(200_000), 'y'.repeat(200_000)) }, i: [1] },
  }
  const pieces = [...writeJson(value)]
  expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify(value))
  expect(pieces.length).toBeGreaterThan(1)
})
