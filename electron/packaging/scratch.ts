import { createHash } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { onDisk } from './disk.ts'
import { codeOf } from '../common/errors.ts'

const prefix = 'lectern-check-'

/**
 * Where a process number means what it means to us: this computer, and on Linux this space of processes
 * (containers share folders).
 */
const placeOfProcesses = (): string => {
  let space = ''
  try {
    space = readlinkSync('/proc/self/ns/pid')
  } catch {
    // Only Linux has them.
  }
  return createHash('sha256').update(`${hostname()}\n${space}`).digest('hex').slice(0, 12)
}

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    return codeOf(error) !== 'ESRCH'
  }
}

/** Removes what checks left behind that were killed: folders of this computer whose process is gone. */
const sweepScratch = async (within: string, place: string) => {
  for (const name of await readdir(within).catch(() => [])) {
    const [, pid] = new RegExp(`^${prefix}${place}-(\\d+)-`).exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid)))
      await rm(path.join(within, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

/**
 * A folder of our own for the time of a check, in the system's folder for such things.
 * @throws Failed disk
 */
export const makeScratch = async (): Promise<{ folder: string; remove: () => Promise<void> }> => {
  const within = tmpdir()
  const place = placeOfProcesses()
  await sweepScratch(within, place)
  const folder = await onDisk(within, () => mkdtemp(path.join(within, `${prefix}${place}-${process.pid}-`)))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
