import { openArchiveClient } from '../../../archives/archive-client.ts'
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fixedRouting } from '../../../../electron/archive-client/routes.ts'
import type { ArchiveClient } from '../../../../electron/dialects/dialect.ts'
import { linkIn, linkTo, readLink } from '../../../../electron/shell/links.ts'
import type { Notice } from '../../../../electron/sync/notices.ts'
import { openPolling, waits, type PollingState } from '../../../../electron/sync/polling.ts'
import { openPushing } from '../../../../electron/sync/pushing.ts'
import { openRefresh } from '../../../../electron/sync/refresh.ts'
import { pollNotifications, markSeen } from '../../../../electron/dialects/specification/activity.ts'
import { startArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { startFaultyServer } from '../../../faults/faulty-server.ts'
import { openWindowless } from '../../../desks/windowless.ts'
import { refreshedSubjects, type Subject } from '../../../../electron/contract/subjects.ts'

type ThreadOfRefresh = Parameters<typeof openRefresh>[0]['thread']

/** What keeps a copy of an archive fresh, with a thread that reads nothing. */
const refreshOf = (
  client: ArchiveClient,
  { read, readIncrement }: Pick<ThreadOfRefresh, 'read'> & Partial<ThreadOfRefresh>,
  held: { asOf: string | null; wholeTookMs: number } = { asOf: null, wholeTookMs: 0 },
  ended: (failure: unknown) => unknown = () => undefined,
) =>
  openRefresh({
    archive: 'a',
    thread: {
      read,
      readIncrement:
        readIncrement ?? (() => Promise.reject(new Error('nothing is read of what is new alone'))),
      readContents: () => Promise.reject(new Error('there are no contents')),
    },
    findClient: () => client,
    access: () => ({ url: client.url, authorization: 'Token t', cookie: '' }),
    routesTo: () => Promise.resolve([{ kind: 'direct' }]),
    language: () => 'en',
    ready: () => Promise.resolve(),
    hasViews: () => readIncrement !== undefined,
    held: () => held,
    now: () => new Date('2026-01-10T12:00:00Z'),
    lookedForChanges: () => undefined,
    began: () => undefined,
    ended: (failure) => void ended(failure),
    brought: () => undefined,
    noteExchange: () => undefined,
  })

const here: PollingState = {
  isHere: true,
  isOffline: false,
  isExpecting: false,
  wholeTookMs: 100,
  givesChanges: false,
  wholeAgeMs: null,
  isNight: false,
}

test('an archive is looked at gently: the dearer it is to read, the rarer; soon again after it was gone', () => {
  expect(waits(here)).toEqual({ lookMs: 3_000, pollMs: 3_000, changesMs: 60_000, wholeMs: 60_000 })
  expect(waits({ ...here, isHere: false })).toEqual({
    lookMs: 5_000,
    pollMs: 20_000,
    changesMs: 300_000,
    wholeMs: 300_000,
  })
  expect(waits({ ...here, isHere: false, isExpecting: true })).toEqual({
    lookMs: 5_000,
    pollMs: 5_000,
    changesMs: 60_000,
    wholeMs: 60_000,
  })
  expect(waits({ ...here, isHere: false, isOffline: true }).pollMs).toBeLessThan(10_000)
  expect(waits({ ...here, wholeTookMs: 60_000 }).wholeMs).toBe(3_000_000)
  expect(waits({ ...here, wholeTookMs: 10_000_000 }).wholeMs).toBe(3_600_000)
})

test('the polling asks for news and reads at their times, never two at once', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const asked: string[] = []
  let now = 0
  let finish: () => void = () => undefined
  const stop = openPolling({
    state: () => here,
    clock: () => now,
    lookMs: 50,
    poll: () => {
      asked.push('poll')
      return new Promise((done) => (finish = done))
    },
    changes: () => Promise.resolve(void asked.push('changes')),
    whole: () => Promise.resolve(void asked.push('whole')),
  })
  now = 3_500
  await vi.advanceTimersByTimeAsync(50)
  expect(asked).toEqual(['poll'])
  now = 70_000
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toEqual(['poll'])
  finish()
  await vi.advanceTimersByTimeAsync(50)
  expect(asked).toEqual(['poll', 'whole'])
  stop()
})

test.each([
  ['that gives no changes', false, ['poll']],
  ['that gives changes', true, ['changes', 'poll']],
])(
  'while something is expected an archive on this computer %s is asked for news',
  async (_which, givesChanges, expected) => {
    const asked: string[] = []
    let now = 0
    const ask = (what: string) => () => Promise.resolve(void asked.push(what))
    const stop = openPolling({
      state: () => ({ ...here, isExpecting: true, wholeTookMs: 10_000, givesChanges }),
      clock: () => now,
      lookMs: 50,
      poll: ask('poll'),
      changes: ask('changes'),
      whole: ask('whole'),
    })
    now = 3_500
    await until(() => (asked.length >= expected.length ? true : undefined))
    stop()
    expect(asked).toEqual(expected)
  },
)

/** What a polling asks for at its first look after these hours. */
const askedAfter = async (hours: number, state: PollingState) => {
  const asked: string[] = []
  let now = 0
  const ask = (what: string) => () => Promise.resolve(void asked.push(what))
  const stop = openPolling({
    state: () => state,
    clock: () => now,
    lookMs: 50,
    poll: ask('poll'),
    changes: ask('changes'),
    whole: ask('whole'),
  })
  now = hours * 3_600_000
  await until(() => asked[0])
  stop()
  return asked[0]
}
const hours = (count: number) => count * 3_600_000

test.each([
  ['by day, what has changed', { wholeAgeMs: hours(30), isNight: false }, 'changes'],
  ['at night, everything', { wholeAgeMs: hours(21), isNight: true }, 'whole'],
  ['in one night once', { wholeAgeMs: hours(2), isNight: true }, 'changes'],
  ['by day, where it was off at night for days', { wholeAgeMs: hours(73), isNight: false }, 'whole'],
  ['where it never was read, everything', { wholeAgeMs: null, isNight: false }, 'whole'],
])('of an archive that is dear to read is read: %s', async (_name, standing, expected) => {
  const dear = { ...here, isHere: false, givesChanges: true, wholeTookMs: hours(2), ...standing }
  expect(await askedAfter(2, dear)).toBe(expected)
})

test('a whole reading that is dear and failed is not tried again at once', async () => {
  const dear = { ...here, isHere: false, givesChanges: true, wholeTookMs: hours(2), isNight: true }
  expect(await askedAfter(0.5, { ...dear, wholeAgeMs: hours(30) })).toBe('changes')
})

test.each([
  ['which takes long and was done today', '2026-01-10T03:00:00Z', hours(2), ['changes']],
  ['which takes long and was done a week ago', '2026-01-03T03:00:00Z', hours(2), ['whole']],
  ['which takes a moment', '2026-01-10T03:00:00Z', 3_000, ['whole']],
  ['that a clock which was ahead stamped', '2027-01-10T12:00:00Z', hours(2), ['whole']],
  ['which was never done', null, 0, ['whole']],
])('after a start a whole reading %s', async (_name, asOf, wholeTookMs, expected) => {
  const server = await startPushing()
  const asking = openArchiveClient(server.url, 'Token t')
  const read: string[] = []
  const refresh = refreshOf(
    asking,
    {
      read: (_archive, { subjects }) => {
        read.push('whole')
        return Promise.resolve({ failure: null, changed: [], complete: [...subjects] })
      },
      readIncrement: (_archive, what) => {
        read.push(what)
        return Promise.resolve({ failure: null, changed: [], nameless: 0 })
      },
    },
    { asOf, wholeTookMs },
  )
  await refresh.catchUp()
  expect(read).toEqual(expected)
  // Somebody who wants everything gets everything.
  await refresh.whole()
  expect(read).toEqual([...expected, 'whole'])
  await asking.close()
  server.stop()
})

test('after a start in which what has changed is refused, what is said is how reading everything went', async () => {
  const server = await startPushing()
  const asking = openArchiveClient(server.url, 'Token t')
  const said: unknown[] = []
  const refresh = refreshOf(
    asking,
    {
      read: (_archive, { subjects }) =>
        Promise.resolve({ failure: null, changed: [], complete: [...subjects] }),
      readIncrement: () =>
        Promise.resolve({ failure: { kind: 'refused', fields: {} }, changed: [], nameless: 0 }),
    },
    { asOf: '2026-01-10T03:00:00Z', wholeTookMs: hours(2) },
    (failure) => said.push(failure),
  )
  await refresh.catchUp()
  expect(said).toEqual([null])
  await asking.close()
  server.stop()
})

test('whoever catches up while everything is read waits for that, whatever was wrong with an earlier look', async () => {
  const server = await startPushing()
  const asking = openArchiveClient(server.url, 'Token t')
  const said: unknown[] = []
  const answers: (() => void)[] = []
  const unreached = { kind: 'offline', address: server.url, detail: 'ECONNREFUSED' } as const
  const refresh = refreshOf(
    asking,
    {
      read: async (_archive, { subjects }) => {
        await new Promise<void>((done) => answers.push(done))
        return { failure: null, changed: [], complete: [...subjects] }
      },
      readIncrement: () => Promise.resolve({ failure: unreached, changed: [], nameless: 0 }),
    },
    { asOf: '2026-01-10T03:00:00Z', wholeTookMs: hours(2) },
    (failure) => said.push(failure),
  )
  await refresh.catchUp()
  expect(said).toEqual([unreached])
  const whole = refresh.whole()
  const caughtUp = refresh.catchUp()
  const finish = await until(() => answers.shift())
  expect(said).toEqual([unreached])
  finish()
  await Promise.all([whole, caughtUp])
  expect(said).toEqual([unreached, null])
  await asking.close()
  server.stop()
})

test('parts of a list are read one after the other, and none while it is read whole', async () => {
  const server = await startPushing()
  const asking = openArchiveClient(server.url, 'Token t')
  const said: string[] = []
  const answers: (() => void)[] = []
  const reading = (what: string) => {
    said.push(`${what} begins`)
    return new Promise<void>((done) => answers.push(done)).then(() => void said.push(`${what} ends`))
  }
  const refresh = refreshOf(asking, {
    read: async (_archive, { subjects }) => {
      await reading('whole')
      return { failure: null, changed: [], complete: [...subjects] }
    },
    readIncrement: async (_archive, what) => {
      await reading(what)
      return { failure: null, changed: [], nameless: 0 }
    },
  })
  const answer = () => until(() => answers.shift()).then((done) => done())
  const first = refresh.whole()
  await answer()
  await first
  const changes = refresh.changes()
  await until(() => (said.includes('changes begins') ? true : undefined))
  const second = refresh.whole()
  await answer()
  await changes
  await answer()
  await second
  expect(said.slice(2)).toEqual(['changes begins', 'changes ends', 'whole begins', 'whole ends'])
  said.length = 0
  const [news, third] = [refresh.poll(), refresh.whole()]
  await until(() => (server.asked.length > 0 ? true : undefined))
  await answer()
  await third
  await answer()
  await news
  expect(said).toEqual(['whole begins', 'whole ends', 'news begins', 'news ends'])
  said.length = 0
  server.notifications.shift()
  const [more, others] = [refresh.poll(), refresh.changes()]
  await answer()
  await answer()
  await Promise.all([more, others])
  expect(said).toEqual(['changes begins', 'changes ends', 'news begins', 'news ends'])
  await asking.close()
  server.stop()
})

test('when nothing changed, a poll is one small request', async () => {
  using place = scratch()
  const archive = await startArchive(path.join(place.folder, 'archive'), '--sample')
  const asking = openArchiveClient(archive.url, archive.basic)
  const first = await pollNotifications(asking)
  expect(await pollNotifications(asking)).toBe(first)
  await asking.close()
  await archive.stop()
})

test('a poll of an archive without pages sees every change in its list', async () => {
  const filler = 'x'.repeat(1_000)
  const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, message: filler, seen: false }))
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(rows)),
  )
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const asking = openArchiveClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'Token t')
  const first = await pollNotifications(asking)
  expect(await pollNotifications(asking)).toBe(first)
  Object.assign(rows.at(-1) ?? {}, { seen: true })
  expect(await pollNotifications(asking)).not.toBe(first)
  await asking.close()
  server.close()
})

/**
 * An archive of which only what is asked here is there: notifications, signing in with a cookie, and a
 * channel to push on.
 */
const startPushing = async () => {
  const asked: string[] = []
  const notifications = [
    { id: 1, level: 'info', message: 'Old', time_created: '2026-01-01T00:00:00Z', seen: false },
  ]
  const sockets = new Set<Duplex>()
  const cookies: (string | undefined)[] = []
  const read = async (request: IncomingMessage) => {
    let text = ''
    for await (const part of request) text += String(part)
    return text
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    asked.push(`${request.method} ${url.pathname}${url.search}`)
    const one = /^\/api\/notifications\/(\d+)\/$/.exec(url.pathname)
    response.setHeader('content-type', 'application/json')
    if (url.pathname === '/api/auth/token_login/')
      response
        .setHeader('set-cookie', ['essarch=abc; Path=/; HttpOnly', 'csrftoken=x; Path=/'])
        .end('{"token": "t"}')
    else if (url.pathname === '/api/me/')
      response.end('{"id": 1, "username": "u", "first_name": "A", "last_name": "B"}')
    else if (one && request.method === 'OPTIONS')
      response.setHeader('allow', 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS').end('{}')
    else if (one && request.method === 'PATCH')
      void read(request).then((text) => {
        const found = notifications.find(({ id }) => id === Number(one[1]))
        Object.assign(found ?? {}, JSON.parse(text))
        response.end(JSON.stringify(found))
      })
    else if (url.pathname === '/api/notifications/') {
      const size = Number(url.searchParams.get('page_size') ?? 1_000)
      response.setHeader('count', notifications.length).end(JSON.stringify(notifications.slice(0, size)))
    } else response.end('[]')
  })
  server.on('upgrade', (request, socket) => {
    cookies.push(request.headers.cookie)
    // RFC 6455 4.2.2.
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: ' +
        `Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    asked,
    notifications,
    sockets,
    cookies,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    push: (text: string) => {
      const bytes = Buffer.from(text)
      for (const socket of sockets) socket.write(Buffer.concat([Buffer.from([0x81, bytes.length]), bytes]))
    },
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

test('a channel is listened to with the cookie of the sign-in, and opened again after it broke', async () => {
  const server = await startPushing()
  let heard = 0
  let cookie = ''
  const pushing = openPushing({
    access: () => ({ url: server.url, path: 'ws/', cookie }),
    routing: fixedRouting(),
    heard: () => (heard += 1),
  })
  pushing.follow()
  expect(server.cookies).toEqual([])
  cookie = 'essarch=abc'
  pushing.follow()
  await until(() => (server.sockets.size > 0 ? true : undefined))
  pushing.follow()
  server.push('{"type":"notify","id":12}')
  await until(() => (heard > 0 ? true : undefined))
  expect([heard, server.cookies]).toEqual([1, ['essarch=abc']])
  for (const socket of server.sockets) socket.destroy()
  await until(() => (server.cookies.length > 1 ? true : undefined), 15_000)
  pushing.close()
  server.stop()
})

test('where there is no channel, looking at the archive does not make the next attempt come sooner', async () => {
  const cookies: (string | undefined)[] = []
  const server = createServer((_request, response) => response.end('[]'))
  server.on('upgrade', (request, socket) => {
    cookies.push(request.headers.cookie)
    socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const asking = openArchiveClient(url, 'Token t')
  let cookie = 'first'
  const pushing = openPushing({
    access: () => ({ url, path: 'ws/', cookie }),
    routing: fixedRouting(),
    heard: () => undefined,
  })
  pushing.follow()
  await until(() => (cookies.length > 0 ? true : undefined))
  for (let look = 0; look < 10; look += 1) {
    await pollNotifications(asking)
    pushing.follow()
  }
  expect(cookies).toEqual(['first'])
  // A new sign-in is another matter.
  cookie = 'second'
  pushing.follow()
  await until(() => (cookies.length > 1 ? true : undefined))
  for (let look = 0; look < 10; look += 1) {
    await pollNotifications(asking)
    pushing.follow()
  }
  expect(cookies).toEqual(['first', 'second'])
  pushing.close()
  await asking.close()
  server.close()
})

test('signed in to such an archive, a push is a notice at once, and what is opened is marked as seen there', async () => {
  using place = scratch()
  const server = await startPushing()
  const shown: Notice[] = []
  const desk = openWindowless(path.join(place.folder, 'desk'), {
    notice: (notice) => Promise.resolve(shown.push(notice) > 0),
  })
  await desk.goOn()
  await desk.features.session.signIn({ url: server.url, username: 'u', password: 'p' })
  await desk.features.connection.refresh(undefined)
  await until(() => (server.sockets.size > 0 ? true : undefined))
  server.notifications.unshift({
    id: 2,
    level: 'error',
    message: 'It failed',
    time_created: '2026-01-02T00:00:00Z',
    seen: false,
  })
  server.push('{"type":"notify","id":2}')
  await until(() => (shown.length > 0 ? true : undefined), 3_000)
  expect(shown).toMatchObject([{ body: 'It failed' }])
  expect((await desk.features.alerts.list(undefined)).unread).toBe(1)
  await desk.features.alerts.see({ keys: ['n2'] })
  await until(() => (server.notifications[0]?.seen === true ? true : undefined), 5_000)
  expect(server.notifications[1]?.seen).toBe(false)
  expect((await desk.features.alerts.list(undefined)).unread).toBe(0)
  await desk.stop()
  server.stop()
})

test('what an archive told before its list could be read is not told as new afterwards', async () => {
  using place = scratch()
  const server = await startPushing()
  const proxy = await startFaultyServer(server.url)
  const shown: Notice[] = []
  const desk = openWindowless(path.join(place.folder, 'desk'), {
    notice: (notice) => Promise.resolve(shown.push(notice) > 0),
  })
  proxy.misbehave('html 500', /notifications/)
  const { session, connection, alerts } = desk.features
  await session.signIn({ url: proxy.url, username: 'u', password: 'p' })
  await connection.refresh(undefined)
  proxy.misbehave('none')
  await connection.refresh(undefined)
  server.notifications.unshift({
    id: 2,
    level: 'error',
    message: 'It failed',
    time_created: '2026-01-02T00:00:00Z',
    seen: false,
  })
  await connection.refresh(undefined)
  await until(() => (shown.some(({ body }) => body === 'It failed') ? true : undefined))
  expect([shown.length, (await alerts.list(undefined)).unread]).toEqual([1, 1])
  await desk.stop()
  await proxy.stop()
  server.stop()
})

test('marking as seen is one small request', async () => {
  const server = await startPushing()
  const asking = openArchiveClient(server.url, 'Token t')
  await markSeen(asking, 1)
  expect(server.notifications[0]?.seen).toBe(true)
  expect(server.asked).toEqual(['PATCH /api/notifications/1/'])
  await asking.close()
  server.stop()
})

test('while nothing changes, each look is one request; a change is read, and what was lost meanwhile too', async () => {
  const server = await startPushing()
  const asking = openArchiveClient(server.url, 'Token t')
  const read: Subject[][] = []
  const { poll, whole } = refreshOf(asking, {
    read: (_archive, { subjects }) =>
      Promise.resolve({
        failure: null,
        changed: read.push([...subjects]) > 0 && subjects.length === 1 ? [...subjects] : [],
        complete: [...subjects],
      }),
  })
  await whole()
  await poll()
  read.length = server.asked.length = 0
  for (let look = 0; look < 5; look += 1) await poll()
  expect([server.asked, read]).toEqual([
    Array.from({ length: 5 }, () => 'GET /api/notifications/?page_size=1'),
    [],
  ])
  server.notifications.unshift({
    id: 2,
    level: 'info',
    message: 'New',
    time_created: '2026-01-02T00:00:00Z',
    seen: false,
  })
  await poll()
  expect(read.map((subjects) => subjects.length)).toEqual([1, refreshedSubjects.length])
  await asking.close()
  server.stop()
})

test('after a whole reading news alone are read; a burst that names nothing is followed by one reading', async () => {
  const server = await startPushing()
  const asking = openArchiveClient(server.url, 'Token t')
  const read: string[] = []
  const { poll, whole } = refreshOf(asking, {
    read: (_archive, { subjects }) => {
      read.push(`${subjects.length} lists`)
      return Promise.resolve({ failure: null, changed: [], complete: [...subjects] })
    },
    readIncrement: (_archive, what) => {
      read.push(what)
      return Promise.resolve({ failure: null, changed: ['notifications'], nameless: what === 'news' ? 1 : 0 })
    },
  })
  await whole()
  await poll()
  read.length = 0
  for (let id = 2; id < 12; id += 1) {
    server.notifications.unshift({
      id,
      level: 'error',
      message: '"Write to search index" failed',
      time_created: '2026-01-02T00:00:00Z',
      seen: false,
    })
    await poll()
  }
  await until(() => (read.includes('changes') ? true : undefined))
  expect(read).toEqual([...Array.from({ length: 10 }, () => 'news'), 'changes'])
  // Those that come while news are read are read after them, all of them at once.
  read.length = server.asked.length = 0
  server.notifications.shift()
  await Promise.all(Array.from({ length: 10 }, () => poll()))
  expect([read, server.asked.length]).toEqual([['news'], 2])
  await asking.close()
  server.stop()
})

test('a list that is broken is not read again with every look', async () => {
  const server = await startPushing()
  const asking = openArchiveClient(server.url, 'Token t')
  let read = 0
  const { poll, whole } = refreshOf(asking, {
    read: () =>
      Promise.resolve({
        changed: [],
        complete: [],
        failure:
          (read += 1) < 0
            ? null
            : { kind: 'server-broke', address: '', status: 200, detail: 'html', excerpt: '' },
      }),
  })
  await whole()
  await poll()
  const once = read
  for (let look = 0; look < 5; look += 1) await poll()
  expect(read - once).toBe(0)
  await asking.close()
  server.stop()
})

test('links of ours are read, and nothing else', () => {
  const id = '531592f7-9e9c-4ed2-8ca6-b3d85132c4bc'
  expect(readLink(`lectern://archive.example.org:8080/package/${id}`)).toEqual({
    archive: 'archive.example.org:8080',
    place: `packages/${id}`,
  })
  expect(readLink(`lectern://practice/medium/${id}/`)).toEqual({
    archive: 'practice',
    place: `storage/${id}`,
  })
  for (const bad of [
    '',
    'https://practice/package/1',
    'lectern:///package/1',
    'lectern://practice',
    'lectern://practice/package',
    'lectern://practice/settings/1',
    'lectern://practice/package/1/2',
    'lectern://practice/package/<b>',
    'lectern://practice/toString/1',
    `lectern://practice/package/${'1'.repeat(2000)}`,
  ])
    expect([bad, readLink(bad)]).toEqual([bad, undefined])
  expect(linkIn(['electron', '.', '--hidden', 'lectern://practice/package/1'])).toBe(
    'lectern://practice/package/1',
  )
  expect(linkTo({ archive: 'practice', place: `packages/${id}` })).toBe(`lectern://practice/package/${id}`)
  expect([linkTo({ archive: '', place: 'packages/1' }), linkTo({ archive: 'a', place: 'desk' })]).toEqual([
    '',
    '',
  ])
})

test('a list that something was written to is read anew, though it is being read already', async () => {
  const server = await startPushing()
  const asking = openArchiveClient(server.url, 'Token t')
  const finish: (() => void)[] = []
  const { list, listAnew } = refreshOf(asking, {
    read: () => new Promise((done) => finish.push(() => done({ failure: null, changed: [], complete: [] }))),
  })
  void list('orders')
  void list('orders')
  let isRead = false
  const anew = listAnew('orders').then(() => (isRead = true))
  await until(() => (finish.length === 1 ? true : undefined))
  finish[0]?.()
  await until(() => (finish.length === 2 ? true : undefined))
  expect(isRead).toBe(false)
  finish[1]?.()
  await anew
  await asking.close()
  server.stop()
})
