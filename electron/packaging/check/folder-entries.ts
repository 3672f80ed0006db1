import { isUtf8 } from 'node:buffer'
import { closeSync, lstatSync, opendirSync, realpathSync, type Dirent } from 'node:fs'
import path from 'node:path'
import { shownName } from '../bagit/names.ts'
import type { FoundEntry } from './found-entry.ts'
import { openFolderInside } from './open-inside.ts'

/** Bytes of names of folders that still wait to be looked into: one or two millions of them. */
const mostWaiting = 48 * 1024 * 1024
const chunkBytes = 64 * 1024

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''

/** Names of folders that wait, as bytes behind each other, each with a zero: of a million of them nothing else is kept. */
const nameList = () => {
  const chunks: Buffer[] = []
  let written = chunkBytes
  let at = 0
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
      const isLeft = (chunk: Buffer | undefined) => at < chunkBytes && chunk?.[at] !== 0
      if (chunks.length > 0 && !isLeft(chunks[0])) {
        chunks.shift()
        at = 0
      }
      const [chunk] = chunks
      if (chunk === undefined) return undefined
      const name = chunk.subarray(at, chunk.indexOf(0, at))
      at += name.length + 1
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
    at: 0,
    isStored: true,
    ...(isText ? {} : { trouble: 'not-text' as const }),
  }
}

/**
 * Everything below a folder; links are not followed, in no part of a path. Folders that cannot be listed are given as such, and the
 * others are looked into.
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
      // The types of Node do not know that names can be asked for as bytes.
      const listed = opendirSync(opened.list, { encoding: 'buffer' as BufferEncoding, bufferSize: 1_024 })
      try {
        const next = () => listed.readSync() as unknown as Dirent<Buffer> | null
        for (let it = next(); it !== null; it = next()) {
          if (it.isDirectory() && waitingBytes + names.size() > mostWaiting)
            yield { ...entry(joined(below, it.name), 'folder'), trouble: 'too-many' }
          else if (it.isDirectory()) names.push(it.name)
          else {
            const found = fileAt(joined(opened.list, it.name), joined(below, it.name))
            if (found) yield found
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
    const it = lstatSync(place)
    return entry(below, it.isFile() ? 'file' : 'other', it.isFile() ? it.size : 0)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined
    return { ...entry(below, 'file'), trouble: 'unreadable' }
  }
}
