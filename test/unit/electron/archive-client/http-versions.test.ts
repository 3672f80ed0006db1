import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import tls from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPush } from '../../../../electron/archive-client/push.ts'
import { fixedRouting } from '../../../../electron/archive-client/routes.ts'
import { openClient } from '../../../archives/archive-client.ts'

// Before most archives stands a server that speaks HTTP/2 with whoever can; few of those open a WebSocket
// by it (RFC 8441).

const host = 'archive.lectern.test'
const certificates = path.resolve(import.meta.dirname, '../../../certificates')
const cert = readFileSync(path.join(certificates, `${host}.pem`), 'utf8')
const key = readFileSync(path.join(certificates, `${host}.key.pem`), 'utf8')

const front = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
  response.write('[{"id": 1},')
  setImmediate(() => (request.httpVersion === '2.0' ? response.stream.close(2) : response.socket.destroy()))
})
front.on('upgrade', (request: { headers: Record<string, string> }, socket: net.Socket) => {
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
  socket.write(Buffer.concat([Buffer.from([0x81, 2]), Buffer.from('{}')]))
})
/** Leads to it whatever name is asked for. */
const proxy = createServer().on('connect', (_request, socket) => {
  const onward = net.connect((front.address() as AddressInfo).port, '127.0.0.1')
  socket.write('HTTP/1.1 200 Connected\r\n\r\n')
  socket.pipe(onward).pipe(socket)
  for (const end of [socket, onward]) end.on('error', () => undefined)
})
const usual = tls.getCACertificates('default')

beforeAll(async () => {
  tls.setDefaultCACertificates([...usual, cert])
  for (const server of [front, proxy])
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
})
afterAll(() => {
  tls.setDefaultCACertificates(usual)
  for (const server of [front, proxy]) server.close()
})

const archive = {
  url: `https://${host}`,
  routing: () => {
    const { port } = proxy.address() as AddressInfo
    return fixedRouting([{ kind: 'http', host: '127.0.0.1', port, credentials: null }])
  },
}

test('an archive behind a server of HTTP/2 is listened to', async () => {
  const heard = await new Promise<boolean>((told) => {
    const push = openPush({
      url: archive.url,
      path: 'ws/',
      cookie: 'essarch=1',
      routing: archive.routing(),
      heard: () => {
        told(true)
        push.close()
      },
      ended: () => told(false),
    })
  })
  expect(heard).toBe(true)
})

test('what breaks off there is said to be cut off', async () => {
  const asking = openClient(archive.url, undefined, () => 'en', archive.routing())
  await expect(asking.list('events/')).rejects.toMatchObject({
    failure: { kind: 'server-broke', detail: 'cut-off' },
  })
  await asking.stop()
})
