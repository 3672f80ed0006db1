import type { EntryNote } from './container-error.ts'
import type { FoundEntry } from './found-entry.ts'
import { mostNames, nameTable, newNameTable, type NameTable } from './name-table.ts'

/**
 * Where the entries of a tar or zip lie, found by their names; memory that threads share. Numbers of an entry
 * stand at its place in `names`.
 */
export interface EntryIndex {
  names: NameTable
  /** One of `is`, with what else is known. */
  facts: Uint8Array<SharedArrayBuffer>
  /** Where the content begins, or -1. */
  position: Float64Array<SharedArrayBuffer>
  bytes: Float64Array<SharedArrayBuffer>
  /** Length as it lies there; empty in a tar. */
  stored: Float64Array<SharedArrayBuffer>
  /** CRC-32 of the content; empty in a tar. */
  crcs: Uint32Array<SharedArrayBuffer>
  /** 1 where the content was read and is what the archive says of it, or where it was told that it is not. */
  read: Uint8Array<SharedArrayBuffer>
}

/** What an entry is. A folder that others lie in is one, listed or not. */
export const entryFlag = { file: 1, folder: 2, other: 4, compressed: 8, listed: 16 } as const

const numbers = (length: number) => new Float64Array(new SharedArrayBuffer(length * 8))
const flags = (length: number) => new Uint8Array(new SharedArrayBuffer(length))

/** An entry or a folder takes two bytes of the archive at least. */
const shortestEntry = 2

/**
 * Gathers the entries of a tar or zip on their way past, with the folders that they lie in.
 * @param size bytes of the archive
 */
export const entryIndexer = (size: number, form: 'tar' | 'zip') => {
  const most = Math.min(mostNames, Math.ceil(size / shortestEntry))
  const inZip = form === 'zip' ? most : 0
  const index: EntryIndex = {
    names: newNameTable(most),
    facts: flags(most),
    position: numbers(most),
    bytes: numbers(most),
    stored: numbers(inZip),
    crcs: new Uint32Array(new SharedArrayBuffer(inZip * 4)),
    read: flags(inZip),
  }
  const names = nameTable(index.names)
  /** The folder of the entry before; most have the same. */
  let lastFolder = ''

  /** Sees to the folders that a name lies in, from the innermost on; gives one that is a file as well. */
  const enterFolders = (name: string): string | undefined => {
    const folder = name.slice(0, Math.max(0, name.lastIndexOf('/')))
    if (folder === lastFolder) return undefined
    for (let above = folder; above !== ''; above = above.slice(0, Math.max(0, above.lastIndexOf('/')))) {
      const before = names.size()
      const place = names.put(above)
      if (place === before) index.facts[place] = entryFlag.folder
      else if (((index.facts[place] ?? 0) & entryFlag.folder) === 0) return above
      else break
    }
    lastFolder = folder
    return undefined
  }

  const fill = (place: number, { kind, position, bytes, stored, isStored, crc }: FoundEntry) => {
    index.facts[place] = entryFlag[kind] | entryFlag.listed | (isStored ? 0 : entryFlag.compressed)
    index.position[place] = position
    index.bytes[place] = bytes
    if (form === 'tar') return
    index.stored[place] = stored
    index.crcs[place] = crc ?? 0
  }

  return {
    index,
    /**
     * Takes an entry; gives what is wrong between it and those before, and whether it is to be counted.
     * @throws TooManyNames
     */
    add: (name: string, entry: FoundEntry): { notes: EntryNote[]; isNew: boolean } => {
      const notes: EntryNote[] = []
      const conflict = enterFolders(name)
      if (conflict !== undefined) notes.push({ level: 'error', code: 'entry-conflict', detail: conflict })
      const before = names.size()
      const place = names.put(name)
      if (place === before) {
        fill(place, entry)
        return { notes, isNew: true }
      }
      const facts = index.facts[place] ?? 0
      const isFolder = (facts & entryFlag.folder) !== 0
      if (isFolder !== (entry.kind === 'folder'))
        notes.push({ level: 'error', code: 'entry-conflict', detail: name })
      else if (!isFolder) notes.push({ level: 'error', code: 'entry-twice', detail: name })
      const isNew = isFolder && (facts & entryFlag.listed) === 0
      if (isFolder) index.facts[place] = facts | entryFlag.listed
      return { notes, isNew }
    },
  }
}
