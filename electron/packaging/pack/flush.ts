import { execFileSync } from 'node:child_process'

/**
 * Linux tells once of what it could not write, and gives it back from memory as if it had been. So whoever
 * hears that removes the digest log, whether the process that asked lives on or not: all is copied anew then.
 * A log that is gone was removed by one that an earlier run began, and that heard what this one will not.
 */
const script = 'sync -f "$1" && [ -e "$2" ] || { rm -f "$2"; exit 1; }'

/**
 * Brings what was written from memory to the disk, where the system can be asked for that.
 * @throws Error where something could not be written
 */
export const flush = (target: string, digestLog: string) => {
  if (process.platform === 'linux') execFileSync('sh', ['-c', script, 'sync', target, digestLog])
  else if (process.platform === 'darwin') execFileSync('sync')
}
