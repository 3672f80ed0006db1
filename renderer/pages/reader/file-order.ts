import type { FileEntry } from '../../../electron/contract/files.ts'
import { isPackaging } from '../../../electron/contract/packaging-files.ts'

/** Where the files are that were sent: in a bag (RFC 8493, 2.1.2), and in what ESSArch makes of one. */
const payloadFolders = new Set(['data', 'content'])

const rankOf = (folder: string, { name, isFolder }: FileEntry): number => {
  // What is called so among the files that were sent is one of them.
  if (folder.split('/').includes('data')) return 1
  if (isFolder) return payloadFolders.has(name) ? 0 : 1
  return isPackaging(`${folder}/${name}`) ? 2 : 1
}

/** What lies in a folder of a package: the files that were sent first, those that only pack them last. */
export const inReadingOrder = (folder: string, entries: readonly FileEntry[]): FileEntry[] =>
  entries.toSorted((one, other) => rankOf(folder, one) - rankOf(folder, other))
