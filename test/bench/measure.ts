import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

const runs = 3

export const table = (title: string, rows: Record<string, string | number>[]) => {
  console.log(`\n${title}`)
  console.table(rows)
}
export const percentile = (values: number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
export const median = (values: number[]) => percentile(values, 0.5)
/** Seconds that the work takes. */
export const timed = async (work: () => unknown) => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}
export const medianOf = async (work: (run: number) => unknown, before: () => void = () => undefined) => {
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) {
    before()
    times.push(await timed(() => work(run)))
  }
  return median(times)
}
export const seconds = (value: number) => `${value.toFixed(2)} s`
export const times = (value: number) => `${value.toFixed(2)} ×`

/** Memory of a process in MB as /proc says it (Linux only): what it holds now, or the most it ever held. */
export const memoryOf = (pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS') => {
  const [, kilobytes = '0'] =
    new RegExp(`^${which}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round((Number(kilobytes) * 1024) / 1e6)
}

/** Runs a script of ours in a process of its own: how long it took, and the most memory that it held (Linux only). */
export const measured = async (args: string[]): Promise<{ seconds: number; peakMB: number }> => {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  let peakMB = 0
  const look = () => {
    try {
      peakMB = Math.max(peakMB, memoryOf(child.pid ?? 0, 'VmHWM'))
    } catch {
      // It is over, or this system has no /proc.
    }
  }
  const looking = setInterval(look, 50)
  const took = await timed(
    () =>
      new Promise<void>((done, failed) =>
        child.once('exit', (code) =>
          code === 0 ? done() : failed(new Error(`${args.join(' ')} ended with ${code ?? 'a signal'}.`)),
        ),
      ),
  )
  clearInterval(looking)
  return { seconds: took, peakMB }
}
