import { folded } from '../common/fold.ts'
import { inSlices, sortedInSlices } from '../common/slices.ts'
import { pathBelow } from '../contract/file-paths.ts'
import type { FileEntry } from '../contract/files.ts'
import {
  mayHaveThumbnail,
  mostFound,
  type FileFormat,
  type FilesOfFormat,
  type FoundFile,
  type PackageFiles,
} from '../contract/reader.ts'
import { isPackaging } from '../contract/packaging-files.ts'
import { needed, type ArchiveClient } from '../dialects/dialect.ts'
import { formatNameOf } from './format-names.ts'

/** Folders are asked for so many at a time. */
const atOnce = 4
/** So many formats are told; the others are those of few files. */
const mostFormats = 30
/** So many files stand for all. */
const mostLeading = 6

interface IndexedFile extends FoundFile {
  /** The path as it is looked through. */
  words: string
  format: string
}

export type FileIndex = ReturnType<typeof openFileIndex>

/** Adds up files of a format. */
const openFormatCounts = () => {
  const all = new Map<string, FilesOfFormat>()
  return {
    of: (format: string): number => all.get(format)?.files ?? 0,
    add: (format: string, bytes: number) => {
      const { files, bytes: before } = all.get(format) ?? { files: 0, bytes: 0 }
      all.set(format, { format, files: files + 1, bytes: before + bytes })
    },
    mostFrequent: () =>
      [...all.values()]
        .sort((a, b) => b.files - a.files || a.format.localeCompare(b.format))
        .slice(0, mostFormats),
  }
}

const byPath = (one: IndexedFile, other: IndexedFile) =>
  one.words < other.words ? -1 : one.words > other.words ? 1 : 0

/** The first pictures, and after them the first file of each other format; none that only pack the others. */
const leadingOf = (inOrder: readonly IndexedFile[]): FoundFile[] => {
  const pictures: FoundFile[] = []
  const others = new Map<string, FoundFile>()
  for (const { id, bytes, format } of inOrder) {
    if (pictures.length === mostLeading) break
    if (isPackaging(id)) continue
    if (mayHaveThumbnail(id, bytes)) pictures.push({ id, bytes })
    else if (!others.has(format)) others.set(format, { id, bytes })
  }
  return [...pictures, ...others.values()].slice(0, mostLeading)
}

/**
 * Files of a package by their paths, which are looked through in memory.
 * @param identified what a file is, where that was found out
 */
export const openFileIndex = (identified: ReadonlyMap<string, FileFormat> = new Map()) => {
  const all: IndexedFile[] = []
  const counts = openFormatCounts()
  let ordered: Promise<IndexedFile[]> | undefined
  const inOrder = () => (ordered ??= sortedInSlices(all, byPath))
  return {
    add: (path: string, bytes: number | null) => {
      const format = formatNameOf(path, identified.get(path))
      all.push({ id: path, bytes, words: folded(path), format })
      counts.add(format, bytes ?? 0)
      ordered = undefined
    },
    count: () => all.length,
    /** How many files have each format, the most frequent first. */
    formats: counts.mostFrequent,
    /** How many files have the format that one has, and what that is called. */
    alike: (path: string) => {
      const format = formatNameOf(path, identified.get(path))
      return { format, files: counts.of(format) }
    },
    /** Some files that stand for all. */
    leading: async () => leadingOf(await inOrder()),
    /** A page of the files whose paths contain every word of a text, in the order of their paths. */
    find: async (text: string, format: string | null, offset: number, limit: number) => {
      const words = folded(text).split(/\s+/).filter(Boolean)
      const rows: FoundFile[] = []
      let total = 0
      await inSlices(await inOrder(), (file) => {
        if (format !== null && file.format !== format) return
        if (!words.every((word) => file.words.includes(word))) return
        if (total >= offset && rows.length < limit) rows.push({ id: file.id, bytes: file.bytes })
        total += 1
      })
      return { rows, total }
    },
  }
}

interface Reading {
  archive: ArchiveClient
  package: string
  index: Pick<FileIndex, 'add' | 'count'>
  signal: AbortSignal
  progressed: () => void
}

/**
 * Lays the names of all files of a package, folder by folder. A container that lies alone, as where a package
 * was sent in one tar, is looked into; any other is a file.
 * @returns whether there are more than are laid, and whether those of a container are among them
 * @throws Failed what the archive says; the reason of the signal
 */
export const readPackageFiles = async (
  reading: Reading,
): Promise<Pick<PackageFiles, 'isCut' | 'hasContainer'>> => {
  const { archive, package: id, index, signal, progressed } = reading
  const files = needed(archive.dialect.files)
  const folders = ['']
  let isCut = false
  let hasContainer = false
  const lay = async (folder: string, entries: readonly FileEntry[]) => {
    const isLeft = () => signal.aborted
    await inSlices(
      entries,
      ({ name, isFolder, bytes }) => {
        if (index.count() >= mostFound) isCut = true
        else if (isFolder) folders.push(pathBelow(folder, name))
        else index.add(pathBelow(folder, name), bytes)
      },
      isLeft,
    )
    signal.throwIfAborted()
    progressed()
  }
  const read = async (folder: string) => {
    const entries = await files.list(archive, id, folder)
    const [only, ...others] = entries
    const container =
      only?.isContainer === true && others.length === 0 ? pathBelow(folder, only.name) : undefined
    if (container === undefined) return lay(folder, entries)
    hasContainer = true
    return lay(container, await files.members(archive, id, container))
  }
  while (folders.length > 0 && !isCut) {
    signal.throwIfAborted()
    await Promise.all(folders.splice(0, atOnce).map(read))
  }
  return { isCut, hasContainer }
}
