import { createServer as createSecureServer } from 'node:https'
import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import tls from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { checkAddress } from '../../../../electron/archive-client/check-address.ts'
import { openClient } from '../../../archives/archive-client.ts'
import {
  fixedRouting,
  proxyName,
  readRoutes,
  type Route,
} from '../../../../electron/archive-client/routes.ts'
import { Failed, type Failure } from '../../../../electron/contract/failure.ts'
import { openProxies } from '../../../../electron/archives/proxies.ts'
import { openVault, type Keychain } from '../../../../electron/vault/vault.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { archiveHost, hasTinyproxy, noTinyproxy, startNetwork } from '../../../archives/proxies.ts'
import { openWindowless } from '../../../desks/windowless.ts'

const place = scratch()
afterAll(() => place[Symbol.dispose]())
const inPlace = (name: string) => path.join(place.folder, name)
const failureOf = async (work: unknown): Promise<Failure> =>
  Promise.resolve(work).then(
    () => expect.fail('it succeeded'),
    (error: unknown) => (error instanceof Failed ? error.failure : Promise.reject(error as Error)),
  )
const proxyRoute = (
  port: number,
  credentials: { username: string; password: string } | null = null,
): Route => ({
  kind: 'http',
  host: '127.0.0.1',
  port,
  credentials,
})
const client = (url: string, routes: Route[]) => openClient(url, undefined, () => 'en', fixedRouting(routes))

const servers: net.Server[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const server of servers.splice(0)) server.close()
})
/** A proxy that answers everything alike. */
const startSaying = async (answer: string) => {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', () => socket.end(answer))
  })
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return (server.address() as AddressInfo).port
}

test('routes are read as PAC scripts and Electron say them', () => {
  const proxy = (kind: string, host: string, port: number) => ({ kind, host, port, credentials: null })
  expect(readRoutes('PROXY a.example:8080; HTTPS b.example; SOCKS5 [::1]:1081;DIRECT')).toEqual([
    proxy('http', 'a.example', 8080),
    proxy('https', 'b.example', 443),
    proxy('socks5', '::1', 1081),
    { kind: 'direct' },
  ])
  expect(readRoutes('SOCKS4 a:1; PROXY b:2')).toEqual([proxy('http', 'b', 2)])
  expect(readRoutes('SOCKS a.example:1080')).toEqual([{ kind: 'unusable', name: 'SOCKS a.example:1080' }])
  expect(['', ';', 'DIRECT'].map(readRoutes)).toEqual(Array(3).fill([{ kind: 'direct' }]))
})

describe('which routes lead to an archive', () => {
  const open = (answers: Record<string, string>, keychain?: Keychain) => {
    const asked: string[] = []
    const folder = mkdtempSync(inPlace('vault-'))
    const vault = openVault({ keychain, safe: undefined, file: path.join(folder, 'vault.json') })
    const resolve = (url: string) => {
      asked.push(url)
      return Promise.resolve(answers[url] ?? 'DIRECT')
    }
    return { asked, proxies: openProxies({ resolve, vault }) }
  }

  test('the system is asked once for an origin, never for this computer, and again after a failure', async () => {
    const { asked, proxies } = open({ 'https://a.example/': 'PROXY p:1; PROXY q:2; DIRECT' })
    for (const url of [
      'http://127.0.0.1:1/',
      'http://localhost/x',
      'http://[::1]:5/',
      'https://x.localhost/',
    ])
      expect(await proxies.routing.to(url)).toEqual([{ kind: 'direct' }])
    expect(asked).toEqual([])
    const [first] = await proxies.routing.to('https://a.example/essarch/?secret=1')
    await proxies.routing.to('https://a.example/')
    expect(asked).toEqual(['https://a.example/'])
    proxies.routing.failed('https://a.example/essarch', first ?? { kind: 'direct' })
    const names = (await proxies.routing.to('https://a.example/')).map((route) =>
      'host' in route ? route.host : '',
    )
    expect(names).toEqual(['q', '', 'p'])
    expect(asked).toHaveLength(2)
    proxies.askAnew()
    await proxies.routing.to('https://a.example/')
    expect(asked).toHaveLength(3)
  })

  test('name and password are for the proxy that asked, and for no other', async () => {
    const { proxies } = open({ 'https://a.example/': 'PROXY p:1; PROXY q:2; SOCKS5 p:1' })
    await proxies.signIn('p:1', { username: 'anna', password: 'secret' })
    expect(await proxies.routing.to('https://a.example/')).toMatchObject([
      { host: 'p', credentials: { username: 'anna', password: 'secret' } },
      { host: 'q', credentials: null },
      { kind: 'socks5', credentials: null },
    ])
    await proxies.signOut('p:1')
    expect(await proxies.routing.to('https://a.example/')).toMatchObject([{ credentials: null }, {}, {}])
  })

  test('two kinds of proxy at one host and port are two proxies', async () => {
    const { proxies } = open({ 'https://a.example/': 'PROXY p:1; HTTPS p:1; SOCKS5 p:1' })
    const routes = await proxies.routing.to('https://a.example/')
    expect(routes.map(proxyName)).toEqual(['p:1', 'https://p:1', 'socks5://p:1'])
    await proxies.signIn('https://p:1', { username: 'anna', password: 'secret' })
    expect(await proxies.routing.to('https://a.example/')).toMatchObject([
      { kind: 'http', credentials: null },
      { kind: 'https', credentials: { username: 'anna' } },
      { kind: 'socks5', credentials: null },
    ])
    proxies.routing.failed('https://a.example/', routes[0] ?? { kind: 'direct' })
    const kinds = (await proxies.routing.to('https://a.example/')).map(({ kind }) => kind)
    expect(kinds).toEqual(['https', 'socks5', 'http'])
  })

  test('what a locked keychain did not give is there once it is open', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const given = JSON.stringify({ username: 'anna', password: 'secret' })
    let looks = 0
    const keychain = {
      setPassword: () => Promise.resolve(),
      deletePassword: () => Promise.resolve(true),
      getPassword: () =>
        ++looks === 1 ? Promise.reject(new Error('The keychain is locked')) : Promise.resolve(given),
    }
    const { proxies } = open({ 'https://a.example/': 'PROXY p:1' }, keychain)
    const find = () => proxies.routing.to('https://a.example/')
    expect(await find()).toMatchObject([{ credentials: null }])
    // Whoever is asked to open it is not asked at every request.
    await find()
    expect(looks).toBe(1)
    vi.advanceTimersByTime(61_000)
    expect(await find()).toMatchObject([{ credentials: { username: 'anna' } }])
    vi.advanceTimersByTime(61_000)
    await find()
    expect(looks).toBe(2)
  })
})

describe('a proxy that does not let through says why', () => {
  const url = `https://${archiveHost}`
  const negotiate =
    'HTTP/1.1 407 No\r\nProxy-Authenticate: Negotiate\r\nProxy-Authenticate: NTLM\r\nContent-Length: ' +
    '0\r\n\r\n'
  test.each([
    ['a way of signing in that cannot be had', negotiate, { trouble: 'method', detail: 'Negotiate, NTLM' }],
    [
      'no tunnel to there',
      'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n',
      { trouble: 'refused', detail: '403' },
    ],
    ['no HTTP', 'SSH-2.0\r\n', { trouble: 'unreachable' }],
  ])('%s', async (_name, says, wanted) => {
    const port = await startSaying(says)
    const failure = await failureOf(client(url, [proxyRoute(port)]).get('me/'))
    expect(failure).toMatchObject({ kind: 'proxy', proxy: `127.0.0.1:${port}`, ...wanted })
    const steps = await checkAddress(url, ['api/me/'], fixedRouting([proxyRoute(port)]))
    expect(steps.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      'address passed',
      'proxy failed',
      'answers not reached',
      'scheme not reached',
    ])
  })

  test('for what is not encrypted too', async () => {
    const port = await startSaying(negotiate)
    const failure = await failureOf(client(`http://${archiveHost}`, [proxyRoute(port)]).get('me/'))
    expect(failure).toMatchObject({ kind: 'proxy', trouble: 'method', detail: 'Negotiate, NTLM' })
  })

  test('a page of 401 is the proxy’s, unless it was passed on', async () => {
    const say = async (header: string) => {
      const page = `HTTP/1.1 401 No\r\nContent-Type: text/html\r\n${header}Content-Length: 0\r\n\r\n`
      const route = proxyRoute(await startSaying(page), { username: 'anna', password: 'x' })
      return failureOf(client(`http://${archiveHost}`, [route]).get('me/'))
    }
    expect(await say('')).toMatchObject({ kind: 'proxy', trouble: 'wrong-password' })
    expect(await say('Via: 1.1 proxy (squid)\r\n')).toMatchObject({ kind: 'signed-out' })
  })

  test('one that is not there is passed over, where there is another way', async () => {
    const archive = await startArchive(inPlace('direct'))
    const gone = proxyRoute(9)
    expect(await failureOf(client(archive.url, [gone]).get('me/'))).toMatchObject({
      kind: 'proxy',
      trouble: 'unreachable',
      detail: 'ECONNREFUSED',
    })
    const both = openClient(archive.url, archive.basic, () => 'en', fixedRouting([gone, { kind: 'direct' }]))
    expect(await both.get('me/')).toMatchObject({ username: archive.username })
    await both.close()
    await archive.stop()
  })

  test('a kind that cannot be used is named', async () => {
    const routes: Route[] = [{ kind: 'unusable', name: 'SOCKS a:1' }]
    expect(await failureOf(client(url, routes).get('me/'))).toMatchObject({
      trouble: 'kind',
      proxy: 'SOCKS a:1',
    })
    expect(
      (await checkAddress(url, ['api/me/'], fixedRouting(routes))).find(({ name }) => name === 'proxy'),
    ).toMatchObject({
      outcome: 'failed',
      failure: { kind: 'proxy', trouble: 'kind' },
    })
  })
})

describe.skipIf(!hasTinyproxy)('through a proxy that asks who one is', () => {
  const url = `http://${archiveHost}`
  let archive: RunningArchive
  let network: Awaited<ReturnType<typeof startNetwork>>
  beforeAll(async () => {
    archive = await startArchive(inPlace('archive'), '--sample', '--dialect', 'essarch')
    network = await startNetwork(place.folder, Number(new URL(archive.url).port))
  })
  afterAll(async () => {
    await network.stop()
    await archive.stop()
  })

  test('one signs in there and in the archive; lists, files and pushes come, and nothing goes around it', async () => {
    const warned: unknown[] = []
    const desk = openWindowless(inPlace('desk'), {
      resolveProxy: () => Promise.resolve(`PROXY ${network.name}`),
      chooseTarget: () => Promise.resolve(inPlace('file')),
      warn: (_source, _message, detail) => warned.push(detail),
    })
    const { session, connection, network: proxies, files, packages } = desk.features
    const credentials = { url, username: archive.username, password: archive.password, mayBeRead: true }
    expect(await failureOf(session.signIn(credentials))).toMatchObject({
      kind: 'proxy',
      trouble: 'sign-in',
      proxy: network.name,
    })
    const asked = (await session.check({ url })).find(({ outcome }) => outcome === 'failed')
    expect(asked).toMatchObject({ name: 'proxy', failure: { kind: 'proxy', trouble: 'sign-in' } })
    await proxies.signIn({ proxy: network.name, username: 'anna', password: 'wrong' })
    expect(await failureOf(session.signIn(credentials))).toMatchObject({
      kind: 'proxy',
      trouble: 'wrong-password',
    })
    await proxies.signIn({ proxy: network.name, ...network.credentials })
    expect((await session.check({ url })).map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      'address passed',
      'encryption warning',
      'proxy passed',
      'answers passed',
      'scheme passed',
    ])
    await session.signIn(credentials)
    expect(await proxies.status({ archive: desk.archives.last()?.id ?? '' })).toEqual({
      proxy: network.name,
      username: 'anna',
    })
    await connection.refresh(undefined)
    expect((await session.status(undefined)).archives[0]?.connection).toMatchObject({
      state: 'online',
      failure: null,
    })
    const { rows } = await packages.list({
      view: 'flat',
      sort: 'label',
      descending: false,
      filter: '',
      open: [],
      offset: 0,
      limit: 200,
    })
    const held = rows.find(({ type }) => type === 'AIP') ?? expect.fail('no package')
    const listed = await files.list({ package: held.id, path: '' })
    const file = listed.find(({ isFolder }) => !isFolder) ?? expect.fail('no file')
    await files.download({ package: held.id, path: file.name })
    await expect.poll(() => existsSync(inPlace('file')), { timeout: 30_000 }).toBe(true)
    expect(statSync(inPlace('file')).size).toBe(file.bytes)
    await desk.goOn()
    // The channel is a tunnel even where nothing is encrypted, as with browsers.
    await expect
      .poll(() => network.asked.filter((request) => request === `CONNECT ${archiveHost}:80`).length, {
        timeout: 30_000,
      })
      .toBeGreaterThan(0)
    expect(
      network.asked.filter((request) => request.startsWith(`GET http://${archiveHost}`)).length,
    ).toBeGreaterThan(5)
    await desk.stop()
    expect(JSON.stringify(warned)).not.toContain(network.credentials.password)
  })

  test('what is encrypted goes through a tunnel, and the certificate must be the archive’s', async () => {
    const certificates = path.resolve(import.meta.dirname, '../../../certificates')
    const cert = readFileSync(path.join(certificates, 'archive.lectern.test.pem'), 'utf8')
    const key = readFileSync(path.join(certificates, 'archive.lectern.test.key.pem'), 'utf8')
    const heard: string[] = []
    let answer = { status: 200, type: 'application/json', body: '{"id": 1}' }
    const secure = createSecureServer({ cert, key }, (request, response) => {
      heard.push(JSON.stringify(request.headers))
      response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body)
    })
    await new Promise<void>((listening) => secure.listen(0, '127.0.0.1', listening))
    const { port } = secure.address() as AddressInfo
    network.pointTo(port)
    const usual = tls.getCACertificates('default')
    const routes = [proxyRoute(network.port, network.credentials)]
    try {
      const stranger = client(`https://${archiveHost}`, routes)
      expect(await failureOf(stranger.get('me/'))).toMatchObject({
        kind: 'offline',
        detail: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      })
      tls.setDefaultCACertificates([...usual, cert])
      const trusted = client(`https://${archiveHost}`, routes)
      expect(await trusted.get('me/')).toEqual({ id: 1 })
      expect(heard.join()).not.toMatch(/proxy-authorization/i)
      const steps = await checkAddress(`https://${archiveHost}`, ['api/me/'], fixedRouting(routes))
      expect(steps.map(({ name, outcome, found }) => `${name} ${outcome} ${found}`)).toEqual([
        `address passed https://${archiveHost}`,
        `proxy passed ${network.name}`,
        `tls passed ${archiveHost}`,
        'answers passed 200',
        'scheme passed Token',
      ])
      // A refusal that came through the tunnel is the archive's: no name and password of the proxy would
      // help.
      for (const [status, kind] of [
        [401, 'signed-out'],
        [407, 'server-broke'],
      ] as const) {
        answer = { status, type: 'text/html', body: '<p>No</p>' }
        expect(await failureOf(trusted.get('me/')), String(status)).toMatchObject({ kind })
        const looked = await checkAddress(`https://${archiveHost}`, ['api/me/'], fixedRouting(routes))
        expect(looked.filter(({ outcome }) => outcome === 'failed')).toEqual([
          { name: 'answers', outcome: 'failed', found: String(status), failure: null },
        ])
      }
      // The same server under a name that its certificate does not have.
      const other = client(`https://127.0.0.1:${port}`, [{ kind: 'direct' }])
      expect(await failureOf(other.get('me/'))).toMatchObject({
        kind: 'offline',
        detail: 'ERR_TLS_CERT_ALTNAME_INVALID',
      })
    } finally {
      tls.setDefaultCACertificates(usual)
      secure.closeAllConnections()
      secure.close()
      network.pointTo(Number(new URL(archive.url).port))
    }
  })
})
test.runIf(!hasTinyproxy)(noTinyproxy, () => expect(hasTinyproxy).toBe(false))
