import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { mutate, seeded } from './mutate.ts'

/** What the proxy does instead of passing an answer on. */
export type Fault =
  | 'none'
  | 'html'
  | 'html 500'
  | '502'
  /** Asks to be left alone for 77 seconds. */
  | 'busy'
  | 'half a body'
  | 'not json'
  | 'an object'
  | 'empty list'
  | 'endless'
  | 'closes'
  /** Passed on, but late. */
  | 'stalls'
  /** Passed on, a second late. */
  | 'is slow'
  /** Passed on when it is told to go on. */
  | 'holds'
  /** The archive never hears of it. */
  | 'drops the request'
  /** Nobody hears of it any more, and the archive acts when it is told to go on. */
  | 'delays the request'
  /**
   * A question reaches the archive twice, as a proxy may do with those that change nothing (RFC 9110 9.2.2).
   */
  | 'repeats'
  /** The archive acts, and its answer is lost. */
  | 'drops the answer'
  | 'unauthorized'
  | 'forbidden'
  /** Passed on with odd values, fields that are missing and fields that are new. */
  | 'mutated'

/** A list whose records are mutated; the list itself stays one. */
const mutatedList = (body: string, random: () => number) => {
  const read = JSON.parse(body) as Parameters<typeof mutate>[0]
  return Array.isArray(read) ? read.map((record) => mutate(record, random, 0.02)) : mutate(read, random, 0.02)
}

const page = '<!doctype html><html><body><h1>Server Error (500)</h1></body></html>'

const answerWith = (fault: Fault, response: ServerResponse) => {
  const json = { 'content-type': 'application/json' }
  if (fault === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  else if (fault === 'html 500') response.writeHead(500, { 'content-type': 'text/html' }).end(page)
  else if (fault === '502') response.writeHead(502, json).end('{"detail": "Bad gateway."}')
  else if (fault === 'busy')
    response.writeHead(503, { ...json, 'retry-after': '77' }).end('{"detail": "Busy."}')
  else if (fault === 'not json') response.writeHead(200, json).end("[{'id': 1}]")
  else if (fault === 'an object') response.writeHead(200, json).end('{"results": []}')
  else if (fault === 'empty list') response.writeHead(200, json).end('[]')
  else if (fault === 'unauthorized') response.writeHead(401, json).end('{"detail": "Invalid token."}')
  else if (fault === 'forbidden')
    response.writeHead(403, json).end('{"detail": "You do not have permission to perform this action."}')
  else if (fault === 'closes' || fault === 'drops the request') response.destroy()
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
export const startFaultyServer = async (first: string) => {
  let target = first
  let fault: Fault = 'none'
  let matches = /./
  let chaos: (() => Fault) | undefined
  let delayed: (() => Promise<unknown>)[] = []
  const random = seeded(20)
  const met = new Map<Fault, number>()
  let hear: (request: string) => void = () => undefined
  const passOn = (incoming: IncomingMessage, response: ServerResponse, how: Fault) => {
    const { host: _host, ...headers } = incoming.headers
    const outgoing = forward(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers },
      (answer) => {
        if (how === 'drops the answer') {
          answer.resume().once('end', () => response.destroy())
          return
        }
        if (how === 'mutated') {
          void text(answer).then((body) => {
            response.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' })
            response.end(JSON.stringify(mutatedList(body, random)))
          })
          return
        }
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    outgoing.on('error', () => response.destroy())
    incoming.pipe(outgoing)
  }
  const server = createServer((incoming, response) => {
    const meant = chaos ? chaos() : matches.test(`${incoming.method} ${incoming.url}`) ? fault : 'none'
    met.set(meant, (met.get(meant) ?? 0) + 1)
    hear(`${incoming.method} ${incoming.url}`)
    if (meant === 'repeats') {
      if (incoming.method === 'GET')
        forward(
          new URL(incoming.url ?? '/', target),
          { headers: { authorization: incoming.headers.authorization ?? '' } },
          (answer) => answer.resume(),
        ).end()
      passOn(incoming, response, 'none')
    } else if (meant === 'delays the request') {
      const { host: _host, ...headers } = incoming.headers
      void text(incoming).then((body) => {
        const init = { method: incoming.method ?? 'GET', headers: headers as Record<string, string>, body }
        delayed.push(async () => (await fetch(new URL(incoming.url ?? '/', target), init)).text())
        response.destroy()
      })
    } else if (meant === 'holds') {
      delayed.push(() => Promise.resolve(passOn(incoming, response, 'none')))
    } else if (meant === 'stalls' || meant === 'is slow')
      setTimeout(() => passOn(incoming, response, 'none'), meant === 'stalls' ? 150 : 1_000)
    else if (meant === 'none' || meant === 'drops the answer' || meant === 'mutated')
      passOn(incoming, response, meant)
    else answerWith(meant, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** @param on which requests, as "METHOD path" */
    misbehave: (next: Fault, on = /./) => {
      chaos = undefined
      fault = next
      matches = on
    },
    /** From now on every request meets a fault or none, as the numbers of a seed have it. */
    misbehaveAtRandom: (seed: number) => {
      const next = seeded(seed)
      const faults: Fault[] = [
        'drops the answer',
        'drops the answer',
        'drops the request',
        'html 500',
        '502',
        'busy',
        'half a body',
        'not json',
        'closes',
        'stalls',
        'repeats',
      ]
      chaos = () => (next() < 0.55 ? 'none' : (faults[Math.floor(next() * faults.length)] ?? 'none'))
    },
    /** From now on it stands in front of another archive, or of the same one at another address. */
    follow: (url: string) => (target = url),
    /** The archive hears of what was delayed or held. */
    goOn: async () => {
      const all = delayed
      delayed = []
      await Promise.all(all.map((act) => act()))
    },
    /** Tells of every request from now on, as "METHOD path". */
    tell: (heard: (request: string) => void) => (hear = heard),
    /** How many requests met what. */
    met: () => Object.fromEntries(met),
    stop: () => {
      server.closeAllConnections()
      return new Promise<void>((stopped) => server.close(() => stopped()))
    },
  }
}
