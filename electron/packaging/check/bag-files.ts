import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { readFully } from '../pack/copy.ts'
import { Broken } from './broken.ts'
import type { FoundEntry } from './found-entry.ts'
import { nameHash, numberList, placeIn } from '../name-hash.ts'
import { openInside } from './open-inside.ts'
import { contentAt } from './zip-entries.ts'

/** Where the files of a tar or zip lie, found by the hashes of their names; memory that threads share. Numbers of the n-th file stand at n. */
export interface EntryIndex {
  hashes: Float64Array<SharedArrayBuffer>
  at: Float64Array<SharedArrayBuffer>
  bytes: Float64Array<SharedArrayBuffer>
  /** Length as it lies there, negative where it is compressed; empty where nothing is. */
  stored: Float64Array<SharedArrayBuffer>
}

const shared = (length: number) => new Float64Array(new SharedArrayBuffer(length * 8))

/** Gathers files of a container on their way past. */
export const indexer = () => {
  const lists = { hashes: numberList(), at: numberList(), bytes: numberList(), stored: numberList() }
  let hasCompressed = false
  return {
    add: (name: string, { at, bytes, stored, isStored }: FoundEntry) => {
      lists.hashes.push(nameHash(name))
      lists.at.push(at)
      lists.bytes.push(bytes)
      lists.stored.push(isStored ? stored : -stored)
      hasCompressed ||= !isStored
    },
    index: (): EntryIndex => {
      const unsorted = lists.hashes.all()
      const hashes = shared(unsorted.length)
      hashes.set(unsorted)
      hashes.sort()
      const index = {
        hashes,
        at: shared(hashes.length).fill(-1),
        bytes: shared(hashes.length),
        stored: shared(hasCompressed ? hashes.length : 0),
      }
      const [at, bytes, stored] = [lists.at.all(), lists.bytes.all(), lists.stored.all()]
      for (const [entry, hash] of unsorted.entries()) {
        let place = placeIn(hashes, hash)
        // Two of one name lie beside each other; that there are two is told elsewhere.
        while (index.at[place] !== -1) place += 1
        index.at[place] = at[entry] ?? 0
        index.bytes[place] = bytes[entry] ?? 0
        if (hasCompressed) index.stored[place] = stored[entry] ?? 0
      }
      return index
    },
  }
}

/** A file of a bag that can be read: block after block (0 at the end), or as a stream where it is compressed. */
export type OpenFile = { bytes: number; close: () => void } & (
  { read: (into: Buffer) => number } | { stream: AsyncIterable<Buffer> }
)

/** Content that is compressed more than this is taken for a bomb; deflate itself ends at about a thousand. */
const mostRatio = 1_100

const openPlain = (root: string, name: string): OpenFile | undefined | 'folder' | 'link' => {
  const opened = openInside(root, name)
  if (opened === undefined || typeof opened === 'string') return opened
  const { handle, bytes } = opened
  return { bytes, read: (into) => readFully(handle, into, null), close: () => closeSync(handle) }
}

/** Content that is compressed, part after part, and never more than was announced. */
async function* inflated(file: string, from: number, stored: number, bytes: number): AsyncGenerator<Buffer> {
  if (bytes > stored * mostRatio + 1_024) throw new Broken(`${bytes} bytes out of ${stored}`)
  let given = 0
  const inflate = createInflateRaw()
  const reading = pipeline(
    createReadStream(file, { start: from, end: from + stored - 1, highWaterMark: 256 * 1024 }),
    inflate,
  )
  // What stops the inflating also stops the reading; the first reason is the one that counts.
  reading.catch(() => undefined)
  try {
    for await (const part of inflate) {
      given += (part as Buffer).length
      if (given > bytes) throw new Broken(`more than the ${bytes} bytes that were announced`)
      yield part as Buffer
    }
  } catch (error) {
    throw error instanceof Broken ? error : new Broken((error as Error).message)
  }
}

export interface BagPlace {
  /** As the system calls it, links resolved (realpath). */
  path: string
  form: 'folder' | 'tar' | 'zip'
  /** The folder inside a tar or zip, with its '/'; empty where there is none. */
  top: string
  index: EntryIndex | undefined
}

/** Opens files of a bag by their names in it, whatever its form. */
export const bagFiles = ({ path: bag, form, top, index }: BagPlace) => {
  const handle = form === 'folder' ? undefined : openSync(bag, 'r')
  const size = handle === undefined ? 0 : fstatSync(handle).size
  const openEntry = (name: string): OpenFile | undefined => {
    if (!index || handle === undefined) return undefined
    const hash = nameHash(top + name)
    const place = placeIn(index.hashes, hash)
    if (index.hashes[place] !== hash) return undefined
    const bytes = index.bytes[place] ?? 0
    const stored = index.stored[place] ?? 0
    const header = index.at[place] ?? 0
    const from = form === 'zip' ? contentAt(handle, header, size) : header
    if (stored < 0) return { bytes, stream: inflated(bag, from, -stored, bytes), close: () => undefined }
    if (from + bytes > size) throw new Broken(`cut off at ${size}`)
    let position = 0
    return {
      bytes,
      read: (into) => {
        const read = readFully(
          handle,
          into.subarray(0, Math.min(into.length, bytes - position)),
          from + position,
        )
        position += read
        return read
      },
      close: () => undefined,
    }
  }
  return {
    open: (name: string): OpenFile | undefined | 'folder' | 'link' =>
      form === 'folder' ? openPlain(bag, name) : openEntry(name),
    close: () => {
      if (handle !== undefined) closeSync(handle)
    },
  }
}
export type BagFiles = ReturnType<typeof bagFiles>
