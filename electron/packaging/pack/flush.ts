import { execFileSync } from 'node:child_process'
import { closeSync, openSync, statSync } from 'node:fs'
import path from 'node:path'
import { syncFile } from '../../common/sync-file.ts'

/** The system call syncfs by architecture; no program but Perl calls it for a file that is open already. */
const syncfsNumbers: Partial<Record<NodeJS.Architecture, string>> = { x64: '306', arm64: '267', arm: '373' }

/**
 * Linux tells of what it could not write, and gives it back from memory as if it had been. It tells every
 * file that was open by then, and of those that are opened later only the first that asks. So the folder asks
 * that was opened before anything was written; where there is no Perl, one that is opened now, and then a
 * package that is one file for itself, of which nobody else is told.
 *
 * Whoever hears of it removes the digest log, whether the process that asked lives on or not: all is copied
 * anew then; and the logs of works beside it, which may have been killed, and will not be told. A log that is
 * gone was removed by one that heard what this one may not hear.
 *
 * $1 is the number of syncfs, empty where it is not known; $2 the target, $3 the digest log, $4 the folder of
 * the works; its input is the folder that was opened before.
 */
const script = `
  if [ -n "$1" ] && command -v perl > /dev/null; then perl -e 'exit(syscall($ARGV[0], 0) != 0)' "$1"
  else sync -f "$2" && sync "$2"; fi && [ -e "$3" ] || { rm -f "$3" "$4"/*.work/"\${3##*/}"; exit 1; }`

/**
 * Watches what is written to a file system from now on, where the system can be asked for that.
 * @param folder on it, where the target will lie
 */
export const watchWrites = (folder: string) => {
  const handle = process.platform === 'linux' ? openSync(folder, 'r') : undefined
  return {
    /**
     * Brings what was written from memory to the disk.
     * @throws Error where something that was written meanwhile could not be, by whomever
     */
    flush: (target: string, digestLog: string) => {
      if (process.platform === 'darwin') execFileSync('sync')
      // Windows lets administrators alone flush a whole disk.
      if (process.platform === 'win32' && statSync(target).isFile()) syncFile(target)
      if (handle === undefined) return
      const works = path.dirname(path.dirname(digestLog))
      const given = [syncfsNumbers[process.arch] ?? '', target, digestLog, works]
      execFileSync('sh', ['-c', script, 'sh', ...given], { stdio: [handle, 'ignore', 'inherit'] })
    },
    close: () => {
      if (handle !== undefined) closeSync(handle)
    },
  }
}
export type WatchedWrites = ReturnType<typeof watchWrites>
