import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readlinkSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
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
export const sweepScratch = async (): Promise<void> => {
  const within = tmpdir()
  const place = placeOfProcesses()
  for (const name of await readdir(within).catch(() => [])) {
    const [, pid] = new RegExp(`^${prefix}${place}-(\\d+)-`).exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid)))
      await rm(path.join(within, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

/**
 * The place of a folder of our own for the time of a check, in the system's folder for such things; whoever
 * has need of it makes it.
 */
export const placeForScratch = (): { folder: string; remove: () => Promise<void> } => {
  const folder = path.join(tmpdir(), `${prefix}${placeOfProcesses()}-${process.pid}-${randomUUID()}`)
  return {
    folder,
    remove: async () => {
      if (existsSync(folder)) await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Makes that folder where it is not there yet; the one of the system is not ours to make.
 * @throws Failed disk
 */
export const makeScratch = async (folder: string): Promise<void> => {
  if (existsSync(folder)) return
  await onDisk(path.dirname(folder), () => mkdir(folder, { mode: 0o700 }))
}
