import type { Container } from './containers.ts'
import { inWork, payloadName, plannedFile, readLines, type PackSpec } from './plan.ts'

/**
 * Files that one thread copies between two looks at the log: a part of `files.jsonl`, and where they go
 * in a container.
 */
export interface Batch {
  /** In bytes of `files.jsonl`. */
  from: number
  length: number
  first: number
  files: number
  /** Position of the first file's header in the tar or zip; 0 in a folder. */
  position: number
}

/** Batches in shared memory, five numbers each; large files stand alone. */
export interface Batches {
  small: Float64Array<SharedArrayBuffer>
  large: Float64Array<SharedArrayBuffer>
}

const width = 5
const mostFiles = 128
const mostBytes = 4 * 1024 * 1024
/** What may have to be hashed again after a crash, beside the one large file. */
const mostAtRisk = 64 * 1024 * 1024

/** A file above this is copied while no other of its kind is, so that a crash costs one of them at most. */
const largeFrom = (threads: number) => mostAtRisk / threads

const shared = (numbers: number[]) => {
  const array = new Float64Array(new SharedArrayBuffer(numbers.length * 8))
  array.set(numbers)
  return array
}

/** How many batches lie in shared memory. */
export const batchesIn = (numbers: Float64Array): number => numbers.length / width

/** One of the batches in shared memory, from 0; undefined behind the last. */
export const batchAt = (numbers: Float64Array, index: number): Batch | undefined => {
  const [from, length, first, files, position] = numbers.subarray(index * width, (index + 1) * width)
  return from === undefined ||
    length === undefined ||
    first === undefined ||
    files === undefined ||
    position === undefined
    ? undefined
    : { from, length, first, files, position }
}

/** Length in bytes of a file in a container, with its header and what fills its last block. */
export const lengthIn = (container: Container, name: string, bytes: number, modifiedMs: number) =>
  container.headerLength(name, bytes, modifiedMs) + bytes + container.padding(bytes)

/**
 * Cuts the files of a plan into batches.
 * @param begin where the first file begins in the container
 * @returns the batches, and where the container goes on after the last file
 */
export const makeBatches = (
  work: string,
  { roots, top }: PackSpec,
  container: Container | undefined,
  begin: number,
  threads: number,
): Batches & { end: number } => {
  const small: number[] = []
  const large: number[] = []
  const alone = largeFrom(threads)
  let lineStart = 0
  let index = 0
  let position = begin
  let batch = { from: 0, length: 0, first: 0, files: 0, position, bytes: 0 }
  const close = (into: number[]) => {
    if (batch.files > 0) into.push(batch.from, batch.length, batch.first, batch.files, batch.position)
    batch = { from: lineStart, length: 0, first: index, files: 0, position, bytes: 0 }
  }
  for (const line of readLines(inWork(work).files)) {
    const [root, below, bytes, modifiedMs] = plannedFile(line)
    const isLarge = bytes > alone
    if (isLarge || batch.files >= mostFiles || (batch.files > 0 && batch.bytes + bytes > mostBytes))
      close(small)
    const length = Buffer.byteLength(line) + 1
    lineStart += length
    index += 1
    batch.length += length
    batch.files += 1
    batch.bytes += bytes
    const rootOf = roots[root]
    if (container && rootOf)
      position += lengthIn(container, `${top}/${payloadName(rootOf, below)}`, bytes, modifiedMs)
    if (isLarge) close(large)
  }
  close(small)
  return { small: shared(small), large: shared(large), end: position }
}
