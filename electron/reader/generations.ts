import { openNameSearch } from '../common/name-search.ts'
import { Failed } from '../contract/failure.ts'
import { folderOf, nameIn } from '../contract/file-paths.ts'
import type { FileEntry } from '../contract/files.ts'
import type { FileInGeneration } from '../contract/reader.ts'
import { needed, type ArchiveClient } from '../dialects/dialect.ts'
import { findPreservedDigest } from './preserved-digest.ts'

interface Asked {
  archive: ArchiveClient
  package: string
  path: string
  signal: AbortSignal
}

type Said = ReturnType<typeof findPreservedDigest>

type Place = Pick<Asked, 'archive' | 'package'>

/** What lies in a folder of a package; undefined where there is no such folder. */
const entriesIn = async ({ archive, package: id }: Place, folder: string) => {
  try {
    return await needed(archive.dialect.files).list(archive, id, folder)
  } catch (error) {
    if (error instanceof Failed && error.failure.kind === 'not-found') return undefined
    throw error
  }
}

const named = (entries: FileEntry[], name: string, isFolder: boolean): FileEntry | undefined => {
  const search = openNameSearch<FileEntry>(name)
  for (const entry of entries) if (entry.isFolder === isFolder) search.see(entry.name, entry)
  return search.found()
}

/** The same for a folder whose path, or one above it, may be in another Unicode normal form there. */
const entriesInRespelled = async (place: Place, folder: string): Promise<FileEntry[] | undefined> => {
  let written = ''
  let entries = await entriesIn(place, written)
  for (const name of folder.split('/')) {
    const inside = entries && named(entries, name, true)
    if (!inside) return undefined
    written = written === '' ? inside.name : `${written}/${inside.name}`
    entries = await entriesIn(place, written)
  }
  return entries
}

/** A file of a package as its folder tells it; undefined where it is not there. */
const entryOf = async ({ path, ...place }: Asked): Promise<FileEntry | undefined> => {
  const folder = folderOf(path)
  const hasForms = folder.normalize('NFC') !== folder.normalize('NFD')
  const entries = (await entriesIn(place, folder)) ?? (hasForms && (await entriesInRespelled(place, folder)))
  return entries ? named(entries, nameIn(path), false) : undefined
}

/**
 * Compares a file of a package with what stands under the same path in other generations: by the digests that
 * both packages name, else by the lengths.
 * @param askFile what its package says of the file itself; it is asked once at most
 * @returns asks about one generation; throws Failed what the archive says where it cannot be asked, and the
 * reason of the signal
 */
export const comparedWithGenerations = (asked: Asked, askFile: () => Said) => {
  let entry: ReturnType<typeof entryOf> | undefined
  let digest: Said | undefined
  return async (other: string): Promise<Pick<FileInGeneration, 'is' | 'by'>> => {
    const there = { ...asked, package: other }
    const [one, two] = await Promise.all([(entry ??= entryOf(asked)), entryOf(there)])
    asked.signal.throwIfAborted()
    if (!two) return { is: 'absent', by: null }
    if (typeof one?.bytes === 'number' && two.bytes !== null && one.bytes !== two.bytes)
      return { is: 'changed', by: 'size' }
    const [first, second] = await Promise.all([(digest ??= askFile()), findPreservedDigest(there)])
    if (first && first.algorithm === second?.algorithm)
      return { is: first.digest === second.digest ? 'same' : 'changed', by: 'digest' }
    return { is: 'unknown', by: null }
  }
}
