import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from '../../common/errors.ts'
import { packageCopier } from './copy-package.ts'
import { inspect, fingerprintOf } from './fingerprint.ts'

/** @throws where that cannot be known */
const exists = (file: string) => {
  try {
    lstatSync(file)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Takes an entry out of the ingest folder. @returns whether it is there, now or since an earlier time */
const receive = ({ waiting, received }: { waiting: string; received: string }): boolean => {
  mkdirSync(path.dirname(received), { recursive: true })
  if (exists(received)) return true
  // Whoever put it there took it back.
  if (!exists(waiting)) return false
  renameSync(waiting, received)
  return true
}

/**
 * What is done with the files of packages on their way in, in a thread: call by call without a round through
 * the event loop, which for small files costs many times what the disk does. Only what is long gives others
 * their turn in between.
 */
export const openIntake = () => ({
  inspect,
  receive,
  fingerprintOf,
  copy: packageCopier(),
  remove: (folder: string) => rmSync(folder, { recursive: true, force: true }),
})
export type Intake = ReturnType<typeof openIntake>

/** What went wrong, as it is told from one thread to another. */
export interface Trouble {
  message: string
  /** By which the system's errors are known; empty for others. */
  code: string
  isNoSpace: boolean
}
export type Outcome<Value> = { value: Value } | { trouble: Trouble }

/** Something to do with each of several things. */
export type IntakeRequest = {
  [Name in keyof Intake]: { name: Name; items: Parameters<Intake[Name]>[0][] }
}[keyof Intake]
