import { closeSync, fstatSync, openSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { readFullyMeanwhile } from '../../common/read-meanwhile.ts'
import { readFully } from '../pack/copy.ts'
import { ContainerError } from './container-error.ts'
import { entryFlag, type EntryIndex } from './entry-index.ts'
import { ensurePossible, inflateAtOnce, inflated, mostAtOnce, type Compressed } from './inflate.ts'
import { longFrom } from './file-parts.ts'
import { nameTable } from './name-table.ts'
import { openInside } from './open-inside.ts'
import type { CrcThread } from './crc-thread.ts'

/**
 * A file of a package that can be read: block after block (0 at the end), or as a stream where it is
 * compressed. `readMeanwhile` reads as `read` does, beside the thread that asks; one call after the other.
 */
export type OpenFile = { bytes: number; close: () => void } & (
  | { read: (into: Buffer) => number; readMeanwhile?: (into: Buffer) => Promise<number> }
  | { stream: AsyncIterable<Buffer> }
)

const openPlain = (root: string, name: string): OpenFile | undefined | 'folder' | 'link' => {
  const opened = openInside(root, name)
  if (opened === undefined || typeof opened === 'string') return opened
  const { handle, bytes } = opened
  return {
    bytes,
    read: (into) => readFully(handle, into, null),
    readMeanwhile: (into) => readFullyMeanwhile(handle, into, null),
    close: () => closeSync(handle),
  }
}

export interface PackagePlace {
  /** As the system calls it, links resolved (realpath). */
  path: string
  form: 'folder' | 'tar' | 'zip'
  /** The folder inside a tar or zip, with its '/'; empty where there is none. */
  top: string
  index: EntryIndex | undefined
}

/** Computes the CRC-32 of an entry as it is read; at its end it must be the one that the zip has. */
const crcCheck = (index: EntryIndex, place: number, name: string) => {
  const wanted = index.crcs[place]
  let crc = 0
  /** @param found where another thread computed it */
  const end = (found = crc) => {
    if (wanted === undefined) return
    index.read[place] = 1
    if (found !== wanted) throw new ContainerError('entry-damaged', name)
  }
  return {
    isNeeded: wanted !== undefined,
    add: (part: Buffer) => {
      if (wanted !== undefined) crc = crc32(part, crc)
    },
    end,
    /** Marks an entry whose trouble somebody is told of. */
    fail: (error: unknown) => {
      if (wanted !== undefined && error instanceof ContainerError) index.read[place] = 1
      return error
    },
  }
}
type CrcCheck = ReturnType<typeof crcCheck>

const openStored = (handle: number, from: number, bytes: number, crc: CrcCheck): OpenFile => {
  let position = 0
  if (bytes === 0) crc.end()
  const next = (into: Buffer) => into.subarray(0, Math.min(into.length, bytes - position))
  const take = (part: Buffer, length: number) => {
    if (length < part.length) throw new ContainerError('archive-cut', from + position)
    position += length
    // At the end the CRC was compared already.
    if (length === 0) return 0
    crc.add(part)
    if (position === bytes) crc.end()
    return length
  }
  return {
    bytes,
    read: (into) => {
      const part = next(into)
      return take(part, readFully(handle, part, from + position))
    },
    readMeanwhile: async (into) => {
      const part = next(into)
      return take(part, await readFullyMeanwhile(handle, part, from + position))
    },
    close: () => undefined,
  }
}

const openShort = (handle: number, compressed: Compressed, crc: CrcCheck): OpenFile => {
  let content: Buffer | undefined
  let position = 0
  return {
    bytes: compressed.bytes,
    read: (into) => {
      if (!content) {
        try {
          content = inflateAtOnce(handle, compressed)
          crc.add(content)
        } catch (error) {
          throw crc.fail(error)
        }
        crc.end()
      }
      const length = content.copy(into, 0, position)
      position += length
      return length
    },
    close: () => undefined,
  }
}

async function* checked(parts: AsyncIterable<Buffer>, crc: CrcCheck): AsyncGenerator<Buffer> {
  try {
    for await (const part of parts) {
      crc.add(part)
      yield part
    }
  } catch (error) {
    throw crc.fail(error)
  }
  crc.end()
}

/**
 * Opens files of a package by their names in it, whatever its form.
 * @param crcThread reads long files of a zip that are not compressed, and computes their CRC
 */
export const packageFiles = ({ path: bag, form, top, index }: PackagePlace, crcThread?: CrcThread) => {
  const handle = form === 'folder' ? undefined : openSync(bag, 'r')
  const size = handle === undefined ? 0 : fstatSync(handle).size
  const names = index ? nameTable(index.names) : undefined
  /** Opens an entry of a container by its whole name. */
  const openEntry = (name: string): OpenFile | undefined | 'folder' | 'link' => {
    if (!index || !names || handle === undefined) return undefined
    const place = names.find(name)
    const facts = index.facts[place] ?? 0
    if (place < 0 || (facts & (entryFlag.folder | entryFlag.file)) === 0)
      return place < 0 ? undefined : 'link'
    if ((facts & entryFlag.folder) !== 0) return 'folder'
    const bytes = index.bytes[place] ?? 0
    const from = index.position[place] ?? -1
    const crc = crcCheck(index, place, name)
    const stored = index.stored[place] ?? bytes
    if (from < 0 || from + stored > size) throw crc.fail(new ContainerError('entry-damaged', name))
    if ((facts & entryFlag.compressed) === 0) {
      if (!crcThread || !crc.isNeeded || bytes <= longFrom) return openStored(handle, from, bytes, crc)
      const stream = crcThread.read(handle, from, bytes, crc.end)
      return { bytes, stream, close: () => undefined }
    }
    const compressed: Compressed = { name, from, stored, bytes }
    try {
      ensurePossible(compressed)
    } catch (error) {
      throw crc.fail(error)
    }
    if (bytes < mostAtOnce && stored < mostAtOnce) return openShort(handle, compressed, crc)
    return { bytes, stream: checked(inflated(bag, compressed), crc), close: () => undefined }
  }
  return {
    open: (name: string): OpenFile | undefined | 'folder' | 'link' =>
      form === 'folder' ? openPlain(bag, name) : openEntry(top + name),
    openEntry,
    close: () => {
      if (handle !== undefined) closeSync(handle)
    },
  }
}
export type PackageFiles = ReturnType<typeof packageFiles>
