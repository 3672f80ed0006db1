import { readdirSync, readlinkSync } from 'node:fs'

/**
 * Files whose paths begin so and that a process, this one unless told, has open in any thread (Linux only).
 */
export const openFilesAt = (beginning: string, pid: number | 'self' = 'self'): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/${pid}/fd/${fd}`)
      return file.startsWith(beginning) ? [file] : []
    } catch {
      // Closed while we looked.
      return []
    }
  })
