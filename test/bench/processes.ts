import { readdirSync, readFileSync } from 'node:fs'
import type { Desk } from '../e2e/launch.ts'
import { memoryOf } from './measure.ts'

/** The processes of the desk, by what they are (Linux only). */
export const processesOf = (desk: Desk): { name: string; pid: number }[] => {
  if (process.platform !== 'linux') return []
  const parents = new Map<number, number>()
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number))
    try {
      parents.set(pid, Number(/\)\s\S\s(\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]))
    } catch {
      // Gone while we looked.
    }
  const isBelow = (pid: number): boolean =>
    pid === desk.app.process().pid || (parents.has(pid) && isBelow(parents.get(pid) ?? 0))
  const nameOf = (line: string) =>
    line.includes('--utility-sub-type=node.mojom.NodeService')
      ? 'local archive'
      : line.includes('--type=')
        ? `Chromium: ${/--type=([\w-]+)/.exec(line)?.[1]}`
        : line.includes('chromium')
          ? 'Chromium: browser'
          : 'main'
  return [...parents.keys()].filter(isBelow).flatMap((pid) => {
    try {
      return [{ pid, name: nameOf(readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')) }]
    } catch {
      // Gone while we looked.
      return []
    }
  })
}

/** By what the processes of the desk are, the sum of what is measured of each. */
const memoryByKind = (desk: Desk, megabytesOf: (pid: number) => number): Record<string, number> => {
  const held: Record<string, number> = {}
  for (const { name, pid } of processesOf(desk))
    try {
      held[name] = (held[name] ?? 0) + megabytesOf(pid)
    } catch {
      // Gone while we looked.
    }
  return Object.fromEntries(Object.entries(held).map(([name, megabytes]) => [name, Math.round(megabytes)]))
}

/** MB of each kind of process of the desk, as each counts (VmRSS). */
export const residentMemoryOf = (desk: Desk) => memoryByKind(desk, (pid) => memoryOf(pid))

/** MB of each kind of process of the desk, what they share counted once (Linux: Pss). */
export const sharedMemoryOf = (desk: Desk) =>
  memoryByKind(
    desk,
    (pid) =>
      Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1000,
  )

/** MB of all kinds of processes. */
export const sumOf = (held: Record<string, number>): number =>
  Object.values(held).reduce((sum, megabytes) => sum + megabytes, 0)
