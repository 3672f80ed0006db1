import { spawn, type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import type { Readable, Writable } from 'node:stream'

interface Message {
  id?: number
  method?: string
  params?: unknown
  result?: unknown
  error?: { message: string }
  sessionId?: string
}

/**
 * The DevTools protocol over --remote-debugging-pipe: file descriptors 3 and 4, JSON texts that end in NUL.
 */
export class Cdp extends EventEmitter {
  readonly process: ChildProcess
  #last = 0
  #waiting = new Map<
    number,
    { done: (result: unknown) => void; failed: (error: Error) => void; method: string }
  >()
  #sessions = new Map<string, CdpSession>()
  #out: Writable

  constructor(executable: string, args: string[]) {
    super()
    const stderr = process.env['STAND_IN_VERBOSE'] ? 'inherit' : 'ignore'
    this.process = spawn(executable, args, { stdio: ['ignore', 'ignore', stderr, 'pipe', 'pipe'] })
    this.#out = this.process.stdio[3] as Writable
    const input = this.process.stdio[4] as Readable
    let parts: Buffer[] = []
    input.on('data', (chunk: Buffer) => {
      let rest = chunk
      for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
        parts.push(rest.subarray(0, end))
        this.#hear(JSON.parse(Buffer.concat(parts).toString('utf8')) as Message)
        parts = []
        rest = rest.subarray(end + 1)
      }
      if (rest.length > 0) parts.push(rest)
    })
    this.#out.on('error', () => undefined)
    input.on('error', () => undefined)
    this.process.on('error', (error) => this.#over(error.message))
    this.process.on('exit', (code) => this.#over(`exit ${code}`))
  }

  #over(why: string) {
    for (const { failed, method } of this.#waiting.values())
      failed(new Error(`Chromium ended (${why}) during ${method}`))
    this.#waiting.clear()
    this.emit('over')
  }

  #hear({ id, method, params, result, error, sessionId }: Message) {
    if (id !== undefined) {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error) waiting?.failed(new Error(`${waiting.method}: ${error.message}`))
      else waiting?.done(result)
    } else if (sessionId !== undefined) this.#sessions.get(sessionId)?.emit(method ?? '', params)
    else this.emit(method ?? '', params)
  }

  send<T = unknown>(method: string, params: object = {}, sessionId?: string): Promise<T> {
    return new Promise((done, failed) => {
      this.#last += 1
      this.#waiting.set(this.#last, { done: done as (result: unknown) => void, failed, method })
      this.#out.write(`${JSON.stringify({ id: this.#last, method, params, sessionId })}\0`)
    })
  }

  session(id: string) {
    const session = new CdpSession(this, id)
    this.#sessions.set(id, session)
    return session
  }
}

export class CdpSession extends EventEmitter {
  #cdp: Cdp
  readonly id: string
  constructor(cdp: Cdp, id: string) {
    super()
    this.#cdp = cdp
    this.id = id
  }
  send<T = unknown>(method: string, params: object = {}): Promise<T> {
    return this.#cdp.send<T>(method, params, this.id)
  }
}
