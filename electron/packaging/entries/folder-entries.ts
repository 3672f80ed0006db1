import { isUtf8 } from 'node:buffer'
import { closeSync, lstatSync, opendirSync, realpathSync, type Dirent } from 'node:fs'
import path from 'node:path'
import { shownName } from '../names.ts'
import type { FoundEntry } from './found-entry.ts'
import { openFolderInside } from './open-inside.ts'
import { codeOf } from '../../common/errors.ts'

/** Bytes of names of folders that still wait to be looked into: one or two millions of them. */
const mostWaiting = 48 * 1024 * 1024
const chunkBytes = 64 * 1024

interface NamesAsBytes {
  readSync: () => Dirent<Buffer> | null
  closeSync: () => void
}
/** Opens a folder for its names as bytes (nodejs.org/api/fs.html, fs.opendirSync). */
const openBytes = (folder: Buffer): NamesAsBytes => {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the types of Node lack this one
  const encoding = 'buffer' as BufferEncoding
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- and what is given for it
  return opendirSync(folder, { encoding, bufferSize: 1_024 }) as unknown as NamesAsBytes
}

/**
 * Names of folders that wait, as bytes behind each other, each with a zero: of a million of them nothing else
 * is kept.
 */
const nameList = () => {
  const chunks: Buffer[] = []
  let written = chunkBytes
  let position = 0
  let size = 0
  return {
    push: (name: Buffer) => {
      if (written + name.length + 1 > chunkBytes) {
        chunks.push(Buffer.alloc(chunkBytes))
        written = 0
      }
      written += name.copy(chunks.at(-1) ?? name, written) + 1
      size += name.length + 1
    },
    /** Takes the name that came first. */
    next: (): Buffer | undefined => {
      const isLeft = (chunk: Buffer | undefined) => position < chunkBytes && chunk?.[position] !== 0
      if (chunks.length > 0 && !isLeft(chunks[0])) {
        chunks.shift()
        position = 0
      }
      const [chunk] = chunks
      if (chunk === undefined) return undefined
      const name = chunk.subarray(position, chunk.indexOf(0, position))
      position += name.length + 1
      return name
    },
    size: () => size,
  }
}

const joined = (folder: Buffer, name: Buffer) =>
  folder.length === 0 ? Buffer.from(name) : Buffer.concat([folder, Buffer.from('/'), name])

const entry = (below: Buffer, kind: FoundEntry['kind'], bytes = 0): FoundEntry => {
  const isText = isUtf8(below)
  return {
    name: isText ? below.toString('utf8') : shownName(below),
    kind,
    bytes,
    stored: 0,
    position: 0,
    isStored: true,
    ...(isText ? {} : { trouble: 'not-text' as const }),
  }
}

/**
 * Everything below a folder; links are not followed, in no part of a path. Folders that cannot be listed are
 * given as such, and the others are looked into.
 */
export function* folderEntries(folder: string): Generator<FoundEntry> {
  const root = realpathSync(folder)
  const base = Buffer.from(root.endsWith(path.sep) ? root.slice(0, -1) : root)
  const waiting: { below: Buffer; names: ReturnType<typeof nameList> }[] = []
  let waitingBytes = 0

  function* list(below: Buffer): Generator<FoundEntry> {
    const place = below.length === 0 ? Buffer.from(root) : joined(base, below)
    const names = nameList()
    const troubled = (code: string): FoundEntry => ({
      ...entry(below, 'folder'),
      trouble: code === 'ENAMETOOLONG' ? 'too-deep' : 'unreadable',
    })
    let opened: ReturnType<typeof openFolderInside>
    try {
      opened = openFolderInside(root, place)
    } catch (error) {
      if (below.length === 0) throw error
      yield troubled(codeOf(error))
      return
    }
    if (!opened) {
      yield entry(below, 'other')
      return
    }
    try {
      const listed = openBytes(opened.list)
      try {
        for (let found = listed.readSync(); found !== null; found = listed.readSync()) {
          if (found.isDirectory() && waitingBytes + names.size() > mostWaiting)
            yield { ...entry(joined(below, found.name), 'folder'), trouble: 'too-many' }
          else if (found.isDirectory()) names.push(found.name)
          else {
            const file = fileAt(joined(opened.list, found.name), joined(below, found.name))
            if (file) yield file
          }
        }
      } finally {
        listed.closeSync()
      }
    } catch (error) {
      yield troubled(codeOf(error))
    } finally {
      if (opened.handle >= 0) closeSync(opened.handle)
    }
    waitingBytes += names.size()
    waiting.push({ below, names })
  }

  yield* list(Buffer.alloc(0))
  for (let top = waiting.at(-1); top !== undefined; top = waiting.at(-1)) {
    const name = top.names.next()
    if (name === undefined) {
      waiting.pop()
      waitingBytes -= top.names.size()
      continue
    }
    const below = joined(top.below, name)
    yield entry(below, 'folder')
    yield* list(below)
  }
}

/** A file, or what is neither file nor folder; undefined where it is gone by now. */
const fileAt = (place: Buffer, below: Buffer): FoundEntry | undefined => {
  try {
    const stats = lstatSync(place)
    return entry(below, stats.isFile() ? 'file' : 'other', stats.isFile() ? stats.size : 0)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined
    return { ...entry(below, 'file'), trouble: 'unreadable' }
  }
}
