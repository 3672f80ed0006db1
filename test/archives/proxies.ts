import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** A name that nobody but the proxy can find (RFC 6761 6.2). */
export const archiveHost = 'archive.lectern.test'
export const hasTinyproxy = spawnSync('tinyproxy', ['-v'], { stdio: 'ignore' }).status === 0
export const noTinyproxy =
  'No tinyproxy here: what goes through a proxy is not tried (Debian: apt-get install tinyproxy-bin).'

const portOf = (server: net.Server) => (server.address() as AddressInfo).port
const listening = (server: net.Server, port = 0) =>
  new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', done)
  })
const freePort = async () => {
  const server = net.createServer()
  await listening(server)
  const port = portOf(server)
  await new Promise((closed) => server.close(closed))
  return port
}

/**
 * The proxy behind the proxy, which alone knows where the archive is: by CONNECT, and by requests in the
 * absolute form.
 */
const startParent = async (target: () => number) => {
  const sockets = new Set<net.Socket>()
  const asked: string[] = []
  const server = http.createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    const url = new URL(incoming.url ?? '/', 'http://none.invalid')
    if (url.hostname !== archiveHost) return void response.writeHead(502).end()
    const outgoing = http.request(
      {
        host: '127.0.0.1',
        port: target(),
        method: incoming.method,
        path: url.pathname + url.search,
        headers: { ...incoming.headers, host: `127.0.0.1:${target()}` },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    outgoing.on('error', () => response.destroy())
    return void incoming.pipe(outgoing)
  })
  server.on('connect', (incoming, socket: net.Socket) => {
    asked.push(`CONNECT ${incoming.url}`)
    sockets.add(socket)
    socket.on('error', () => undefined)
    if (!incoming.url?.startsWith(`${archiveHost}:`)) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const through = net.connect(target(), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      through.pipe(socket).pipe(through)
    })
    sockets.add(through)
    return void through.on('error', () => socket.destroy())
  })
  await listening(server)
  return {
    port: portOf(server),
    asked,
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * A network whose only way out is a proxy that asks who one is: tinyproxy, an ordinary one, with a parent
 * that finds the archive.
 * @param target the port of the archive on this computer
 */
export const startNetwork = async (folder: string, target: number) => {
  let archivePort = target
  const parent = await startParent(() => archivePort)
  const port = await freePort()
  const credentials = { username: 'anna', password: 'proxy-secret' }
  const logFile = path.join(folder, 'tinyproxy.log')
  const config = path.join(folder, 'tinyproxy.conf')
  writeFileSync(
    config,
    [
      `Port ${port}`,
      'Listen 127.0.0.1',
      'Timeout 600',
      'MaxClients 100',
      `BasicAuth ${credentials.username} ${credentials.password}`,
      `Upstream http 127.0.0.1:${parent.port}`,
      `LogFile "${logFile}"`,
      'LogLevel Info',
    ].join('\n'),
  )
  const proxy = spawn('tinyproxy', ['-d', '-c', config], { stdio: 'ignore' })
  const gone = new Promise((done) => proxy.once('exit', done))
  const isUp = () =>
    new Promise<boolean>((said) => {
      const socket = net.connect(port, '127.0.0.1', () => {
        socket.destroy()
        said(true)
      })
      socket.on('error', () => said(false))
    })
  while (!(await isUp())) {
    if (proxy.exitCode !== null) throw new Error(`tinyproxy ended: ${readFileSync(logFile, 'utf8')}`)
    await pause(20)
  }
  return {
    port,
    credentials,
    name: `127.0.0.1:${port}`,
    /** What came through the proxy to the archive. */
    asked: parent.asked,
    log: () => readFileSync(logFile, 'utf8'),
    pointTo: (next: number) => (archivePort = next),
    stop: async () => {
      proxy.kill()
      await gone
      parent.stop()
    },
  }
}
