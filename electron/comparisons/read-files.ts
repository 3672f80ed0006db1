import { Failed } from '../contract/failure.ts'
import { mostCompared, type ToldFile } from '../contract/comparisons.ts'
import type { FileEntry } from '../contract/files.ts'
import { needed, type ArchiveClient, type FilesPart } from '../dialects/dialect.ts'
import { judge } from './compare-files.ts'

type Side = 'former' | 'later'
/** The files of two packages by their paths. */
export type BothSides = Record<Side, Map<string, ToldFile>>

interface Reading {
  archive: ArchiveClient
  packages: Record<Side, string>
  signal: AbortSignal
  /** So many files were read so far, of both. */
  progressed: (files: number) => void
}

const sides = ['former', 'later'] as const

/** Opens two empty packages, and a way to lay files into them that counts. */
const openSides = (progressed: Reading['progressed']) => {
  const both: BothSides = { former: new Map(), later: new Map() }
  return {
    both,
    lay: (side: Side, file: ToldFile) => {
      both[side].set(file.path, file)
      if (both[side].size > mostCompared) throw new Failed({ kind: 'too-many-rows', most: mostCompared })
      progressed(both.former.size + both.later.size)
    },
  }
}

const toldOf = (path: string, { bytes, modified }: FileEntry): ToldFile => ({
  path,
  bytes,
  modified,
  digest: '',
  algorithm: '',
})

/** What the archive does not say in one way, it may say in another. */
const isUnsaid = (error: unknown) =>
  error instanceof Failed && ['not-found', 'server-broke', 'not-allowed'].includes(error.failure.kind)

/** Reads both sides at once; where one of them cannot be read, the other is of no use and ends. */
const readSides = async (
  signal: AbortSignal,
  read: (side: Side, signal: AbortSignal) => Promise<unknown>,
) => {
  const given = new AbortController()
  const either = AbortSignal.any([signal, given.signal])
  try {
    await Promise.all(sides.map((side) => read(side, either)))
  } catch (error) {
    given.abort()
    throw error
  }
}

/**
 * The files that the archive's own descriptions of both packages name, with their digests; undefined where
 * one of them cannot be had.
 */
const readDescribed = async ({ archive, packages, signal, progressed }: Reading) => {
  const { submission } = archive.dialect
  if (!submission) return undefined
  const { both, lay } = openSides(progressed)
  const read = (side: Side, stop: AbortSignal) =>
    submission.contents(
      archive,
      packages[side],
      ({ path, bytes, digest, algorithm }) =>
        lay(side, { path, bytes: Number.isNaN(bytes) ? null : bytes, modified: null, digest, algorithm }),
      stop,
    )
  try {
    await readSides(signal, read)
  } catch (error) {
    if (isUnsaid(error)) return undefined
    throw error
  }
  return sides.every((side) => both[side].size > 0) ? both : undefined
}

/** The files of both packages as they lie in their folders, one folder after the other. */
const readFolders = async ({ archive, packages, signal, progressed }: Reading, files: FilesPart) => {
  const { both, lay } = openSides(progressed)
  const read = async (side: Side, stop: AbortSignal) => {
    const folders = ['']
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      stop.throwIfAborted()
      for (const entry of await files.list(archive, packages[side], folder)) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`
        if (entry.isFolder) folders.push(path)
        else lay(side, toldOf(path, entry))
      }
    }
  }
  await readSides(signal, read)
  return both
}

/** Lays what is in a container in its place; one that cannot be looked into stays a file. */
const openContainer = async (
  { archive, packages, signal }: Reading,
  files: FilesPart,
  both: BothSides,
  path: string,
) => {
  const holding = sides.filter((side) => both[side].has(path))
  const inside = await Promise.all(
    holding.map(async (side) => {
      signal.throwIfAborted()
      try {
        return await files.members(archive, packages[side], path)
      } catch (error) {
        if (isUnsaid(error)) return []
        throw error
      }
    }),
  )
  if (inside.some((members) => members.length === 0)) return
  for (const [index, side] of holding.entries()) {
    both[side].delete(path)
    for (const member of inside[index] ?? []) {
      const name = `${path}/${member.name}`
      both[side].set(name, toldOf(name, member))
    }
    if (both[side].size > mostCompared) throw new Failed({ kind: 'too-many-rows', most: mostCompared })
  }
}

/**
 * Reads the files of two packages: as the archive describes each with its digest, else as they lie in
 * folders. A container that is not the same in both is looked into.
 * @throws Failed not-allowed where the archive has no files or shows them to others only, and what else went
 * wrong
 */
export const readBoth = async (reading: Reading): Promise<BothSides> => {
  const files = needed(reading.archive.dialect.files)
  const both = (await readDescribed(reading)) ?? (await readFolders(reading, files))
  const paths = new Set([...both.former.keys(), ...both.later.keys()])
  for (const path of paths) {
    if (!files.isContainer(path)) continue
    const [former, later] = [both.former.get(path), both.later.get(path)]
    if (former && later && judge(former, later).change === null) continue
    await openContainer(reading, files, both, path)
  }
  return both
}
