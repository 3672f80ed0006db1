import { createHash } from 'node:crypto'
import { open, stat, type FileHandle } from 'node:fs/promises'
import { codeOf, messageOf } from '../../common/errors.ts'
import { readFullyMeanwhile } from '../../common/read-meanwhile.ts'
import { ContainerError } from '../../packaging/entries/container-error.ts'
import { ensurePossible, inflated } from '../../packaging/entries/inflate.ts'
import { block, isTarHeader } from '../../packaging/entries/tar-header.ts'
import type { IndexedEntry } from './container-index.ts'
import type { ByteRange } from './conditions.ts'

/** A copy of a package: the file that it should be, and where that lies. */
export interface Copy {
  file: string
  /** How many bytes the file has to have. */
  bytes: number
  /** The medium, and where it is, as people call both. */
  medium: string
  location: string
}

/** Why a copy cannot be read: `busy` is a trouble of the computer, which says nothing of the copy. */
export type CopyTrouble = 'gone' | 'damaged' | 'busy'

const chunkBytes = 256 * 1024
/** Copies that were found damaged are remembered, up to so many. */
const mostDamaged = 10_000

const troubleOf = (error: unknown): CopyTrouble =>
  error instanceof ContainerError
    ? 'damaged'
    : ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error))
      ? 'gone'
      : 'busy'

/** Reads until the block is full. @throws ContainerError where the file ends before */
const readWhole = async (handle: FileHandle, into: Buffer, position: number) => {
  const length = await readFullyMeanwhile(handle.fd, into, position)
  if (length < into.length) throw new ContainerError('archive-cut', position + length)
}

/** Content as it lies there, a chunk at a time. */
async function* stored(file: string, from: number, length: number): AsyncGenerator<Buffer> {
  const handle = await open(file, 'r')
  try {
    for (let done = 0; done < length;) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, length - done))
      await readWhole(handle, chunk, from + done)
      done += chunk.length
      yield chunk
    }
  } finally {
    await handle.close()
  }
}

/** A part of what is unpacked: what comes before it must be unpacked too. */
async function* unpacked(file: string, entry: IndexedEntry, { first, last }: ByteRange) {
  const { name, position, stored: length, bytes } = entry
  let at = 0
  for await (const chunk of inflated(file, { name, from: position, stored: length, bytes })) {
    const part = chunk.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at))
    at += chunk.length
    if (part.length > 0) yield part
    if (at > last) return
  }
}

/** Which copies are damaged, as they lie there now. */
export const damagedCopies = () => {
  const known = new Set<string>()
  const stateOf = async (file: string) => {
    const { size, mtimeMs } = await stat(file)
    return `${size} ${mtimeMs} ${file}`
  }
  return {
    isKnown: async (file: string) => known.has(await stateOf(file)),
    add: async (file: string, why: string) => {
      console.error(`The copy ${file} is damaged: ${why}.`)
      const [oldest] = known
      if (known.size >= mostDamaged && oldest !== undefined) known.delete(oldest)
      known.add(await stateOf(file))
    },
  }
}
export type DamagedCopies = ReturnType<typeof damagedCopies>

/**
 * Why a copy cannot be used, as far as its length and what was found before say it; undefined where it can.
 */
export const troubleOfCopy = async (
  { file, bytes }: Copy,
  damaged: DamagedCopies,
): Promise<CopyTrouble | undefined> => {
  try {
    const handle = await open(file, 'r')
    try {
      const found = await handle.stat()
      if (!found.isFile()) return 'gone'
      return found.size === bytes && !(await damaged.isKnown(file)) ? undefined : 'damaged'
    } finally {
      await handle.close()
    }
  } catch (error) {
    return troubleOf(error)
  }
}

/** Whether the block before the content of a file in a tar is a header still. */
export const troubleOfEntry = async (file: string, { position }: IndexedEntry) => {
  try {
    const handle = await open(file, 'r')
    try {
      const header = Buffer.alloc(block)
      await readWhole(handle, header, position - block)
      return isTarHeader(header) ? undefined : 'damaged'
    } finally {
      await handle.close()
    }
  } catch (error) {
    return troubleOf(error)
  }
}

/** Chunks, the last of them only where all of them have the digest that was told. */
async function* verified(chunks: AsyncIterable<Buffer>, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let before: Buffer | undefined
  for await (const chunk of chunks) {
    hash.update(chunk)
    if (before) yield before
    before = chunk
  }
  if (hash.digest('hex') !== sha256)
    throw new ContainerError('mismatch', `not the bytes with sha256 ${sha256}`)
  if (before) yield before
}

/**
 * The bytes of a file, from the first copy on that can be read. Where one ends or fails in the middle, the
 * next goes on from there: all copies are the same. A whole file whose digest is known is compared with it
 * before its last bytes are given.
 * @throws where no copy has them: what was given so far is not the file
 */
export async function* contentOf(
  copies: Copy[],
  entry: IndexedEntry,
  { first, last }: ByteRange,
  damaged: DamagedCopies,
): AsyncGenerator<Buffer> {
  if (entry.isCompressed) ensurePossible({ ...entry, from: entry.position })
  let given = 0
  let failure: unknown = new Error('There is no copy to read it from.')
  for (const { file } of copies) {
    const isWhole = given === 0 && last - first + 1 === entry.bytes
    const chunks = entry.isCompressed
      ? unpacked(file, entry, { first: first + given, last })
      : stored(file, entry.position + first + given, last - first + 1 - given)
    try {
      for await (const chunk of entry.sha256 !== null && isWhole ? verified(chunks, entry.sha256) : chunks) {
        yield chunk
        given += chunk.length
      }
      return
    } catch (error) {
      failure = error
      if (troubleOf(error) !== 'damaged') continue
      await damaged.add(file, messageOf(error)).catch(() => undefined)
      // What was sent of it is not the file's: nothing can be put behind that.
      if (error instanceof ContainerError && error.code === 'mismatch' && given > 0) break
    }
  }
  throw failure
}
