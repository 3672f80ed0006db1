import type { ArchiveClient } from '../dialects/dialect.ts'
import { findPreservedDigest, type PreservedDigest } from './preserved-digest.ts'

/** A file of a package of an archive. */
export interface FileOfArchive {
  archive: string
  package: string
  path: string
}

export type KnownDigests = ReturnType<typeof openKnownDigests>

/**
 * What packages say of their files, known for as long as a file is open that was compared: whoever saves it
 * meanwhile does not have the archive read the METS of a million files once more. Whoever compares an open
 * file asks anew, and keeps what is said then.
 */
export const openKnownDigests = () => {
  const known = new Map<string, { said: PreservedDigest | undefined }>()
  const keyOf = ({ archive, package: of, path }: FileOfArchive) => JSON.stringify([archive, of, path])
  return {
    /**
     * What a package says of a file.
     * @returns undefined where nothing in it says that
     * @throws Failed what the archive says where it cannot be asked; the reason of the signal
     */
    find: async (
      file: FileOfArchive,
      client: ArchiveClient,
      signal: AbortSignal,
    ): Promise<PreservedDigest | undefined> => {
      const there = known.get(keyOf(file))
      if (there) return there.said
      return findPreservedDigest({ archive: client, package: file.package, path: file.path, signal })
    },
    /** Knows it from now on, until it is forgotten. */
    keep: (file: FileOfArchive, said: PreservedDigest | undefined): void => {
      known.set(keyOf(file), { said })
    },
    forget: (file: FileOfArchive): void => {
      known.delete(keyOf(file))
    },
  }
}
