import type { FileEntry } from '../../../electron/contract/files.ts'
import { isPackaging } from '../../../electron/contract/packaging-files.ts'

/**
 * Where the files are that were sent: in a bag (RFC 8493, 2.1.2), in what ESSArch makes of one, and in a
 * package of E-ARK (CSIPSTR9).
 */
const payloadFolders = new Set(['data', 'content', 'representations'])

/**
 * What lies in a folder of a package: the files that were sent first, those that only pack them last. Each
 * name is looked at once: there may be hundreds of thousands.
 */
export const inReadingOrder = (folder: string, entries: readonly FileEntry[]): FileEntry[] => {
  // What is called so among the files that were sent is one of them.
  if (folder.split('/').includes('data')) return [...entries]
  const [payload, others, packing]: [FileEntry[], FileEntry[], FileEntry[]] = [[], [], []]
  for (const entry of entries) {
    const { name, isFolder } = entry
    if (isFolder) (payloadFolders.has(name) ? payload : others).push(entry)
    else (isPackaging(name) ? packing : others).push(entry)
  }
  return [...payload, ...others, ...packing]
}
