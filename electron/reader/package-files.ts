import { setImmediate as afterOthers } from 'node:timers/promises'
import { folded } from '../common/fold.ts'
import type { FileEntry } from '../contract/files.ts'
import { mostFound, type FoundFile } from '../contract/reader.ts'
import { needed, type ArchiveClient } from '../dialects/dialect.ts'

/** Folders are asked for so many at a time. */
const atOnce = 4
/** A long folder is taken over so many files at a time, so that others are answered meanwhile. */
const inOneGo = 2_000
/** So many endings are told; the others are those of few files. */
const mostEndings = 30
/** What is longer is no ending, but a name with a dot in it. */
const longestEnding = 12

/** The ending of a name, in lower case and without its dot; empty where it has none. */
export const endingOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return ending.length === name.length || ending.length > longestEnding ? '' : ending
}

interface HeldFile extends FoundFile {
  /** The path as it is looked through. */
  words: string
  ending: string
}

export type HeldFiles = ReturnType<typeof openHeldFiles>

/** Files of a package by their paths, which are looked through in memory. */
export const openHeldFiles = () => {
  const all: HeldFile[] = []
  const endings = new Map<string, number>()
  let isInOrder = true
  return {
    add: (path: string, bytes: number | null) => {
      const ending = endingOf(path)
      all.push({ id: path, bytes, words: folded(path), ending })
      endings.set(ending, (endings.get(ending) ?? 0) + 1)
      isInOrder = false
    },
    count: () => all.length,
    /** How many files have each ending, the most frequent first. */
    endings: () =>
      [...endings]
        .sort(([a, one], [b, other]) => other - one || a.localeCompare(b))
        .slice(0, mostEndings)
        .map(([ending, files]) => ({ ending, files })),
    /** A page of the files whose paths contain every word of a text, in the order of their paths. */
    find: (text: string, ending: string | null, offset: number, limit: number) => {
      if (!isInOrder) all.sort((a, b) => (a.words < b.words ? -1 : a.words > b.words ? 1 : 0))
      isInOrder = true
      const words = folded(text).split(/\s+/).filter(Boolean)
      const rows: FoundFile[] = []
      let total = 0
      for (const file of all) {
        if (ending !== null && file.ending !== ending) continue
        if (!words.every((word) => file.words.includes(word))) continue
        if (total >= offset && rows.length < limit) rows.push({ id: file.id, bytes: file.bytes })
        total += 1
      }
      return { rows, total }
    },
  }
}

interface Reading {
  archive: ArchiveClient
  package: string
  held: Pick<HeldFiles, 'add' | 'count'>
  signal: AbortSignal
  progressed: () => void
}

const pathIn = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)

/**
 * Lays the names of all files of a package, folder by folder. A container that lies alone, as where a package
 * was sent in one tar, is looked into; any other is a file.
 * @returns whether there are more than are laid
 * @throws Failed what the archive says; the reason of the signal
 */
export const readPackageFiles = async (reading: Reading): Promise<boolean> => {
  const { archive, package: id, held, signal, progressed } = reading
  const files = needed(archive.dialect.files)
  const folders = ['']
  let isCut = false
  const lay = async (folder: string, entries: readonly FileEntry[]) => {
    for (const [index, { name, isFolder, bytes }] of entries.entries()) {
      if (index % inOneGo === inOneGo - 1) await afterOthers()
      signal.throwIfAborted()
      if (held.count() >= mostFound) isCut = true
      else if (isFolder) folders.push(pathIn(folder, name))
      else held.add(pathIn(folder, name), bytes)
    }
    progressed()
  }
  const read = async (folder: string) => {
    const entries = await files.list(archive, id, folder)
    const [only, ...others] = entries
    const container =
      only?.isContainer === true && others.length === 0 ? pathIn(folder, only.name) : undefined
    if (container === undefined) await lay(folder, entries)
    else await lay(container, await files.members(archive, id, container))
  }
  while (folders.length > 0 && !isCut) {
    signal.throwIfAborted()
    await Promise.all(folders.splice(0, atOnce).map(read))
  }
  return isCut
}
