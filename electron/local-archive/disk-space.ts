import { statfsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { NoSpace } from './system-error.ts'

/** What is left for the database, which tells of a full disk. */
const spareBytes = 4 * 1024 * 1024

const inWords = (bytes: number) =>
  bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`

/**
 * Looks for space before anything is written.
 * @param wanted bytes by folder; folders on one file system share its space
 * @throws NoSpace where a file system has not that much
 */
export const ensureSpace = (wanted: { folder: string; bytes: number }[], what: string): void => {
  const devices = new Map<number, { folder: string; bytes: number }>()
  for (const { folder, bytes } of wanted) {
    const { dev } = statSync(folder)
    devices.set(dev, { folder, bytes: bytes + (devices.get(dev)?.bytes ?? 0) })
  }
  for (const { folder, bytes } of devices.values()) {
    const { bavail, bsize } = statfsSync(folder)
    if (bavail * bsize < bytes + spareBytes)
      throw new NoSpace(`There is no room ${what}: ${inWords(bytes + spareBytes)} are needed.`)
  }
}

/** Bytes that are free on the disk of a folder; 0 where that cannot be known. */
export const freeBytes = (folder: string): Promise<number> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
