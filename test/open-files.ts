import { readdirSync, readlinkSync } from 'node:fs'

/** Files whose paths begin so and that this process has open, in whichever thread (Linux only). */
export const openFilesAt = (beginning: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`)
      return file.startsWith(beginning) ? [file] : []
    } catch {
      // Closed while we looked.
      return []
    }
  })
