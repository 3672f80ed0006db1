import { readFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fixedRouting, type Routing } from '../../../../electron/archive-client/routes.ts'
import { openUpdates } from '../../../../electron/updates/updates.ts'
import { scratch } from '../../../support/scratch.ts'
import { openWindowless } from '../../../desks/windowless.ts'

const hourMs = 3_600_000

/** A server that says which version is the newest; or whatever else it is told to answer. */
const startReleases = async () => {
  const asked: { url: string; headers: http.IncomingHttpHeaders }[] = []
  const said = { status: 200, type: 'application/json', body: '{"version":"0.2.0"}' }
  const server = http.createServer((incoming, response) => {
    asked.push({ url: `${incoming.method} ${incoming.url}`, headers: incoming.headers })
    response.writeHead(said.status, { 'content-type': said.type }).end(said.body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    asked,
    said,
    address: `http://127.0.0.1:${port}/releases/latest.json`,
    port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

const opened = (folder: string, address: string, routing: Routing = fixedRouting()) => {
  const clock = { now: new Date('2026-11-24T08:00:00Z'), isWanted: true }
  const told: (string | null)[] = []
  const failures: unknown[] = []
  const open = (version = '0.1.0') =>
    openUpdates({
      version,
      file: path.join(folder, 'updates.json'),
      address,
      now: () => clock.now,
      isWanted: () => clock.isWanted,
      routing,
      changed: (newer) => told.push(newer?.version ?? null),
      failed: (error) => failures.push(error),
    })
  return {
    clock,
    told,
    failures,
    open,
    pass: (ms: number) => (clock.now = new Date(clock.now.getTime() + ms)),
  }
}

test('nothing is asked before somebody wants it; then once a day, over restarts too', async () => {
  using place = scratch()
  await using releases = await startReleases()
  const { clock, told, open, pass } = opened(place.folder, releases.address)
  clock.isWanted = false
  const updates = open()
  await updates.ask()
  expect([releases.asked.length, updates.newer()]).toEqual([0, null])

  clock.isWanted = true
  await Promise.all([updates.ask(), updates.ask()])
  expect(releases.asked.map(({ url }) => url)).toEqual(['GET /releases/latest.json'])
  expect([told, updates.newer()]).toEqual([['0.2.0'], { version: '0.2.0' }])
  pass(23 * hourMs)
  await updates.ask()
  const restarted = open()
  await restarted.ask()
  expect(releases.asked.length).toBe(1)
  expect(restarted.newer()).toEqual({ version: '0.2.0' })
  // Who has it now is told no more, and who wants to know no more is not either.
  expect(open('0.2.0').newer()).toBeNull()
  expect(open('0.10.0').newer()).toBeNull()
  clock.isWanted = false
  expect(restarted.newer()).toBeNull()
  clock.isWanted = true
  pass(hourMs)
  await restarted.ask()
  expect(releases.asked.length).toBe(2)
  // A clock that was ahead stops it for no longer than it is ahead.
  pass(-30 * 24 * hourMs)
  await restarted.ask()
  expect(releases.asked.length).toBe(3)
})

test('what is asked says nothing of who asks', async () => {
  using place = scratch()
  await using releases = await startReleases()
  const { open } = opened(place.folder, releases.address)
  await open().ask()
  const [asked] = releases.asked
  expect(Object.keys(asked?.headers ?? {}).toSorted()).toEqual([
    'accept',
    'accept-encoding',
    'accept-language',
    'connection',
    'host',
  ])
  expect(asked?.headers['accept-language']).toBe('en')
})

test('a server that fails, or says something else, is asked again a day later and shown to nobody', async () => {
  using place = scratch()
  await using releases = await startReleases()
  const { told, failures, open, pass } = opened(place.folder, releases.address)
  const updates = open()
  const answers: Partial<typeof releases.said>[] = [
    { status: 500, body: 'broken', type: 'text/plain' },
    { status: 200, body: '<html>', type: 'text/html' },
    { body: '{"version":"<b>9</b>"}', type: 'application/json' },
    { body: '{"latest":"9.9.9"}' },
    { body: '{"version":"99999999999999.0.0"}' },
    { status: 302, body: '' },
  ]
  for (const [index, answer] of answers.entries()) {
    Object.assign(releases.said, answer)
    await updates.ask()
    await updates.ask()
    expect(releases.asked.length).toBe(index + 1)
    pass(24 * hourMs)
  }
  expect(failures.length).toBe(answers.length)
  expect([told, updates.newer()]).toEqual([[], null])
  Object.assign(releases.said, { status: 200, body: '{"version":"1.0.0","notes":"…"}' })
  await updates.ask()
  expect(updates.newer()).toEqual({ version: '1.0.0' })
  expect(JSON.parse(readFileSync(path.join(place.folder, 'updates.json'), 'utf8'))).toMatchObject({
    latest: '1.0.0',
  })
})

test('it goes by the proxy of everything else', async () => {
  using place = scratch()
  await using proxy = await startReleases()
  const { open, told } = opened(
    place.folder,
    'http://releases.lectern.test/latest.json',
    fixedRouting([{ kind: 'http', host: '127.0.0.1', port: proxy.port, credentials: null }]),
  )
  await open().ask()
  expect(proxy.asked.map(({ url }) => url)).toEqual(['GET http://releases.lectern.test/latest.json'])
  expect(told).toEqual(['0.2.0'])
})

test('the desk asks when it starts, and when somebody says so, and the page hears of it', async () => {
  using place = scratch()
  await using releases = await startReleases()
  const news: unknown[] = []
  let isWanted = false
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const desk = openWindowless(path.join(place.folder, 'desk'), {
    version: '0.1.0',
    releases: releases.address,
    wantsUpdates: () => isWanted,
    sendNews: (name, payload) => {
      if (name !== 'updates.changed') return
      news.push(payload)
      if (payload !== null) resolve(payload)
    },
  })
  await desk.goOn()
  expect([releases.asked.length, desk.features.updates.newer(undefined)]).toEqual([0, null])
  isWanted = true
  desk.updatesChosen()
  expect(await promise).toEqual({ version: '0.2.0' })
  expect(desk.features.updates.newer(undefined)).toEqual({ version: '0.2.0' })
  isWanted = false
  desk.updatesChosen()
  expect(news.at(-1)).toBeNull()
  expect(releases.asked.length).toBe(1)
  await desk.stop()
})
