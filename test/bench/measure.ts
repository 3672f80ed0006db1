import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

const runs = 3

/** The most that a figure of each unit can be; what is more was not measured but miscounted. */
const most: Record<string, number> = { s: 3_600, ms: 600_000, MB: 1_000_000, '×': 100_000, '%': 100 }

/**
 * A figure as it was measured. Fails with a sentence where it cannot be: not a number, negative, or beyond
 * all bounds.
 * @param unit one of those that have bounds, or '' for a count
 */
export const sound = (what: string, value: number, unit: string): number => {
  if (Number.isFinite(value) && value >= 0 && value <= (most[unit] ?? Infinity)) return value
  throw new Error(`The bench measured nonsense: ${what} is ${[value, unit].join(' ').trim()}.`)
}

/** Fails where not everything that was done was measured, or nothing was. */
export const counted = <T>(what: string, measured: T[], done: number): T[] => {
  if (measured.length === done && done > 0) return measured
  throw new Error(`The bench measured nonsense: of ${done} ${what} ${measured.length} were counted.`)
}

/** Shows figures; the unit of a plain number is the last word of its column: "p95 ms". */
export const table = (title: string, rows: Record<string, string | number>[]) => {
  for (const row of rows)
    for (const [column, value] of Object.entries(row))
      if (typeof value === 'number') sound(`${title}: ${column}`, value, column.split(' ').at(-1) ?? '')
  console.log(`\n${title}`)
  console.table(rows)
}
export const percentile = (values: number[], share: number) => {
  const sorted = counted('values', values, values.length).toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
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
export const seconds = (value: number) => `${sound('a time', value, 's').toFixed(2)} s`
export const times = (value: number) => `${sound('a ratio', value, '×').toFixed(2)} ×`

/** Memory of a process in MB as /proc says it (Linux only): what it holds now, or the most it ever held. */
export const memoryOf = (pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS') => {
  const [, kilobytes = '0'] =
    new RegExp(`^${which}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round((Number(kilobytes) * 1024) / 1e6)
}

/**
 * Runs a script of ours in a process of its own: how long it took, and the most memory that it held (Linux
 * only).
 */
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
