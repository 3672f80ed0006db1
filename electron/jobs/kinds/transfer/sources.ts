import { stat } from 'node:fs/promises'
import { Failed } from '../../../contract/failure.ts'
import type { Counts } from '../../../contract/counts.ts'
import type { PackingSettings, Source } from '../../../contract/transfers.ts'
import { formatNamed } from '../../../packaging/formats.ts'
import { surveySources } from '../../../packaging/pack/pack.ts'
import type { PackagingScripts } from '../../../packaging/scripts.ts'

export const nothing: Counts = { files: 0, folders: 0, bytes: 0 }

/** What all sources of a transfer hold. */
export const sum = (sources: Source[]): Counts =>
  sources.reduce(
    (all, { files, folders, bytes }) => ({
      files: all.files + files,
      folders: all.folders + folders,
      bytes: all.bytes + bytes,
    }),
    nothing,
  )

const noLists = {
  skipped: { count: 0, first: [] },
  warned: { count: 0, first: [] },
  extensions: [],
  empty: 0,
  unnameable: 0,
  unreadable: { count: 0, first: [] },
  notInZip: { count: 0, first: [] },
  emptyFolders: { count: 0, first: [] },
  misnamed: { count: 0, first: [] },
}
const mostShown = 100

/**
 * Counts what a source would bring into a package, in a thread of its own, however large it is.
 * @param packing what it is to be packed as
 * @returns the source; with a failure where it cannot be read, or where only another version of this program
 * knows the format
 */
export const countSource = async (
  file: string,
  packing: Pick<PackingSettings, 'format'>,
  scripts: PackagingScripts,
): Promise<Source> => {
  const isFolder = await stat(file).then(
    (entry) => entry.isDirectory(),
    () => true,
  )
  try {
    const found = await surveySources([file], formatNamed(packing.format), {
      scripts: scripts.pack,
      signal: new AbortController().signal,
    })
    const { counts, extensions, empty, unnameable } = found
    const cut = <T>({ count, first }: { count: number; first: T[] }) => ({
      count,
      first: first.slice(0, mostShown),
    })
    return {
      path: file,
      isFolder,
      files: counts.files,
      folders: counts.folders,
      bytes: counts.bytes,
      skipped: cut(found.skipped),
      warned: cut(found.warned),
      extensions,
      empty,
      unnameable,
      unreadable: cut(found.unreadable),
      notInZip: cut(found.notInZip),
      emptyFolders: cut(found.emptyFolders),
      misnamed: cut(found.misnamed),
      failure: null,
    }
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    return { path: file, isFolder, ...nothing, ...noLists, failure: error.failure }
  }
}

/** How many things of the sources will not be packed. */
export const skippedOf = (sources: Source[]) => sources.reduce((all, { skipped }) => all + skipped.count, 0)
