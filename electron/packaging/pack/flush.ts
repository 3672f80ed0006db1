import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { diskFailure } from '../disk.ts'

const run = promisify(execFile)

/**
 * Linux tells once of what it could not write, and gives it back from memory as if it had. So whoever hears
 * it sees to it that all is copied anew, whether this process lives on or not.
 */
const script = 'sync -f "$1" || { rm -f "$2"; exit 1; }'
const commandFor = (file: string, digestLog: string) => ['-c', script, 'sync', file, digestLog]

/** Brings what was written from memory to the disk, where the system can be asked for that. */
export const flush = (target: string, digestLog: string) => {
  if (process.platform === 'linux') execFileSync('sh', commandFor(target, digestLog))
  else if (process.platform === 'darwin') execFileSync('sync')
}

/** What is less than this is left to the last flush. */
const leastBytes = 64 * 1024 * 1024

/**
 * Lets the disk write while there is more to copy: what waits in memory until the end is time that the last
 * flush takes. Only Linux does so for one file system alone.
 * @param folder the one that the package will lie in
 */
export const flusher = (folder: string, digestLog: string) => {
  let before = 0
  let flushing: Promise<unknown> | undefined
  let trouble: unknown
  /** @throws Failed disk where something could not be written */
  const check = () => {
    if (trouble !== undefined) throw diskFailure(trouble, folder)
  }
  return {
    /** Begins, where there is enough and none is under way. @param bytes that were written by now */
    push: (bytes: number) => {
      if (process.platform !== 'linux' || flushing || bytes - before < leastBytes) return
      before = bytes
      flushing = run('sh', commandFor(folder, digestLog))
        .catch((error: unknown) => (trouble ??= error))
        .finally(() => (flushing = undefined))
    },
    check,
    /** Waits for what is under way. @throws as `check` */
    end: async () => {
      await flushing
      check()
    },
  }
}
