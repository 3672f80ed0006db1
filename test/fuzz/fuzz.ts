import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { archiveFlags } from '../../electron/shell/local-archive.ts'
import { builtFile } from '../support/built.ts'
import { drawing, type Draw } from './draw.ts'
import type { Wait } from './observer.ts'
import type { Sample } from './probe.ts'
import { nextRaw, nextRequest, type Raw, type Sent } from './requests.ts'

const at = (file: string) => path.resolve(import.meta.dirname, file)
const connections = 8
const longestWaitMs = 500
/** What the archive may use in all, and grow by after the first tenth. */
const mostMemory = 500_000_000
const mostGrowth = 200_000_000

export interface Report {
  requests: number
  seconds: number
  statuses: Record<string, number>
  /** Requests that were answered with 500 or more, and how the archive ended if it did. */
  broken: string[]
  /**
   * How long the observer waited at most; and without the time in which a process was ready and had no
   * processor.
   */
  longestWaitMs: number
  longestOwnWaitMs: number
  memoryMb: { first: number; last: number; most: number }
  failures: string[]
}

interface Ready {
  url: string
  username: string
  password: string
  others: { username: string; password: string }[]
}

/** The archive in a process of its own, which says how its time is spent. */
const start = async (data: string) => {
  const child = spawn(
    process.execPath,
    [...archiveFlags, '--import', at('probe.ts'), fileURLToPath(builtFile('local-archive.js'))].concat([
      '--data',
      data,
      '--sample',
    ]),
    { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  )
  let log = ''
  child.stderr?.on('data', (part: Buffer) => (log = `${log}${String(part)}`.slice(-20_000)))
  const samples: Sample[] = []
  child.on('message', (sample) => samples.push(sample as Sample))
  const line = await new Promise<string>((ready, failed) => {
    child.stdout?.once('data', (part: Buffer) => ready(String(part)))
    child.once('exit', () => failed(new Error(log)))
  })
  return { child, samples, ready: JSON.parse(line) as Ready, log: () => log }
}

const agent = new Agent({ keepAlive: true, maxSockets: connections })
const send = (url: string, { method, path: address, headers, body }: Sent, through = agent) =>
  new Promise<{ status: number; text: string }>((done) => {
    const asking = request(
      `${url}/api/`,
      { agent: through, method, path: `/api/${address}`, headers },
      (answer) => {
        let text = ''
        answer.on('data', (part: Buffer) => (text = text.length < 2_000 ? `${text}${String(part)}` : text))
        answer.once('close', () => done({ status: answer.statusCode ?? 0, text }))
      },
    )
    // The archive may close a connection on what it does not take.
    asking.once('error', () => done({ status: 0, text: '' }))
    asking.once('upgrade', (_answer, socket) => socket.destroy())
    asking.end(body)
  })

const sendRaw = async (url: string, { parts, holdMs }: Raw): Promise<number> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let said = ''
  socket.on('data', (part: Buffer) => (said = `${said}${String(part)}`.slice(0, 100)))
  socket.on('error', () => undefined)
  for (const part of parts) {
    socket.write(part, 'latin1')
    await pause(1)
  }
  await Promise.race([once(socket, 'close').catch(() => undefined), pause(holdMs)])
  socket.destroy()
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1] ?? 0)
}

/** How long the archive's main thread was ready between two moments and had no processor. */
const starvedBetween = (samples: Sample[], began: number, ended: number) => {
  const before = samples.findLast(({ at: moment }) => moment <= began)
  const after = samples.find(({ at: moment }) => moment >= ended)
  return before && after ? Math.max(0, after.active - before.active - (after.cpu - before.cpu)) : 0
}

/** @returns undefined where others wait already */
const signIn = async (url: string, username: string, password: string, through = agent) => {
  const body = JSON.stringify({ username, password })
  const headers = { 'content-type': 'application/json' }
  const { status, text } = await send(
    url,
    { method: 'POST', path: 'auth/token_login/', headers, body },
    through,
  )
  return status === 200 ? `Token ${(JSON.parse(text) as { token: string }).token}` : undefined
}

/** Work that is not waited for, so much of it at a time. */
const aside = (most: number) => {
  const underWay = new Set<Promise<void>>()
  return {
    isFull: () => underWay.size >= most,
    begin: (work: () => Promise<void>) => {
      const begun = work().finally(() => underWay.delete(begun))
      underWay.add(begun)
    },
    end: () => Promise.all(underWay),
  }
}

const mostKnocks = 20
const mostHeldOpen = 50

/** Whether the archive has to hash a password before it answers, which is slow on purpose. */
const isProven = ({ headers }: Sent) => /^basic\b/i.test(headers['authorization'] ?? '')

/** An attempt to sign in, with the right password or with a wrong one. */
interface Knock {
  name: string
  isGuess: boolean
}

type Attack = { knock: Knock } | { raw: Raw } | { asked: Sent }

/** What comes next: depends on the numbers drawn and on nothing that happens. */
const nextAttack = (draw: Draw, number: number, { username }: Ready, tokens: string[]): Attack => {
  const kind = draw.below(100)
  if (kind === 0) {
    const name = draw.one([username, 'nobody', `name ${draw.below(5_000)}`])
    return { knock: { name, isGuess: !draw.isOneIn(3) } }
  }
  return kind <= 2
    ? { raw: nextRaw(draw, draw.one(tokens)) }
    : { asked: nextRequest(draw, number, draw.one(tokens)) }
}

const knockAt = async (url: string, { name, isGuess }: Knock, { username, password }: Ready, slow: Agent) => {
  if (isGuess) {
    const headers = { authorization: `Basic ${btoa(`${name}:wrong`)}` }
    return (await send(url, { method: 'GET', path: 'me/', headers }, slow)).status
  }
  const authorization = await signIn(url, username, password, slow)
  if (authorization === undefined) return 429
  return (await send(url, { method: 'POST', path: 'auth/token_logout/', headers: { authorization } }, slow))
    .status
}

/**
 * Sends so many requests of every hostile shape to an archive that was just made, while somebody who behaves
 * waits for answers.
 * @param seed the same requests for the same number, but for those that find too many of their kind under way
 */
export const fuzz = async (
  data: string,
  { requests, seed, onProgress }: { requests: number; seed: number; onProgress?: (sent: number) => void },
): Promise<Report> => {
  const draw = drawing(seed)
  const { child, samples, ready, log } = await start(data)
  const { url } = ready
  const accounts = [ready, ...ready.others]
  const tokens: string[] = []
  for (const { username, password } of accounts) tokens.push((await signIn(url, username, password)) ?? '')
  const authorization = await signIn(url, ready.username, ready.password)
  const waits: Wait[] = []
  const observer = new Worker(at('observer.ts'), { workerData: { url, authorization } })
  observer.on('message', (wait: Wait) => waits.push(wait))

  const statuses: Record<string, number> = {}
  const broken: string[] = []
  const count = (status: number, what: () => string) => {
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status >= 500 && broken.length < 100) broken.push(`${status} ${what()}`)
  }
  // What is slow on purpose (passwords, connections that are held open) waits beside the rest.
  const slow = new Agent({ keepAlive: true, maxSockets: mostKnocks })
  const [knocks, heldOpen] = [aside(mostKnocks), aside(mostHeldOpen)]
  const ask = async (asked: Sent, through?: Agent) => {
    const { status, text } = await send(url, asked, through)
    count(
      status,
      () =>
        `${asked.method} ${asked.path.slice(0, 200)} ${(asked.body ?? '').slice(0, 200)} → ` +
        `${text.slice(0, 200)}`,
    )
  }
  const began = performance.now()
  let sent = 0
  let first = 0
  /** @returns false where too many of the kind are under way */
  const attack = async (next: Attack): Promise<boolean> => {
    const lane = 'raw' in next ? heldOpen : 'knock' in next || isProven(next.asked) ? knocks : undefined
    if (lane?.isFull()) return false
    if ('knock' in next)
      knocks.begin(async () => count(await knockAt(url, next.knock, ready, slow), () => 'knock'))
    else if ('raw' in next)
      heldOpen.begin(async () =>
        count(await sendRaw(url, next.raw), () => next.raw.parts.join('').slice(0, 200)),
      )
    else if (lane) lane.begin(() => ask(next.asked, slow))
    else await ask(next.asked)
    return true
  }
  let drawn = 0
  const work = async () => {
    while (sent < requests && child.exitCode === null && child.signalCode === null) {
      drawn += 1
      sent += 1
      const number = sent
      if (!(await attack(nextAttack(draw, drawn, ready, tokens)))) {
        sent -= 1
        continue
      }
      if (number === Math.ceil(requests / 10)) first = samples.at(-1)?.rss ?? 0
      if (number % 10_000 === 0) onProgress?.(number)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  await Promise.all([knocks.end(), heldOpen.end()])
  const seconds = (performance.now() - began) / 1000
  observer.postMessage('over')
  await once(observer, 'exit')
  agent.destroy()
  slow.destroy()
  const hasEnded = child.exitCode !== null || child.signalCode !== null
  if (!hasEnded) {
    child.kill()
    await once(child, 'exit')
  }
  if (hasEnded) broken.push(`the archive ended: ${log()}`)

  const own = waits.map(
    ({ began: from, ended, starved }) => ended - from - starved - starvedBetween(samples, from, ended),
  )
  const [last, most] = [samples.at(-1)?.rss ?? 0, Math.max(0, ...samples.map(({ rss }) => rss))]
  const inMb = (bytes: number) => Math.round(bytes / 1e6)
  const longestOwnWaitMs = Math.round(Math.max(0, ...own))
  const unanswered = waits.filter(({ status }) => status !== 200).length
  return {
    requests: sent,
    seconds,
    statuses,
    broken,
    longestOwnWaitMs,
    longestWaitMs: Math.round(Math.max(0, ...waits.map(({ began: from, ended }) => ended - from))),
    memoryMb: { first: inMb(first), last: inMb(last), most: inMb(most) },
    failures: [
      ...(longestOwnWaitMs > longestWaitMs ? [`somebody who behaves waited ${longestOwnWaitMs} ms`] : []),
      ...(unanswered > 0 ? [`${unanswered} requests of somebody who behaves were not answered`] : []),
      ...(most > mostMemory || last - first > mostGrowth ? [`the archive grew to ${inMb(most)} MB`] : []),
      ...broken,
    ],
  }
}
