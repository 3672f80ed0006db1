import { lstatSync } from 'node:fs'
import path from 'node:path'
import { payloadOf, type BagContents } from './contents.ts'
import type { Found } from '../../findings.ts'
import type { ListedNames } from '../../entries/name-table.ts'

/** What the lines of a manifest brought. */
export interface Listing {
  manifest: string
  names: ListedNames
  /** How many of its names are files that could be opened. */
  present: number
  /** Whether nothing at all was found in its lines, or no error. */
  isClean: boolean
  hasErrors: boolean
}

/**
 * Whether two names of a folder are one file: some file systems take every form of an accent for the same.
 */
const areOneFile = (folder: string, name: string, other: string) => {
  const [first, second] = [name, other].map((file) =>
    lstatSync(path.join(folder, file), { throwIfNoEntry: false }),
  )
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev
}

/**
 * Compares the payload with what manifests list of it. That both are as many says nothing: a file system may
 * have several names for one file (capitals, short names of MS-DOS, streams of NTFS), and then one that is
 * listed twice hides one that is not listed.
 */
export const payloadComparer = (contents: BagContents, found: Found) => {
  const { place, counts, names: walked } = contents
  /** Whether every walk saw all there is; what the first one could not read was told then. */
  let isSeen = contents.isWhole
  const unread = (name: string) => {
    if (isSeen) found('error', 'unreadable', name, name)
    isSeen = false
  }
  /**
   * Files that one of the manifests lists, each with a bit in the order of the walk: many manifests together
   * need no more.
   */
  let listedInOne = new Uint8Array(0)
  let inDoubt = 0
  let firstManifest = ''

  const isListed = (names: ListedNames, name: string) => {
    if (names.has(name)) return true
    const spellings = place.form === 'folder' ? [name.normalize('NFC'), name.normalize('NFD')] : []
    return spellings.some(
      (spelling) => spelling !== name && names.has(spelling) && areOneFile(place.path, name, spelling),
    )
  }
  const isWhole = ({ names, present, isClean }: Listing) =>
    isClean && (walked ? names.sum?.() === walked.sum() : present === counts.files)

  return {
    /**
     * @param isEach whether this manifest has to list every file (RFC 8493 2.1.3, since 1.0), not only some
     * of them do together
     */
    compare: (listing: Listing, isEach: boolean) => {
      if (isWhole(listing)) return
      const { manifest, names, present, hasErrors } = listing
      if (!isEach && inDoubt === 0) listedInOne = new Uint8Array(Math.ceil(counts.files / 8))
      if (!isEach) inDoubt += 1
      firstManifest ||= manifest
      let matched = 0
      let position = -1
      for (const name of payloadOf(place, unread)) {
        position += 1
        if (!isListed(names, name)) {
          if (isEach) found('error', 'unlisted', manifest, name)
          continue
        }
        matched += 1
        if (!isEach) listedInOne[position >> 3] = (listedInOne[position >> 3] ?? 0) | (1 << (position & 7))
      }
      if (!hasErrors && isSeen && present !== matched)
        found('error', 'counts', manifest, `${present} ≠ ${matched}`)
    },
    /**
     * Before 1.0 each file had to stand in one of the manifests (RFC 8493 6.1): those that stand in none,
     * where none lists all.
     */
    settle: (manifests: number) => {
      if (inDoubt === 0 || inDoubt < manifests) return
      let position = -1
      for (const name of payloadOf(place)) {
        position += 1
        if (((listedInOne[position >> 3] ?? 0) & (1 << (position & 7))) === 0)
          found('error', 'unlisted', firstManifest, name)
      }
    },
  }
}
export type PayloadComparer = ReturnType<typeof payloadComparer>
