import { chmod, lstat, readdir } from 'node:fs/promises'
import path from 'node:path'

const forOthers = 0o077

/** Takes a file or a folder, and what is below it, from everybody but its owner. Links are not followed. */
const closeBelow = async (place: string): Promise<void> => {
  const found = await lstat(place)
  if (found.isDirectory()) {
    for (const name of await readdir(place)) await closeBelow(path.join(place, name))
    await chmod(place, 0o700)
  } else if (found.isFile() && (found.mode & forOthers) !== 0) await chmod(place, 0o600)
}

/**
 * Makes everything in the archive's folder its owner's alone: what is written from now on by the process's
 * mask (0600, 0700), what earlier versions left open once. The folder itself is closed last, so that an
 * interrupted closing is done again.
 */
export const keepPrivate = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return
  process.umask(forOthers)
  const { mode } = await lstat(folder)
  if ((mode & forOthers) !== 0) await closeBelow(folder)
}
