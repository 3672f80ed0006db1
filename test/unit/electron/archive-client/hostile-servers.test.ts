import net, { type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openClient } from '../../../archives/archive-client.ts'
import { recordReader } from '../../../../electron/archive-client/whole-list.ts'
import { Failed, type Failure } from '../../../../electron/contract/failure.ts'

const servers: net.Server[] = []
const sockets = new Set<net.Socket>()
const heard: string[] = []
/** Says what it likes to every request, byte by byte as it is given; what it was asked stands in `heard`. */
const startRaw = async (answer: (socket: net.Socket, asked: string) => void) => {
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      heard.push(String(data))
      answer(socket, String(data))
    })
  })
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
afterEach(async () => {
  vi.restoreAllMocks()
  heard.length = 0
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await Promise.all(servers.splice(0).map((server) => new Promise((closed) => server.close(closed))))
})
const client = (url: string) => openClient(url, 'Token secret', () => 'en')
const failureOf = async (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => (error instanceof Failed ? error.failure : Promise.reject(error as Error)),
  )
const json = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'
const sized = (body: string) => `${json}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

interface Case {
  name: string
  says: string | Buffer
  ends?: boolean
  ask?: 'get' | 'list'
  wanted: Partial<Failure>
}
const bad = (detail: string, excerpt?: RegExp) => ({
  kind: 'server-broke' as const,
  detail: detail as never,
  ...(excerpt ? { excerpt: expect.stringMatching(excerpt) as string } : {}),
})

test('a mark of the byte order before an answer is passed over', async () => {
  const url = await startRaw((socket) => socket.write(sized('\ufeff{"id": 1}')))
  expect(await client(url).get('me/')).toEqual({ id: 1 })
})

test('no failure quotes an answer that may hold a token', async () => {
  const token = `{"token": "${'5'.repeat(40)}"`
  for (const said of [sized(token), sized(`${token}]`), `${json}Content-Length: 9999\r\n\r\n${token}`]) {
    const url = await startRaw((socket) => socket.end(said))
    const failure = await failureOf(client(url).enter('auth/token_login/', {}))
    expect(failure).toMatchObject({ kind: 'server-broke', status: 200, excerpt: '' })
  }
  // What stands before the answer is told.
  const packed = await startRaw((socket) =>
    socket.end(sized(token).replace('\r\n\r\n', '\r\nContent-Encoding: br\r\n\r\n')),
  )
  expect(await failureOf(client(packed).enter('auth/token_login/', {}))).toMatchObject({
    excerpt: 'Content-Encoding: br',
  })
})

describe('an answer that is none says what was wrong with it, and is never a missing connection', () => {
  const cases: Case[] = [
    {
      name: 'a Link that is no address',
      ask: 'list',
      wanted: bad('unexpected', /^Link: <http:\/\/\[/),
      says: sized('[{"id": 1}]').replace('\r\n\r\n', '\r\nLink: <http://[>; rel="next"\r\n\r\n'),
    },
    { name: 'deep JSON', says: sized(deep), wanted: bad('unexpected', /^Nested deeper/) },
    {
      name: 'deep JSON in a list',
      ask: 'list',
      says: sized(`[${deep}]`),
      wanted: bad('unexpected', /^Nested deeper/),
    },
    {
      name: 'millions of values',
      says: sized(`{"a": [${'{},'.repeat(600_000)}{}]}`),
      wanted: bad('unexpected', /^More than 500000 values/),
    },
    {
      name: 'a record of millions of values',
      ask: 'list',
      says: sized(`[{"id": "x", "a": [${'{},'.repeat(600_000)}{}]}]`),
      wanted: bad('too-long'),
    },
    {
      name: 'deep JSON in an error',
      says: sized(deep).replace('200 OK', '400 Bad'),
      wanted: bad('unexpected', /^Nested deeper/),
    },
    {
      name: 'large headers',
      says: `${json}X-Large: ${'x'.repeat(70_000)}\r\n\r\n{}`,
      wanted: bad('unexpected', /UND_ERR_HEADERS_OVERFLOW/),
    },
    { name: 'no HTTP', says: 'SSH-2.0-OpenSSH_9.2\r\n', wanted: bad('unexpected', /^HPE/) },
    {
      name: 'a chunk whose length is no number',
      says: `${json}Transfer-Encoding: chunked\r\n\r\nxyz\r\n{}`,
      wanted: bad('unexpected', /^(HPE|UND_ERR_RES)/),
    },
    {
      name: 'chunks that break off',
      ends: true,
      says: `${json}Transfer-Encoding: chunked\r\n\r\n5\r\n[1,2`,
      wanted: bad('cut-off'),
    },
    {
      name: 'fewer bytes than announced',
      ends: true,
      says: `${json}Content-Length: 100\r\n\r\n{}`,
      wanted: bad('cut-off'),
    },
    {
      name: 'fewer bytes of a list than announced',
      ends: true,
      ask: 'list',
      says: `${json}Content-Length: 100\r\n\r\n[{"id": 1}`,
      wanted: bad('cut-off'),
    },
    {
      name: 'two lengths',
      says: `${json}Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}`,
      wanted: bad('unexpected', /^(HPE|UND_ERR_RES)/),
    },
    {
      name: 'a redirection',
      says: 'HTTP/1.1 302 Found\r\nLocation: http://elsewhere.example/api/\r\nContent-Length: 0\r\n\r\n',
      wanted: bad('redirect', /^http:\/\/elsewhere\.example\/api\/$/),
    },
    {
      name: 'a redirection to nowhere',
      says: 'HTTP/1.1 302 Found\r\nLocation: http://[\r\nContent-Length: 0\r\n\r\n',
      wanted: bad('unexpected', /^Location: http:\/\/\[/),
    },
    {
      name: 'a redirection without a place',
      says: 'HTTP/1.1 308 Go\r\nContent-Length: 0\r\n\r\n',
      wanted: bad('unexpected', /^Location:/),
    },
    {
      name: 'a bomb',
      says: Buffer.concat([
        Buffer.from(`${json}Content-Encoding: gzip\r\n\r\n`),
        gzipSync(Buffer.alloc(50_000_000, ' ')),
      ]),
      ends: true,
      wanted: bad('unexpected', /^Content-Encoding: gzip/),
    },
    {
      name: 'an error with names of the language',
      says: sized('{"__proto__": ["x"], "constructor": ["y"]}').replace('200 OK', '400 Bad'),
      wanted: { kind: 'refused' },
    },
  ]
  test.each(cases)('$name', async ({ says, ends = false, ask = 'get', wanted }) => {
    const url = await startRaw((socket) => (ends ? socket.end(says) : socket.write(says)))
    const asking = client(url)
    expect(await failureOf(ask === 'list' ? asking.list('events/') : asking.get('me/'))).toMatchObject(wanted)
    await asking.close()
  })

  test('one that drips for ever took too long', async () => {
    const url = await startRaw((socket) => {
      socket.write(`${json}\r\n[`)
      const timer = setInterval(() => socket.write(' '), 20)
      socket.on('close', () => clearInterval(timer))
    })
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(300))
    expect(await failureOf(client(url).get('me/'))).toMatchObject(bad('too-slow'))
    const mute = await startRaw(() => undefined)
    expect(await failureOf(client(mute).get('me/'))).toMatchObject(bad('too-slow'))
  })

  test('a file may take longer than whatever a list may, as long as it goes on', async () => {
    const hours = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => hours.signal)
    let end: () => void = () => undefined
    const url = await startRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab')
      end = () => void socket.write('cd')
    })
    const asking = client(url)
    for (const arriving of [asking.bytes('film'), asking.part('film', { first: 0, last: 9 })]) {
      const parts: string[] = []
      for await (const part of (await arriving).body) {
        parts.push(String(part))
        hours.abort(new DOMException('Hours went by.', 'TimeoutError'))
        if (parts.join('').length < 4) end()
      }
      expect(parts.join('')).toBe('abcd')
    }
    expect(await failureOf(asking.list('events/'))).toMatchObject(bad('too-slow'))
    await asking.stop()
  })

  test('one that goes on for ever is given up after 16 MB, and nothing else waits for it', async () => {
    let sent = 0
    const url = await startRaw((socket) => {
      socket.write(`${json}\r\n["`)
      const part = Buffer.alloc(1024 * 1024, 'a')
      const more = () => {
        if (socket.destroyed || sent > 300) return
        sent += 1
        socket.write(part, () => setImmediate(more))
      }
      more()
    })
    for (const ask of ['get', 'list'] as const) {
      sent = 0
      const asking = client(url)
      expect(await failureOf(asking[ask]('events/'))).toMatchObject(bad('too-long'))
      expect(sent).toBeLessThan(40)
    }
  })

  test('of an error that goes on for ever the status and the beginning are told', async () => {
    const url = await startRaw((socket) => {
      socket.write('HTTP/1.1 500 Oh\r\nContent-Type: text/html\r\n\r\n<h1>Oh')
      const more = () => {
        if (!socket.destroyed) socket.write('no '.repeat(10_000), () => setImmediate(more))
      }
      more()
    })
    expect(await failureOf(client(url).get('me/'))).toMatchObject({
      ...bad('html', /^<h1>Ohno/),
      status: 500,
    })
  })
})

test('a list that is held in memory has an end', async () => {
  const url = await startRaw((socket) => {
    socket.write(`${json}\r\n[`)
    let id = 0
    const more = () => {
      if (!socket.destroyed)
        socket.write(`{"id": ${(id += 1)}, "text": "${'a'.repeat(1_000_000)}"},`, () => setImmediate(more))
    }
    more()
  })
  expect(await failureOf(client(url).list('events/'))).toMatchObject(bad('too-long'))
})

test('credentials go to no other host, wherever an answer points', async () => {
  const other = await startRaw((socket) => socket.write(sized('[]')))
  const url = await startRaw((socket, asked) =>
    asked.startsWith('GET /api/me/')
      ? socket.write(`HTTP/1.1 307 Go\r\nLocation: ${other}/api/me/\r\nContent-Length: 0\r\n\r\n`)
      : socket.write(
          sized('[{"id": 1}]').replace('\r\n\r\n', `\r\nLink: <${other}/api/events/>; rel="next"\r\n\r\n`),
        ),
  )
  const asking = client(url)
  await failureOf(asking.get('me/'))
  await asking.list('events/')
  expect(heard.filter((asked) => asked.includes(new URL(other).host))).toEqual([])
})

describe('a Link that leads to another host', () => {
  const page = (ids: number[], link: string) =>
    sized(JSON.stringify(ids.map((id) => ({ id })))).replace('\r\n\r\n', `\r\n${link}\r\n\r\n`)
  const read = async (url: string) => {
    const ids = new Set<number>()
    const reader = recordReader((record) => ids.add((record as { id: number }).id))
    return { ...(await client(url).elements('events/', reader)), ids: [...ids] }
  }
  test('is followed where the list is, as behind a proxy that ends TLS', async () => {
    const url = await startRaw((socket, asked) =>
      socket.write(
        asked.startsWith('GET /api/events/?page=2')
          ? page([3], 'X-Last: yes')
          : page([1, 2], 'Link: <https://inside.invalid/api/events/?page=2>; rel="next"'),
      ),
    )
    expect(await read(url)).toMatchObject({ ids: [1, 2, 3], isSure: true })
  })
  test('and to another path says that there is more, which is asked for by its number', async () => {
    const link = 'Link: <https://inside.invalid/v2/events/?page=2>; rel="next"'
    const url = await startRaw((socket, asked) =>
      socket.write(/[?&]page=2/.test(asked) ? page([3], 'X-Last: yes') : page([1, 2], link)),
    )
    expect(await read(url)).toMatchObject({ ids: [1, 2, 3], isSure: true })
    const other = await startRaw((socket) => socket.write(page([1, 2], link)))
    expect(await read(other)).toMatchObject({ ids: [1, 2], isSure: false })
  })
})

test('a long Link is read at once', async () => {
  const url = await startRaw((socket) =>
    socket.write(sized('[]').replace('\r\n\r\n', `\r\nLink: ${'<a>;'.repeat(3_900)}\r\n\r\n`)),
  )
  const before = process.threadCpuUsage()
  expect(await client(url).list('events/')).toEqual([])
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(500)
})

test('a mistake of a reader stays one: it is no failure of the archive', async () => {
  const url = await startRaw((socket) => socket.write(sized('[{"id": 1}]')))
  const reader = {
    take: () => {
      throw new TypeError('a mistake')
    },
  }
  await expect(client(url).elements('events/', reader)).rejects.toThrow('a mistake')
})

test('a client that is closed answers what is under way, and takes nothing more', async () => {
  const begun = Promise.withResolvers<net.Socket>()
  const url = await startRaw((socket) => {
    socket.write(`${json}Content-Length: 9\r\n\r\n{"a":`)
    begun.resolve(socket)
  })
  const asking = client(url)
  const answer = asking.get('me/')
  const socket = await begun.promise
  const closed = asking.close()
  socket.write('123')
  socket.end('}')
  expect(await answer).toEqual({ a: 123 })
  await closed
  expect(await failureOf(asking.get('me/'))).toMatchObject({ kind: 'offline' })
})
