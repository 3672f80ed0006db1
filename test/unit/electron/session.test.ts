import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reach } from '../../../electron/archive-client/http.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { openSession } from '../../../electron/session/session.ts'
import { openDeskStore } from '../../../electron/store/desk.ts'
import { scratch, startArchive, type RunningArchive } from '../../archive.ts'
import { startFaultyServer } from '../../faults/faulty-server.ts'

const place = scratch()
let archives: RunningArchive[]
beforeAll(async () => {
  archives = await Promise.all(['a', 'b', 'c'].map((name) => startArchive(path.join(place.folder, name))))
})
afterAll(async () => {
  await Promise.all(archives.map((archive) => archive.stop()))
  place[Symbol.dispose]()
})
const number = (index: number) => archives[index] ?? expect.fail(`no archive ${index}`)

let desks = 0
const openDesk = () => {
  const store = openDeskStore(path.join(place.folder, `desk-${(desks += 1)}.sqlite`))
  const clock = { at: Date.parse('2026-03-01T08:00:00Z') }
  const secrets = new Map<string, string>()
  const vault = {
    keep: (archive: string, secret: string) =>
      Promise.resolve((secrets.set(archive, secret), 'this session' as const)),
    read: (archive: string) =>
      Promise.resolve(
        secrets.has(archive)
          ? { secret: secrets.get(archive) ?? '', keptIn: 'this session' as const }
          : undefined,
      ),
    forget: (archive: string) => Promise.resolve(void secrets.delete(archive)),
  }
  const open = () =>
    openSession({
      ...{
        store,
        vault,
        connect: (url, authorization) => reach(url, authorization, () => 'en'),
        now: () => new Date((clock.at += 1)),
      },
      startLocalArchive: () => Promise.reject(new Error('none here')),
      ...{ asOf: () => null, unreadable: () => [], shrunk: () => [], changed: () => undefined },
    })
  const session = open()
  return {
    session,
    store,
    open,
    clock,
    secrets,
    signIn: async (it: RunningArchive) =>
      (await session.signIn(it.url, it.username, it.password)).account?.archive ?? '',
  }
}

test('each archive has an id, a colour and a secret of its own; turning to one is answered at once', async () => {
  const desk = openDesk()
  const ids = [await desk.signIn(number(0)), await desk.signIn(number(1)), await desk.signIn(number(2))]
  expect(new Set(ids).size).toBe(3)
  expect([...desk.secrets.keys()].sort()).toEqual([...ids].sort())
  const { account, others } = desk.session.status()
  expect(new Set([account, ...others].map((it) => it?.colour)).size).toBe(3)

  const { status, connected } = desk.session.switchTo(ids[0] ?? '')
  expect([status.account?.archive, status.connection.state]).toEqual([ids[0], 'connecting'])
  await connected
  expect(desk.session.status().connection.state).toBe('online')
  expect(desk.session.reached()?.access.url).toBe(number(0).url)
  expect(await desk.session.archive().get('me/')).toMatchObject({ username: number(0).username })
  expect(() => desk.session.switchTo('unknown')).toThrow(Failed)
})

test('lists are about to be read from the moment that there is a connection, until the reading ended', async () => {
  const desk = openDesk()
  const [first, second] = [await desk.signIn(number(0)), await desk.signIn(number(1))]
  expect(desk.session.status().connection.refreshing).toBe(true)
  desk.session.refreshing(second, false)
  expect(desk.session.status().connection.refreshing).toBe(false)
  await desk.session.switchTo(first).connected
  expect(desk.session.status().connection.refreshing).toBe(true)
})

test('turned to another archive in the middle of it, the desk ends up with the last one; what comes late from the first says nothing', async () => {
  const desk = openDesk()
  const ids = [await desk.signIn(number(0)), await desk.signIn(number(1))]
  const turns = [
    desk.session.switchTo(ids[0] ?? ''),
    desk.session.switchTo(ids[1] ?? ''),
    desk.session.switchTo(ids[0] ?? ''),
  ]
  await Promise.all(turns.map(({ connected }) => connected))
  expect([desk.session.account().archive, desk.session.reached()?.access.url]).toEqual([
    ids[0],
    number(0).url,
  ])
  desk.session.met({ kind: 'signed-out' }, ids[1])
  expect(desk.session.status().connection).toMatchObject({ state: 'online', failure: null })
  desk.session.met({ kind: 'signed-out' }, ids[0])
  expect(desk.session.status().connection).toMatchObject({
    state: 'signed-out',
    failure: { kind: 'signed-out' },
  })
})

test('signed out of one, the others stay; after a start the last one is gone on with', async () => {
  const desk = openDesk()
  const ids = [await desk.signIn(number(0)), await desk.signIn(number(1)), await desk.signIn(number(2))]
  const { account, others } = await desk.session.signOut()
  expect([account, others.map(({ archive }) => archive).sort()]).toEqual([null, ids.slice(0, 2).sort()])
  expect(desk.secrets.has(ids[2] ?? '')).toBe(false)
  await desk.session.switchTo(ids[0] ?? '').connected
  const again = desk.open()
  await again.resume()
  expect(again.account().archive).toBe(ids[0])
})

/** What somebody signs in to in front of an archive: the same, but its answers to a sign-in say nothing of an end. */
const withoutExpiry = async (archive: RunningArchive) => {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { host: _host, connection: _connection, ...headers } = request.headers as Record<string, string>
      const body = parts.length === 0 ? null : Buffer.concat(parts)
      void fetch(`${archive.url}${request.url}`, { method: request.method ?? 'GET', headers, body }).then(
        async (answer) => {
          const text = (await answer.text()).replace(/,"expiry":"[^"]*"/, '')
          response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
        },
      )
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    archive: { ...archive, url: `http://127.0.0.1:${port}` },
    [Symbol.dispose]: () => void server.close(),
  }
}
const hourMs = 3_600_000

test('where an archive does not say when a token ends, it is taken to end after ten hours, as a renewed one is', async () => {
  const desk = openDesk()
  using silent = await withoutExpiry(number(0))
  await desk.signIn(silent.archive)
  const hours = () =>
    Math.round(
      (Date.parse(desk.session.account().endsAt ?? '') - Date.parse('2026-03-01T08:00:00Z')) / hourMs,
    )
  expect(hours()).toBe(10)
  desk.clock.at += 9 * hourMs
  await desk.session.signInAgain(number(0).password)
  expect(hours()).toBe(19)
})

test('a token ends when the archive says it does', async () => {
  const desk = openDesk()
  const before = Date.now()
  await desk.signIn(number(0))
  const endsAt = Date.parse(desk.session.account().endsAt ?? '')
  expect(endsAt).toBeGreaterThanOrEqual(before + 10 * hourMs)
  expect(endsAt).toBeLessThanOrEqual(Date.now() + 10 * hourMs)
})

test('what an earlier version signed in to without encryption is not spoken to before somebody says yes', async () => {
  const desk = openDesk()
  const old = await desk.signIn(number(0))
  const kept = desk.store.archives().find(({ id }) => id === old) ?? expect.fail('not kept')
  for (const id of ['plain', 'other'])
    desk.store.keepArchive({ ...kept, id, url: 'http://archive.example.org' }, '2027-01-01T00:00:00Z')
  for (const id of ['plain', 'other']) desk.secrets.set(id, 'token')
  const again = desk.open()
  await again.switchTo('plain').connected
  expect(again.status().connection).toMatchObject({
    state: 'signed-out',
    failure: { kind: 'unencrypted', address: 'http://archive.example.org' },
  })
  expect(again.reached()).toBeUndefined()
  expect((await again.others()).map(({ archive }) => archive)).toEqual([old])
})

test.each([
  [null, 0, 'online'],
  [null, 4_000, 'slow'],
  [{ kind: 'offline', address: '', detail: 'ENOTFOUND' }, 0, 'offline'],
  [{ kind: 'offline', address: '', detail: 'ENETUNREACH' }, 0, 'offline'],
  [{ kind: 'offline', address: '', detail: 'ECONNREFUSED' }, 0, 'refused'],
  [{ kind: 'offline', address: '', detail: 'CERT_HAS_EXPIRED' }, 0, 'refused'],
  [{ kind: 'server-broke', address: '', status: 500, detail: 'error', excerpt: '' }, 0, 'refused'],
  [{ kind: 'server-broke', address: '', status: 200, detail: 'too-slow', excerpt: '' }, 0, 'slow'],
  [{ kind: 'bug', reference: '1' }, 0, 'refused'],
  [{ kind: 'signed-out' }, 0, 'signed-out'],
] as const)('after %j in %i ms the connection is %s', async (failure, tookMs, state) => {
  const desk = openDesk()
  await desk.signIn(number(0))
  desk.session.met(failure, desk.session.account().archive, tookMs)
  expect(desk.session.status().connection).toMatchObject({ state, failure })
})

test('what is under way with an archive is finished, though somebody signs in again or turns to another one', async () => {
  const desk = openDesk()
  const proxy = await startFaultyServer(number(0).url)
  const other = await desk.signIn(number(1))
  await desk.session.signIn(proxy.url, number(0).username, number(0).password)
  proxy.misbehave('stalls', /information-packages/)
  const fetch = () => desk.session.archive().list('information-packages/')
  const first = fetch()
  await desk.session.signInAgain(number(0).password)
  const second = fetch()
  await desk.session.switchTo(other).connected
  expect(await first).toEqual([])
  expect(await second).toEqual([])
  await proxy.stop()
})
