import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the proxy does instead of passing an answer on. */
export type Fault =
  | 'none'
  | 'html'
  | 'html 500'
  | 'half a body'
  | 'not json'
  | 'an object'
  | 'endless'
  | 'closes'
  /** The archive acts, and its answer is lost. */
  | 'drops the answer'
  | 'unauthorized'

const page = '<!doctype html><html><body><h1>Server Error (500)</h1></body></html>'

const answerWith = (fault: Fault, response: ServerResponse) => {
  const json = { 'content-type': 'application/json' }
  if (fault === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  else if (fault === 'html 500') response.writeHead(500, { 'content-type': 'text/html' }).end(page)
  else if (fault === 'not json') response.writeHead(200, json).end("[{'id': 1}]")
  else if (fault === 'an object') response.writeHead(200, json).end('{"results": []}')
  else if (fault === 'unauthorized') response.writeHead(401, json).end('{"detail": "Invalid token."}')
  else if (fault === 'closes') response.destroy()
  else if (fault === 'half a body') {
    response.writeHead(200, { ...json, 'content-length': '1000' }).write('[{"id": ')
    setTimeout(() => response.destroy(), 50)
  } else if (fault === 'endless') {
    response.writeHead(200, json)
    const more = () => {
      if (!response.destroyed) response.write(Buffer.alloc(8 * 1024 * 1024, ' '), () => setImmediate(more))
    }
    more()
  }
}

/** A proxy in front of an archive that can be told to misbehave, for some paths or for all. */
export const startFaultyServer = async (target: string) => {
  let fault: Fault = 'none'
  let matches = /./
  const passOn = (incoming: IncomingMessage, response: ServerResponse, isDropped: boolean) => {
    const { host: _host, ...headers } = incoming.headers
    const outgoing = forward(new URL(incoming.url ?? '/', target), { method: incoming.method, headers }, (answer) => {
      if (isDropped) {
        answer.resume().once('end', () => response.destroy())
        return
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    incoming.pipe(outgoing)
  }
  const server = createServer((incoming, response) => {
    const meant = matches.test(`${incoming.method} ${incoming.url}`) ? fault : 'none'
    if (meant === 'none' || meant === 'drops the answer') passOn(incoming, response, meant !== 'none')
    else answerWith(meant, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** @param on which requests, as "METHOD path" */
    misbehave: (next: Fault, on = /./) => {
      fault = next
      matches = on
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise<void>((stopped) => server.close(() => stopped()))
    },
  }
}
