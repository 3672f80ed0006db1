import { pathBelow } from '../../../electron/contract/file-paths.ts'
import type { FileEntry } from '../../../electron/contract/files.ts'

/** A folder of a package, with the containers that were passed on the way there. */
export interface OpenFolder {
  path: string
  entries: FileEntry[]
  containers: string[]
}

/** No archive nests its packages deeper than this. */
const mostFolders = 20

/**
 * Goes down from a folder for as long as nothing lies in it but one other folder, or one file that can be
 * looked into, as where a package was sent in one tar.
 * @param list what lies in a folder
 */
export const descend = async (
  list: (path: string) => Promise<FileEntry[]>,
  from: string,
): Promise<OpenFolder> => {
  let at: OpenFolder = { path: from, entries: await list(from), containers: [] }
  for (let passed = 0; passed < mostFolders; passed += 1) {
    const [only, ...others] = at.entries
    if (!only || others.length > 0 || !(only.isFolder || only.isContainer)) return at
    const path = pathBelow(at.path, only.name)
    // What cannot be looked into is shown where it lies.
    const entries = await list(path).catch(() => undefined)
    if (entries === undefined) return at
    at = { path, entries, containers: only.isContainer ? [...at.containers, path] : at.containers }
  }
  return at
}
