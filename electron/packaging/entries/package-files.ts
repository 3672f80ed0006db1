import { closeSync, fstatSync, openSync, read } from 'node:fs'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { readFully } from '../pack/copy.ts'
import { Broken } from './broken.ts'
import { is, type EntryIndex } from './entry-index.ts'
import { ensurePossible, inflateAtOnce, inflated, mostAtOnce, type Compressed } from './inflate.ts'
import { nameTable } from './name-table.ts'
import { openInside } from './open-inside.ts'
import type { SumBeside, SumThread } from './sum-thread.ts'

/**
 * A file of a package that can be read: block after block (0 at the end), or as a stream where it is
 * compressed. `readMeanwhile` reads as `read` does, beside the thread that asks; one call after the other.
 */
export type OpenFile = { bytes: number; close: () => void } & (
  | { read: (into: Buffer) => number; readMeanwhile?: (into: Buffer) => Promise<number> }
  | { stream: AsyncIterable<Buffer> }
)

const readPart = promisify(read)

/** Reads until the block is full or the file ends, as `readFully` does, beside this thread. */
const readFullyMeanwhile = async (handle: number, into: Buffer, position: number | null): Promise<number> => {
  let done = 0
  while (done < into.length) {
    const from = position === null ? null : position + done
    const { bytesRead } = await readPart(handle, into, done, into.length - done, from)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return done
}

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

/** Sums the content of an entry as it is read; at its end the sum must be the one that the zip has. */
const summing = (index: EntryIndex, place: number, name: string) => {
  const wanted = index.crcs[place]
  let sum = 0
  const compare = (found: number) => {
    index.read[place] = 1
    if (found !== wanted) throw new Broken('entry-damaged', name)
  }
  return {
    isWanted: wanted !== undefined,
    add: (part: Buffer) => {
      if (wanted !== undefined) sum = crc32(part, sum)
    },
    end: () => {
      if (wanted !== undefined) compare(sum)
    },
    /** The same, of a sum that another thread made. */
    endBeside: async (beside: SumBeside) => {
      const found = await beside.sum()
      if (found !== undefined) compare(found)
    },
    /** Marks an entry whose trouble somebody is told of. */
    fail: (error: unknown) => {
      if (wanted !== undefined && error instanceof Broken) index.read[place] = 1
      return error
    },
  }
}
type Summing = ReturnType<typeof summing>

/** @param sums sums what is read meanwhile */
const openStored = (
  handle: number,
  from: number,
  bytes: number,
  sum: Summing,
  sums: SumThread | undefined,
): OpenFile => {
  let position = 0
  let beside: SumBeside | undefined
  if (bytes === 0) sum.end()
  const next = (into: Buffer) => into.subarray(0, Math.min(into.length, bytes - position))
  const advance = (part: Buffer, length: number) => {
    if (length < part.length) throw new Broken('archive-cut', from + position)
    position += length
  }
  const addSum = (part: Buffer) => {
    sum.add(part)
    if (position === bytes) sum.end()
  }
  return {
    bytes,
    read: (into) => {
      const part = next(into)
      advance(part, readFully(handle, part, from + position))
      // At the end the sum was compared already.
      if (part.length > 0) addSum(part)
      return part.length
    },
    readMeanwhile: async (into) => {
      if (position === 0 && sum.isWanted) beside = sums?.begin(handle, from, bytes)
      const part = next(into)
      advance(part, await readFullyMeanwhile(handle, part, from + position))
      if (part.length === 0) return 0
      beside?.reached(position)
      if (!beside) addSum(part)
      else if (position === bytes) await sum.endBeside(beside)
      return part.length
    },
    close: () => beside?.leave(),
  }
}

const openShort = (handle: number, compressed: Compressed, sum: Summing): OpenFile => {
  let content: Buffer | undefined
  let position = 0
  return {
    bytes: compressed.bytes,
    read: (into) => {
      if (!content) {
        try {
          content = inflateAtOnce(handle, compressed)
          sum.add(content)
        } catch (error) {
          throw sum.fail(error)
        }
        sum.end()
      }
      const length = content.copy(into, 0, position)
      position += length
      return length
    },
    close: () => undefined,
  }
}

async function* summed(parts: AsyncIterable<Buffer>, sum: Summing): AsyncGenerator<Buffer> {
  try {
    for await (const part of parts) {
      sum.add(part)
      yield part
    }
  } catch (error) {
    throw sum.fail(error)
  }
  sum.end()
}

/**
 * Opens files of a package by their names in it, whatever its form.
 * @param sums sums files of a zip that are not compressed beside the thread that reads them
 */
export const packageFiles = ({ path: bag, form, top, index }: PackagePlace, sums?: SumThread) => {
  const handle = form === 'folder' ? undefined : openSync(bag, 'r')
  const size = handle === undefined ? 0 : fstatSync(handle).size
  const names = index ? nameTable(index.names) : undefined
  /** Opens an entry of a container by its whole name. */
  const openEntry = (name: string): OpenFile | undefined | 'folder' | 'link' => {
    if (!index || !names || handle === undefined) return undefined
    const place = names.find(name)
    const facts = index.facts[place] ?? 0
    if (place < 0 || (facts & (is.folder | is.file)) === 0) return place < 0 ? undefined : 'link'
    if ((facts & is.folder) !== 0) return 'folder'
    const bytes = index.bytes[place] ?? 0
    const from = index.position[place] ?? -1
    const sum = summing(index, place, name)
    const stored = index.stored[place] ?? bytes
    if (from < 0 || from + stored > size) throw sum.fail(new Broken('entry-damaged', name))
    if ((facts & is.compressed) === 0) return openStored(handle, from, bytes, sum, sums)
    const compressed: Compressed = { name, from, stored, bytes }
    try {
      ensurePossible(compressed)
    } catch (error) {
      throw sum.fail(error)
    }
    if (bytes < mostAtOnce && stored < mostAtOnce) return openShort(handle, compressed, sum)
    return { bytes, stream: summed(inflated(bag, compressed), sum), close: () => undefined }
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
