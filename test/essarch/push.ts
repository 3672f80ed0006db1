import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Body, Database } from '../../electron/local-archive/database.ts'

const lookMs = 200

/** A text as one frame of a server (RFC 6455 5.2). */
const frameOf = (text: string) => {
  const body = Buffer.from(text)
  const head =
    body.length < 126
      ? Buffer.from([0x81, body.length])
      : Buffer.from([0x81, 126, body.length >> 8, body.length & 255])
  return Buffer.concat([head, body])
}

/**
 * The channel on which new notifications are told, as ESSArch has it: /ws/, by session cookie alone, from the
 * server to the client. A stranger is taken in and hears nothing.
 * @param accountOf whose session a cookie is
 */
export const openChannel =
  (accountOf: (cookie: string) => number | undefined) =>
  (request: IncomingMessage, socket: Duplex, database: Database) => {
    const key = request.headers['sec-websocket-key']
    if (request.url !== '/ws/' || key === undefined) {
      socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
      return
    }
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: ' +
        `Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    const account = accountOf(/(?:^|;\s*)essarch=([0-9a-f]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '')
    const mine = () =>
      database.list('notification').filter((record) => (record['user'] as Body)['id'] === account)
    let told = Math.max(0, ...mine().map((record) => Number(record['id'])))
    const timer = setInterval(() => {
      for (const record of mine().filter(({ id }) => Number(id) > told)) {
        told = Number(record['id'])
        const unseen = mine().filter(({ seen }) => seen !== true).length
        socket.write(
          frameOf(
            JSON.stringify({
              type: 'notify',
              id: record['id'],
              message: record['message'],
              level: record['level'],
              unseen_count: unseen,
              refresh: true,
            }),
          ),
        )
      }
    }, lookMs)
    timer.unref()
    const over = () => clearInterval(timer)
    socket.on('close', over)
    socket.on('error', over)
    // What a client sends is its good-bye.
    socket.on('data', () => socket.end())
  }
