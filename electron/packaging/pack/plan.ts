import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import type { Skipped, Survey } from '../../contract/survey.ts'
import { replaceFileSync } from '../../replace-file.ts'
import type { WritableAlgorithm } from '../digests.ts'
import type { Root } from './walk.ts'

/** What a package is written as (RFC 8493 4). What is stored and said calls it "form". */
export const serializations = ['folder', 'tar', 'zip'] as const
export type Serialization = (typeof serializations)[number]

/**
 * What is to be made of which sources. Two works with the same spec and the same walk are the same work, so
 * one may go on with the other's.
 */
export interface PackSpec {
  /** A package of the sources, the sources as they are, or nothing but their numbers. */
  what: 'package' | 'copy' | 'survey'
  /** The name of the format that a package is of. */
  format?: string
  roots: Root[]
  form: Serialization
  algorithms: WritableAlgorithm[]
  /** Name of the folder inside a tar or zip (RFC 8493 4). */
  top: string
}

/** A plan that is complete: `digest` is that of its spec and of everything that the walk found. */
export interface Plan extends Survey {
  spec: PackSpec
  digest: string
  /** The run of the computer in which it was begun; empty where the system does not say. */
  boot: string
}

/** A file of the plan, as one line of `files.jsonl`: root, path below it, bytes, time of change in ms. */
export type PlannedFile = [root: number, below: string, bytes: number, modifiedMs: number]

/** A folder of the plan, as one line of `folders.jsonl`: its name in the package, time of change in ms. */
export type PlannedFolder = [name: string, modifiedMs: number]

/** The files of a work, below its folder. */
export const inWork = (work: string) => ({
  files: path.join(work, 'files.jsonl'),
  folders: path.join(work, 'folders.jsonl'),
  plan: path.join(work, 'plan.json'),
  // Called so since the first version, whose work goes on.
  digestLog: path.join(work, 'journal.bin'),
  skipped: path.join(work, 'skipped.jsonl'),
  formats: path.join(work, 'formats.jsonl'),
  names: path.join(work, 'names.txt'),
  added: path.join(work, 'added.jsonl'),
})

/** The name in the payload of what lies below a root; an empty path is the root itself. */
export const payloadName = ({ name }: Root, below: string) =>
  below === '' ? name : name === '' ? below : `${name}/${below}`
/** Where that lies on the disk. */
export const sourceOf = ({ path: from }: Root, below: string) =>
  below === '' ? from : `${from}${path.sep}${path.sep === '/' ? below : below.replaceAll('/', path.sep)}`

const buffered = 1024 * 1024

/** Writes lines to a file, many at a time; `digest` covers all of them. */
export const lineWriter = (file: string) => {
  const handle = openSync(file, 'w')
  const hash = createHash('sha256')
  let pending = ''
  const flush = () => {
    const bytes = Buffer.from(pending)
    hash.update(bytes)
    for (let done = 0; done < bytes.length;) done += writeSync(handle, bytes, done)
    pending = ''
  }
  return {
    line: (text: string) => {
      pending += `${text}\n`
      if (pending.length > buffered) flush()
    },
    /** Text that brings its own line end. */
    text: (text: string) => {
      pending += text
      if (pending.length > buffered) flush()
    },
    close: () => {
      flush()
      closeSync(handle)
    },
    /** Of everything that was written; asked once, after closing. */
    digest: () => hash.digest('hex'),
  }
}

/** Reads lines of a file, or of a part of it that ends with a line, without holding more than a megabyte. */
export function* readLines(file: string, from = 0, length = Infinity): Generator<string> {
  const handle = openSync(file, 'r')
  const block = Buffer.allocUnsafe(Math.min(buffered, length))
  let rest: Buffer = Buffer.alloc(0)
  try {
    for (let position = from; position < from + length;) {
      const read = readSync(handle, block, 0, Math.min(block.length, from + length - position), position)
      if (read === 0) break
      position += read
      const bytes: Buffer =
        rest.length === 0 ? block.subarray(0, read) : Buffer.concat([rest, block.subarray(0, read)])
      const end = bytes.lastIndexOf(10)
      if (end >= 0) yield* bytes.toString('utf8', 0, end).split('\n')
      rest = Buffer.from(bytes.subarray(end + 1))
    }
    if (rest.length > 0) yield rest.toString('utf8')
  } finally {
    closeSync(handle)
  }
}

/**
 * A line of a plan. The coordinator of this very run wrote it with its walk, before anybody reads it: of a
 * plan that an earlier run left only the digest is read. There may be millions of lines.
 */
export const lineAs = <Line>(line: string): Line =>
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- see above
  JSON.parse(line) as Line

/** A line of `files.jsonl`. */
export const plannedFile = (line: string) => lineAs<PlannedFile>(line)
/** A line of `skipped.jsonl`. */
export const skippedOf = (line: string) => lineAs<Skipped>(line)

/** Lines of a file that follow each other: where they begin, and how long they are, in bytes. */
export interface LinePart {
  from: number
  length: number
}

/** Files of the plan, or of a part of it, in their order. */
export const filesOf = function* (work: string, { from, length }: Partial<LinePart> = {}) {
  for (const line of readLines(inWork(work).files, from, length)) yield plannedFile(line)
}

/** Folders of the plan, a parent before what is in it. */
export const foldersOf = function* (work: string): Generator<PlannedFolder> {
  for (const line of readLines(inWork(work).folders)) yield lineAs<PlannedFolder>(line)
}

/** What a plan says to the work that may go on with it. */
const FormerPlan = v.object({ digest: v.string(), boot: v.optional(v.string(), '') })
export type FormerPlan = v.InferOutput<typeof FormerPlan>

/** The plan that another run left; undefined where there is none that can be read. */
export const readPlan = (work: string): FormerPlan | undefined => {
  try {
    return v.parse(FormerPlan, JSON.parse(readFileSync(inWork(work).plan, 'utf8')))
  } catch {
    return undefined
  }
}

/** The plan counts from the moment that this file has its name: all others were written before it. */
export const writePlan = (work: string, plan: Plan) => {
  const { plan: file } = inWork(work)
  replaceFileSync(file, JSON.stringify(plan))
}
