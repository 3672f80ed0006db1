import { stat } from 'node:fs/promises'
import path from 'node:path'
import { diskFailure } from '../../../packaging/disk.ts'

/**
 * Whether Windows would ask another computer for this path (`\\server\share`, also with slashes or as a
 * device path). To ask is to tell that computer who is signed in at this one, so not even its existence is
 * looked up.
 */
export const isNetworkPath = (folder: string) => /^[\\/]{2}/.test(folder)

/**
 * Whether something has this name.
 * @throws Failed disk where that cannot be known: a share that fails says nothing of what lies on it
 */
export const exists = (file: string) =>
  stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false
      throw diskFailure(error, file)
    },
  )

const deviceOf = (folder: string) =>
  stat(folder).then(
    ({ dev }) => dev,
    (error: NodeJS.ErrnoException) => {
      throw diskFailure(error, folder)
    },
  )

/**
 * The mount point that a folder lies below: the folder itself or the nearest one above it that lies on
 * another device than the one which holds it. Names of devices change with every start; mount points stay.
 * @throws Failed disk where that cannot be known
 */
export const mountPointOf = async (folder: string): Promise<string> => {
  let found = path.resolve(folder)
  const device = await deviceOf(found)
  for (let above = path.dirname(found); above !== found; above = path.dirname(found)) {
    if ((await deviceOf(above)) !== device) break
    found = above
  }
  return found
}

/**
 * The mount point below which a folder lay and at which nothing is mounted now; null where all is as it was.
 * The empty folder that a share leaves behind takes whatever is put there, and nobody ever sees it.
 */
export const lostMount = (before: string | null, now: string): string | null =>
  before !== null && now.length < before.length ? before : null
