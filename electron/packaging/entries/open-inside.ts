import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, type Stats } from 'node:fs'
import path from 'node:path'
import { isRefusedByWindows } from '../names.ts'
import { codeOf } from '../../common/errors.ts'

/** Windows has neither of them: there a link is found by looking at each part of the path. */
const withoutFollowing = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const absent = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'])

/**
 * What the system says that an open file or folder is called, links resolved; undefined where it does not
 * say.
 */
const systemName = (handle: number): Buffer | undefined => {
  if (process.platform !== 'linux') return undefined
  try {
    return readlinkSync(`/proc/self/fd/${handle}`, { encoding: 'buffer' })
  } catch {
    return undefined
  }
}

/** Whether every part of a path below a folder is a folder and no link, and its last part what was opened. */
const isReached = (root: string, file: string, opened: Stats): boolean => {
  for (let part = path.dirname(file); part.length > root.length; part = path.dirname(part))
    if (!lstatSync(part).isDirectory()) return false
  if (file === root) return opened.isDirectory()
  const { dev, ino } = lstatSync(file)
  return dev === opened.dev && ino === opened.ino
}

/**
 * Whether a handle is of the file that its path names, with no link in any part of it. Node has no openat(2),
 * with which a path could be walked part by part; so what was opened is looked at before anything of it is
 * read. On Linux the system itself says what the handle is of, and nobody can change that afterwards: the
 * race is closed there. Elsewhere, and where a file system spells names in its own way, each part is looked
 * at: somebody who exchanges folders for links and back between two looks could still be followed.
 */
const isOfPath = (handle: number, root: string, file: string): boolean => {
  const said = systemName(handle)
  if (said?.equals(Buffer.from(file)) === true) return true
  try {
    return isReached(root, file, fstatSync(handle))
  } catch (error) {
    if (absent.has(codeOf(error))) return false
    throw error
  }
}

/**
 * Opens a file below a folder for reading. No link is followed in any part of its path, and nothing but a
 * file is ever opened: a pipe would make the one who opens it wait, a device may do something.
 * @param root the folder, as the system calls it (realpath)
 * @param name with '/', below the folder; what Windows would take for another name (`a\\b`, `a::$DATA`, `a.`)
 * is none there
 * @returns undefined where nothing has this name; 'link' where a part of it is a link, a pipe, a socket or a
 * device
 */
export const openInside = (
  root: string,
  name: string,
  platform: NodeJS.Platform = process.platform,
): { handle: number; bytes: number } | undefined | 'folder' | 'link' => {
  if (platform === 'win32' && name.split('/').some(isRefusedByWindows)) return undefined
  const file = path.join(root, ...name.split('/'))
  let handle: number
  try {
    const before = lstatSync(file)
    if (before.isDirectory()) return isReached(root, file, before) ? 'folder' : 'link'
    if (!before.isFile()) return 'link'
    handle = openSync(file, constants.O_RDONLY | withoutFollowing)
  } catch (error) {
    if (codeOf(error) === 'ELOOP') return 'link'
    if (absent.has(codeOf(error))) return undefined
    throw error
  }
  try {
    const opened = fstatSync(handle)
    if (opened.isFile() && isOfPath(handle, root, file)) return { handle, bytes: opened.size }
  } catch (error) {
    closeSync(handle)
    throw error
  }
  closeSync(handle)
  return 'link'
}

/**
 * Opens a folder below another to be listed, as `openInside` opens a file.
 * @param folder its path, as bytes: its name may be no text
 * @returns the path under which it is to be listed, that of the handle where the system has one; undefined
 * where it is no folder now
 */
export const openFolderInside = (
  root: string,
  folder: Buffer,
): { handle: number; list: Buffer } | undefined => {
  if (process.platform !== 'linux') {
    const file = folder.toString('utf8')
    return isReached(root, file, lstatSync(folder)) ? { handle: -1, list: folder } : undefined
  }
  let handle: number
  try {
    handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | withoutFollowing)
  } catch (error) {
    if (['ELOOP', 'ENOTDIR'].includes(codeOf(error))) return undefined
    throw error
  }
  if (systemName(handle)?.equals(folder) === true || isOfPath(handle, root, folder.toString('utf8')))
    return { handle, list: Buffer.from(`/proc/self/fd/${handle}`) }
  closeSync(handle)
  return undefined
}
