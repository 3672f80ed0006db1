import { readFileSync } from 'node:fs'

const runs = 3

export const table = (title: string, rows: Record<string, string | number>[]) => {
  console.log(`\n${title}`)
  console.table(rows)
}
export const percentile = (values: number[], share: number) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
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
  const [, kilobytes = '0'] = new RegExp(`^${which}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round((Number(kilobytes) * 1024) / 1e6)
}
