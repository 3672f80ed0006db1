import { createHash } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
} from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import * as v from 'valibot'
import type { WritableAlgorithm } from '../digests.ts'
import type { Container, Placed } from './containers.ts'
import { inTarget, writeFully } from './copy.ts'
import { readLines } from './plan.ts'

const buffered = 1024 * 1024

/** A file that a format adds to the payload, with its digests in hexadecimal, one for each algorithm. */
export interface AddedFile {
  name: string
  bytes: number
  digests: string[]
}

/** Adds a file beside the payload, or behind it in a container; it is read back and compared. */
export type AddFile = (name: string, text: Iterable<string>) => AddedFile

/** Hashes a part of a file as it lies there. */
const digestsOfRange = (handle: number, from: number, bytes: number, algorithms: WritableAlgorithm[]) => {
  const hashes = algorithms.map((algorithm) => createHash(algorithm))
  const block = Buffer.allocUnsafe(Math.min(buffered, bytes))
  for (let position = 0; position < bytes;) {
    const read = readSync(handle, block, 0, Math.min(block.length, bytes - position), from + position)
    if (read === 0) break
    hashes.forEach((hash) => hash.update(block.subarray(0, read)))
    position += read
  }
  return hashes.map((hash) => hash.digest('hex'))
}

/** Writes a text in parts of a megabyte, then reads it back; gives its digests, bytes and CRC-32. */
const writeText = (
  handle: number,
  from: number,
  text: Iterable<string>,
  algorithms: WritableAlgorithm[],
  file: string,
) => {
  const hashes = algorithms.map((algorithm) => createHash(algorithm))
  let bytes = 0
  let crc = 0
  let pending = ''
  const flush = () => {
    const part = Buffer.from(pending)
    writeFully(handle, part, from + bytes)
    hashes.forEach((hash) => hash.update(part))
    crc = crc32(part, crc)
    bytes += part.length
    pending = ''
  }
  for (const line of text) {
    pending += line
    if (pending.length > buffered) flush()
  }
  flush()
  const digests = hashes.map((hash) => hash.digest('hex'))
  const readBack = digestsOfRange(handle, from, bytes, algorithms)
  if (readBack.some((digest, index) => digest !== digests[index]))
    throw new Error(`${file} is not what was written.`)
  return { digests, bytes, crc }
}

/** Names that a run noted, as far as they lie in the package; a torn line added nothing yet. */
const addedBefore = (noted: string): string[] => {
  if (!existsSync(noted)) return []
  return [...readLines(noted)].flatMap((line) => {
    const name = v.safeParse(v.pipe(v.string(), v.parseJson(), v.string()), line)
    return name.success && !name.output.split('/').some((part) => part === '' || part.startsWith('..'))
      ? [name.output]
      : []
  })
}

/**
 * Adds files to a package that is a folder. What an earlier run added to it is removed first: it may have
 * been told to add others.
 * @param noted lists what is added, a JSON text a line
 */
export const addToFolder = (folder: string, algorithms: WritableAlgorithm[], noted: string): AddFile => {
  const placeOf = (name: string) => path.join(folder, ...name.split('/'))
  for (const name of addedBefore(noted)) rmSync(placeOf(name), { force: true })
  return (name, text) => {
    const file = placeOf(name)
    return inTarget(file, () => {
      // A line that a power cut tore must not take this one with it.
      appendFileSync(noted, `\n${JSON.stringify(name)}`, { flush: true })
      mkdirSync(path.dirname(file), { recursive: true })
      const handle = openSync(file, 'w+')
      try {
        const { digests, bytes } = writeText(handle, 0, text, algorithms, file)
        fsyncSync(handle)
        return { name, bytes, digests }
      } finally {
        closeSync(handle)
      }
    })
  }
}

const opened = <T>(file: string, work: (handle: number) => T): T =>
  inTarget(file, () => {
    const handle = openSync(file, 'r+')
    try {
      return work(handle)
    } finally {
      closeSync(handle)
    }
  })

interface ContainerEnd {
  top: string
  modifiedMs: number
  /** Where the payload ends. */
  position: number
  algorithms: WritableAlgorithm[]
}

/**
 * Adds files to a tar or zip, behind its payload.
 * @returns `end` writes what the container ends with, after the entries that were placed before
 */
export const addToContainer = (
  file: string,
  container: Container,
  { top, modifiedMs, position: begin, algorithms }: ContainerEnd,
): { add: AddFile; end: (before: Iterable<Placed>) => void } => {
  const placed: Placed[] = []
  let position = begin
  const add: AddFile = (inside, text) =>
    opened(file, (handle) => {
      const name = `${top}/${inside}`
      // No added file is so large that its header would depend on its length.
      const from = position + container.headerLength(name, 0, modifiedMs)
      const { digests, bytes, crc } = writeText(handle, from, text, algorithms, file)
      const entry = { name, bytes, modifiedMs, crc }
      writeFully(handle, container.header(entry), position)
      writeFully(handle, Buffer.alloc(container.padding(bytes)), from + bytes)
      placed.push({ name, bytes, modifiedMs, crc, position, isFolder: false })
      position = from + bytes + container.padding(bytes)
      return { name: inside, bytes, digests }
    })
  const end = (before: Iterable<Placed>) =>
    opened(file, (handle) => {
      const all = function* () {
        yield* before
        yield* placed
      }
      let written = position
      let pending: Buffer[] = []
      const flush = () => {
        const bytes = Buffer.concat(pending)
        writeFully(handle, bytes, written)
        written += bytes.length
        pending = []
      }
      container.ending(all(), position, (bytes) => {
        pending.push(bytes)
        if (pending.length >= 4_096) flush()
      })
      flush()
      // What an earlier run left behind the end must not follow it.
      ftruncateSync(handle, written)
    })
  return { add, end }
}
