import { dialects } from '../../../../electron/dialects/dialects.ts'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClient } from '../../../archives/archive-client.ts'
import { type Connect } from '../../../../electron/archive-client/http.ts'
import type { StartLocalArchive } from '../../../../electron/archives/archive.ts'
import { openArchives } from '../../../../electron/archives/archives.ts'
import { Failed, failureOf } from '../../../../electron/contract/failure.ts'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { startFaultyServer } from '../../../faults/faulty-server.ts'

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
const openDesk = (
  startLocalArchive: StartLocalArchive = () => Promise.reject(new Error('none here')),
  connect: Connect = (url, authorization) => openClient(url, authorization, () => 'en'),
) => {
  const store = openDeskStore(path.join(place.folder, `desk-${(desks += 1)}.sqlite`))
  const clock = { at: Date.parse('2026-03-01T08:00:00Z') }
  const secrets = new Map<string, string>()
  const disk = { isFull: false }
  const entered: string[] = []
  const left: string[] = []
  const vault = {
    keep: (archive: string, secret: string) =>
      Promise.resolve((secrets.set(archive, secret), 'this session' as const)),
    read: (archive: string) =>
      Promise.resolve(
        secrets.has(archive)
          ? { secret: secrets.get(archive) ?? '', keptIn: 'this session' as const }
          : undefined,
      ),
    forget: (archive: string) =>
      disk.isFull
        ? Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
        : Promise.resolve(void secrets.delete(archive)),
  }
  const open = () =>
    openArchives({
      dialects,
      store,
      vault,
      connect,
      lookingUp: () => () => Promise.reject(new Error('nobody looks anything up')),
      now: () => new Date((clock.at += 1)),
      startLocalArchive,
      prepare: () =>
        disk.isFull
          ? Promise.reject(new Failed({ kind: 'disk', trouble: 'full', path: '' }))
          : Promise.resolve(),
      held: () => ({ asOf: null, unreadable: [], shrunk: [], incomplete: [] }),
      failureOf: (error) => failureOf(error, String),
      entered: ({ id }) => void entered.push(id),
      left: (id) => void left.push(id),
      changed: () => undefined,
    })
  const archives = open()
  return {
    archives,
    store,
    open,
    clock,
    secrets,
    disk,
    entered,
    left,
    signIn: async ({ url, username, password }: RunningArchive) =>
      (await archives.signIn(url, { username, password })).id,
  }
}

test('each archive has an id, a colour, a secret and a connection of its own, whichever is shown', async () => {
  const desk = openDesk()
  const ids = [await desk.signIn(number(0)), await desk.signIn(number(1)), await desk.signIn(number(2))]
  expect(new Set(ids).size).toBe(3)
  expect([...desk.secrets.keys()].sort()).toEqual([...ids].sort())
  expect(new Set(desk.archives.all().map((archive) => archive.account().colour)).size).toBe(3)
  for (const [index, id] of ids.entries()) {
    const archive = desk.archives.of(id)
    expect([archive.connection().state, archive.access()?.url]).toEqual(['online', number(index).url])
    expect(await archive.client().get('me/')).toMatchObject({ username: number(index).username })
  }
  // Also within one and the same moment, and with a clock that was put back.
  for (const index of [1, 2, 0]) {
    desk.clock.at -= 1
    desk.archives.show(ids[index] ?? '')
  }
  await desk.archives.signInAgain(ids[1] ?? '', number(1).password)
  expect(desk.archives.status().archives.map(({ account }) => account.archive)).toEqual([
    ids[0],
    ids[2],
    ids[1],
  ])
  expect(() => desk.archives.show('unknown')).toThrow(Failed)
})

test('an archive keeps its colour when one signs in again, by its password or as if it were new', async () => {
  const desk = openDesk()
  const [first] = [await desk.signIn(number(0)), await desk.signIn(number(1)), await desk.signIn(number(2))]
  const colours = () =>
    Object.fromEntries(
      desk.archives
        .all()
        .map((archive) => archive.account())
        .map(({ archive, colour }) => [archive, colour]),
    )
  const before = colours()
  expect(Object.keys(before)).toHaveLength(3)
  await desk.archives.signInAgain(first, number(0).password)
  expect(colours()).toEqual(before)
  expect(await desk.signIn(number(0))).toBe(first)
  expect(colours()).toEqual(before)
  await desk.archives.signOut(first)
  expect(await desk.signIn(number(0))).toBe(first)
  expect(colours()).toEqual(before)
})

test('lists are about to be read from the moment that there is a connection, until the reading ended', async () => {
  const desk = openDesk()
  const archive = desk.archives.of(await desk.signIn(number(0)))
  expect(archive.connection().refreshing).toBe(true)
  archive.setRefreshing(false)
  expect(archive.connection().refreshing).toBe(false)
})

test('what the last exchange with one archive showed says nothing of another', async () => {
  const desk = openDesk()
  const [first, second] = [await desk.signIn(number(0)), await desk.signIn(number(1))]
  desk.archives.of(first).noteExchange({ kind: 'signed-out' })
  expect(desk.archives.of(first).connection()).toMatchObject({
    state: 'signed-out',
    failure: { kind: 'signed-out' },
  })
  expect(desk.archives.of(second).connection()).toMatchObject({ state: 'online', failure: null })
})

test('signed out of one, the others stay; after a start all are gone on with, the one shown last first', async () => {
  const desk = openDesk()
  const ids = [await desk.signIn(number(0)), await desk.signIn(number(1)), await desk.signIn(number(2))]
  await desk.archives.signOut(ids[2] ?? '')
  expect(
    desk.archives
      .all()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(ids.slice(0, 2).sort())
  expect(desk.secrets.has(ids[2] ?? '')).toBe(false)
  expect(() => desk.archives.of(ids[2] ?? '')).toThrow(Failed)
  desk.archives.show(ids[0] ?? '')
  const again = desk.open()
  expect(again.last()?.id).toBe(ids[0])
  await Promise.all(again.all().map((archive) => archive.connect()))
  expect(again.all().map((archive) => archive.connection().state)).toEqual(['online', 'online'])
})

test('whoever cannot be signed in, since the disk is full, is not; once there is room they are', async () => {
  const desk = openDesk()
  const id = await desk.signIn(number(0))
  await desk.archives.signOut(id)
  desk.disk.isFull = true
  await expect(desk.signIn(number(0))).rejects.toMatchObject({ failure: { kind: 'disk', trouble: 'full' } })
  expect(desk.archives.status().archives).toEqual([])
  expect([desk.entered, desk.left]).toEqual([
    [id, id],
    [id, id],
  ])
  desk.disk.isFull = false
  expect(await desk.signIn(number(0))).toBe(id)
  // A sign-in that is renewed and fails signs nobody out.
  desk.disk.isFull = true
  await expect(desk.signIn(number(0))).rejects.toThrow(Failed)
  expect(desk.archives.status().archives.map(({ account }) => account.archive)).toEqual([id])
})

test('whoever signs out where the secret cannot be let go of is told so, and is signed out all the same', async () => {
  const desk = openDesk()
  const id = await desk.signIn(number(0))
  const archive = desk.archives.of(id)
  desk.disk.isFull = true
  await expect(desk.archives.signOut(id)).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(archive.findClient()).toBeUndefined()
  expect(desk.left).toEqual([id])
  // The next start does not go on with what is still kept.
  expect(desk.open().all()).toEqual([])
})

/**
 * What somebody signs in to in front of an archive: the same, but its answers to a sign-in say nothing of an
 * end.
 */
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
      (Date.parse(desk.archives.last()?.account().endsAt ?? '') - Date.parse('2026-03-01T08:00:00Z')) /
        hourMs,
    )
  expect(hours()).toBe(10)
  desk.clock.at += 9 * hourMs
  await desk.archives.signInAgain(desk.archives.last()?.id ?? '', number(0).password)
  expect(hours()).toBe(19)
})

test('a token ends when the archive says it does', async () => {
  const desk = openDesk()
  const before = Date.now()
  await desk.signIn(number(0))
  const endsAt = Date.parse(desk.archives.last()?.account().endsAt ?? '')
  expect(endsAt).toBeGreaterThanOrEqual(before + 10 * hourMs)
  expect(endsAt).toBeLessThanOrEqual(Date.now() + 10 * hourMs)
})

test('what an earlier version signed in to without encryption is not spoken to before somebody says yes', async () => {
  const desk = openDesk()
  const old = await desk.signIn(number(0))
  const kept = desk.store.archives().find(({ id }) => id === old) ?? expect.fail('not kept')
  for (const id of ['plain', 'other'])
    desk.store.keepArchive({ ...kept, id, url: 'http://archive.example.org' })
  for (const id of ['plain', 'other']) desk.secrets.set(id, 'token')
  const again = desk.open()
  await Promise.all(again.all().map((archive) => archive.connect()))
  for (const id of ['plain', 'other']) {
    expect(again.of(id).connection()).toMatchObject({
      state: 'signed-out',
      failure: { kind: 'unencrypted', address: 'http://archive.example.org' },
    })
    expect(again.of(id).access()).toBeUndefined()
  }
  expect(again.of(old).connection().state).toBe('online')
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
  [{ kind: 'disk', trouble: 'full', path: '/' }, 0, 'online'],
  [{ kind: 'signed-out' }, 0, 'signed-out'],
] as const)('after %j in %i ms the connection is %s', async (failure, tookMs, state) => {
  const desk = openDesk()
  const archive = desk.archives.of(await desk.signIn(number(0)))
  archive.noteExchange(failure, tookMs)
  expect(archive.connection()).toMatchObject({ state, failure })
})

test('what is under way with an archive goes on, though somebody signs in again or looks at another one', async () => {
  const desk = openDesk()
  const proxy = await startFaultyServer(number(0).url)
  const other = await desk.signIn(number(1))
  const { username, password } = number(0)
  const { id, client } = await desk.archives.signIn(proxy.url, { username, password })
  proxy.misbehave('stalls', /information-packages/)
  const there = client()
  const first = there.list('information-packages/')
  await desk.archives.signInAgain(id, password)
  desk.archives.show(other)
  expect(await first).toEqual([])
  // The same client goes on with what proves it now.
  expect(client()).toBe(there)
  expect(await there.get('me/')).toMatchObject({ username })
  await proxy.stop()
})

test('whoever signs out while the archive of this computer starts stays signed out', async () => {
  const { url, username, password } = number(0)
  const local = { url, username, password }
  let release: (() => void) | undefined
  let isSlow = false
  const desk = openDesk(() =>
    isSlow ? new Promise((ready) => (release = () => ready(local))) : Promise.resolve(local),
  )
  const archive = await desk.archives.signInHere(false)
  isSlow = true
  const connecting = archive.connect()
  await desk.archives.signOut(archive.id)
  release?.()
  await connecting
  expect([desk.archives.all(), [...desk.secrets.keys()]]).toEqual([[], []])
  expect(desk.store.archives().map(({ isSignedIn }) => isSignedIn)).toEqual([false])
})

test('whoever signs out while a sign-in is renewed stays signed out', async () => {
  const proxy = await startFaultyServer(number(0).url)
  const desk = openDesk()
  const { username, password } = number(0)
  const { id } = await desk.archives.signIn(proxy.url, { username, password })
  proxy.misbehave('is slow')
  const again = desk.archives.signInAgain(id, password)
  const refused = expect(again).rejects.toMatchObject({ failure: { kind: 'signed-out' } })
  await until(() => (proxy.met()['is slow'] ? true : undefined))
  await desk.archives.signOut(id)
  await refused
  expect([desk.archives.all(), [...desk.secrets.keys()]]).toEqual([[], []])
  expect(desk.store.archives().map(({ isSignedIn }) => isSignedIn)).toEqual([false])
  await proxy.stop()
})

test.each([
  // What django-axes answers, which sites put before ESSArch: 403 in its versions before 6, 429 since.
  [
    'an account that is locked',
    { token: [403, 'text/html', 'Account locked: too many login attempts.'], basic: 401 },
    { kind: 'shut-out', detail: 'Account locked: too many login attempts.' },
  ],
  [
    'an account that is locked for every request',
    { token: [403, 'application/json', '{"detail": "Locked."}'], basic: 403 },
    { kind: 'shut-out', detail: 'Locked.' },
  ],
  [
    'too many attempts',
    { token: [429, 'text/html', 'Account locked'], basic: 401 },
    { kind: 'shut-out', detail: 'Account locked' },
  ],
  // Where sites have it answer 400, as Django REST framework does to a wrong password.
  [
    'an account that is locked, in words of its own',
    { token: [400, 'application/json', '{"detail": "Account locked."}'], basic: 401 },
    { kind: 'shut-out', detail: 'Account locked.' },
  ],
  [
    'an account that is locked for a while',
    {
      token: [
        400,
        'application/json',
        '{"failure_limit": 3, "username": "archivist", "cooloff_time": "PT1H"}',
      ],
      basic: 401,
    },
    { kind: 'shut-out', detail: 'username: archivist, cooloff_time: PT1H' },
  ],
  [
    'a password that is wrong where there are no tokens',
    { token: [404, 'application/json', '{"detail": "Not found."}'], basic: 401 },
    { kind: 'wrong-password' },
  ],
  [
    'a password that is wrong',
    { token: [400, 'application/json', '{"non_field_errors": ["Unable to log in."]}'], basic: 401 },
    { kind: 'wrong-password' },
  ],
] as const)('%s is told as what it is', async (_what, { token, basic }, failure) => {
  const server = createServer((request, response) => {
    const isToken = request.url?.includes('token_login') === true
    const [status, type, said] = isToken ? token : [basic, 'application/json', '{"detail": "No."}']
    response.writeHead(status, { 'content-type': type }).end(said)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(
    openDesk().archives.signIn(url, { username: 'archivist', password: 'x' }),
  ).rejects.toMatchObject({ failure })
  await new Promise((resolve) => server.close(resolve))
})

test.each([
  [['Negotiate', 'NTLM'], 200, { kind: 'shut-out', detail: 'Negotiate, NTLM', isOtherWay: true }],
  [['Bearer realm="api"'], 404, { kind: 'shut-out', detail: 'Bearer realm="api"', isOtherWay: true }],
  [['Negotiate', 'Basic realm="api"'], 404, { kind: 'wrong-password' }],
  [['Token'], 404, { kind: 'wrong-password' }],
] as const)('a refusal that asks for %o is told as what it is', async (ways, token, failure) => {
  const server = createServer((request, response) => {
    const isUnknown = token === 404 && request.url?.includes('token_login') === true
    response
      .writeHead(isUnknown ? 404 : 401, {
        'content-type': isUnknown ? 'application/json' : 'text/html',
        'www-authenticate': [...ways],
      })
      .end(isUnknown ? '{"detail": "Not found."}' : '<h1>401</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const signingIn = openDesk().archives.signIn(url, { username: 'archivist', password: 'x' })
  await expect(signingIn).rejects.toMatchObject({ failure })
  await new Promise((resolve) => server.close(resolve))
})

test('whom an archive gives no name has the one that was typed', async () => {
  const server = createServer((request, response) => {
    const body = request.url?.includes('token_login') ? { token: 'secret' } : { id: 1, username: null }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const archive = await openDesk().archives.signIn(url, { username: 'archivist', password: 'x' })
  expect(archive.account()).toMatchObject({ username: 'archivist', fullName: 'archivist' })
  await new Promise((resolve) => server.close(resolve))
})

test('whoever signs out has no token and no session at the archive any more', async () => {
  const asked: (string | undefined)[][] = []
  const server = createServer((request, response) => {
    const { url: address, headers } = request
    asked.push([address, headers.authorization, headers.cookie])
    const body = address?.includes('token_login')
      ? { token: 'secret' }
      : { id: 1, username: 'archivist', first_name: '', last_name: '' }
    // No answer to the end of the session keeps the token alive.
    const status = address?.endsWith('/auth/logout/') ? 500 : 200
    response
      .writeHead(status, { 'content-type': 'application/json', 'set-cookie': 'essarch=42; Path=/' })
      .end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { archives } = openDesk()
  const { id } = await archives.signIn(url, { username: 'archivist', password: 'x' })
  asked.length = 0
  await archives.signOut(id)
  await until(() => Promise.resolve(asked.length === 2 ? true : undefined))
  expect(asked).toEqual([
    ['/api/auth/logout/', 'Token secret', 'essarch=42'],
    ['/api/auth/token_logout/', 'Token secret', undefined],
  ])
  await new Promise((resolve) => server.close(resolve))
})

/** An archive of one account that gives another token to each sign-in, and says which it was asked to end. */
const startTokens = async () => {
  const ended: (string | undefined)[] = []
  const account = { status: 200, isGivenOne: false }
  let tokens = 0
  const server = createServer(({ url: address = '', headers }, response) => {
    if (address.endsWith('/auth/token_logout/')) ended.push(headers.authorization)
    const isSignIn = address.endsWith('/auth/token_login/')
    const body = isSignIn
      ? { token: account.isGivenOne ? 'the only one' : `secret ${(tokens += 1)}` }
      : { id: 1, username: 'archivist', first_name: '', last_name: '' }
    response
      .writeHead(address.endsWith('/me/') ? account.status : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ended,
    account,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => void server.close(),
  }
}

test('a renewed sign-in ends the token before it once nothing goes on with that, and no other', async () => {
  using tokens = await startTokens()
  const { archives, secrets } = openDesk()
  const archive = await archives.signIn(tokens.url, { username: 'archivist', password: 'x' })
  await archives.signInAgain(archive.id, 'x')
  await archives.signInAgain(archive.id, 'x')
  expect(tokens.ended).toEqual([])
  await archive.endFormer()
  await until(() => (tokens.ended.length === 2 ? true : undefined))
  expect(tokens.ended).toEqual(['Token secret 1', 'Token secret 2'])
  expect(secrets.get(archive.id)).toBe('secret 3')
  await archive.endFormer()
  await archives.signInAgain(archive.id, 'x')
  await archives.signOut(archive.id)
  await until(() => (tokens.ended.length === 4 ? true : undefined))
  expect(tokens.ended.slice(2).toSorted()).toEqual(['Token secret 3', 'Token secret 4'])
})

test('a renewed sign-in that gave the token that was there already ends none', async () => {
  using tokens = await startTokens()
  tokens.account.isGivenOne = true
  const { archives, disk } = openDesk()
  const archive = await archives.signIn(tokens.url, { username: 'archivist', password: 'x' })
  await archives.signInAgain(archive.id, 'x')
  await archive.endFormer()
  disk.isFull = true
  await expect(archives.signInAgain(archive.id, 'x')).rejects.toThrow(Failed)
  disk.isFull = false
  await archives.signOut(archive.id)
  // Whatever was to be ended is asked for by then, in its turn.
  await until(() => (tokens.ended.length > 0 ? true : undefined))
  expect(tokens.ended).toEqual(['Token the only one'])
})

test('a token that nobody keeps is ended: of an account that cannot be asked, on a full disk, of who signed out', async () => {
  using tokens = await startTokens()
  const desk = openDesk()
  const hasEnded = (token: string) =>
    until(() => (tokens.ended.includes(`Token ${token}`) ? true : undefined))
  tokens.account.status = 500
  await expect(desk.archives.signIn(tokens.url, { username: 'archivist', password: 'x' })).rejects.toThrow(
    Failed,
  )
  await hasEnded('secret 1')
  tokens.account.status = 200
  desk.disk.isFull = true
  await expect(desk.archives.signIn(tokens.url, { username: 'archivist', password: 'x' })).rejects.toThrow(
    Failed,
  )
  await hasEnded('secret 2')
  desk.disk.isFull = false
  const { id } = await desk.archives.signIn(tokens.url, { username: 'archivist', password: 'x' })
  const again = desk.archives.signInAgain(id, 'x')
  await Promise.all([expect(again).rejects.toThrow(Failed), desk.archives.signOut(id)])
  await Promise.all([hasEnded('secret 3'), hasEnded('secret 4')])
})

test('a token that is ended at the archive proves nothing any more', async () => {
  const desk = openDesk()
  const id = await desk.signIn(number(0))
  const secret = desk.secrets.get(id)
  const asMe = async () =>
    (await fetch(`${number(0).url}/api/me/`, { headers: { authorization: `Token ${secret}` } })).status
  expect(await asMe()).toBe(200)
  await desk.archives.signOut(id)
  await until(async () => ((await asMe()) === 401 ? true : undefined))
})
