import { performance } from 'node:perf_hooks'

// Loaded into the archive's process before it starts: says how its main thread spends its time.
const everyMs = 50
/**
 * Milliseconds since the process began, each up to now: in which the loop was not idle, and of processor
 * time.
 */
export interface Sample {
  at: number
  active: number
  cpu: number
  rss: number
}

const timer = setInterval(() => {
  const { user, system } = process.threadCpuUsage()
  process.send?.({
    at: performance.timeOrigin + performance.now(),
    active: performance.eventLoopUtilization().active,
    cpu: (user + system) / 1000,
    rss: process.memoryUsage.rss(),
  } satisfies Sample)
}, everyMs)
timer.unref()
process.channel?.unref()
