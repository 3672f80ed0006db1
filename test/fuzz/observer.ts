import { Agent, get } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

// A client that behaves: asks for little, and measures how long it waits. In a thread of its own, which the
// fuzzing does not slow.
const { url, authorization } = workerData as { url: string; authorization: string }
const longMs = 100
/** A request that took long; `starved` is how long this thread was ready and had no processor. */
export interface Wait {
  began: number
  ended: number
  starved: number
  status: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const ask = () =>
  new Promise<number>((done) => {
    get(`${url}/api/me/`, { agent, headers: { authorization } }, (answer) => {
      answer.resume().once('end', () => done(answer.statusCode ?? 0))
    }).once('error', () => done(0))
  })
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

let isOver = false
parentPort?.once('message', () => (isOver = true))
const watch = async () => {
  for (; !isOver; await pause(10)) {
    const [began, cpu] = [performance.timeOrigin + performance.now(), cpuMs()]
    const { active } = performance.eventLoopUtilization()
    const status = await ask()
    const ended = performance.timeOrigin + performance.now()
    const starved = performance.eventLoopUtilization().active - active - (cpuMs() - cpu)
    if (ended - began > longMs || status !== 200)
      parentPort?.postMessage({ began, ended, starved, status } satisfies Wait)
  }
  agent.destroy()
  parentPort?.close()
}
void watch()
