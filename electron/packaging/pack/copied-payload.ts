import { existsSync } from 'node:fs'
import { csvLine } from '../csv.ts'
import { checksumBytes } from '../digests.ts'
import type { DescriptiveFile, Label, SchemaFile } from '../format.ts'
import { identifiedOf, type IdentifiedFormat } from '../identification/table.ts'
import { recordsOf, type DigestLog } from './digest-log.ts'
import { doneFiles, type PlanPart } from './layout.ts'
import {
  filesOf,
  inWork,
  payloadName,
  plannedFile,
  readLines,
  skippedOf,
  type LinePart,
  type Plan,
} from './plan.ts'

/** A file of the payload, with what is known of it once it is copied. */
export interface CopiedFile {
  name: string
  bytes: number
  modifiedMs: number
  /** One after the other in the order of the plan's algorithms. */
  digests: Buffer
  /** Undefined where files were not identified. */
  identified: IdentifiedFormat | undefined
}

/** A payload that lies at its place, as a format is given it to add its own files. */
export interface CopiedPayload {
  plan: Plan
  /** What the package is to say of itself. */
  labels: Label[]
  /** The text of the profile that it has to meet. */
  profile: string | null
  /** A file that describes the package, as a person gave it. */
  descriptive: DescriptiveFile | null
  /** Schemas that a person gave. */
  schemas: SchemaFile[]
  /** Names in the payload, in the order of the plan. */
  names: () => Iterable<string>
  /** Its files, in the same order. */
  files: () => Iterable<CopiedFile>
  /**
   * How to read the files of roots that follow each other, again and again, without reading those of others.
   * @param firsts the first root of each of them, in their order
   */
  filesByRoots: (firsts: number[]) => { count: number; files: () => Iterable<CopiedFile> }[]
  /** Tables about the payload that any format may carry: what was not packed, and what the files are. */
  tables: { name: string; text: () => Iterable<string> }[]
}

const skippedTable = function* (work: string) {
  yield csvLine(['path', 'why', 'target'])
  for (const line of readLines(inWork(work).skipped)) {
    const { path, why, target } = skippedOf(line)
    yield csvLine([path, why, target ?? ''])
  }
}

/** A table of every file, with what it was identified as. */
const formatsTable = function* (work: string, names: Iterable<string>) {
  yield csvLine(['path', 'puid', 'format', 'mime', 'basis', 'tool'])
  const found = identifiedOf(work)
  try {
    for (const name of names) {
      const next = found.next()
      if (next.done === true) return
      const { puid, name: format, mime, basis, tool } = next.value
      yield csvLine([name, puid, format, mime, basis, tool])
    }
  } finally {
    found.return(undefined)
  }
}

const namesOf = function* (work: string, { spec: { roots } }: Plan) {
  for (const [root, below] of filesOf(work)) {
    const found = roots[root]
    if (found) yield payloadName(found, below)
  }
}

/** A part of the plan, and the lines of what its files were identified as. */
interface CopiedPart extends PlanPart {
  formats: Partial<LinePart>
}

const copiedFiles = function* (work: string, { spec }: Plan, digestLog: DigestLog, part: CopiedPart) {
  const identified = existsSync(inWork(work).formats) ? identifiedOf(work, part.formats) : undefined
  try {
    for (const { name, bytes, modifiedMs, done } of doneFiles(work, spec, digestLog, part))
      yield { name, bytes, modifiedMs, digests: done.digests, identified: identified?.next().value }
  } finally {
    identified?.return(undefined)
  }
}

/** The parts of a plan that begin with these roots; its lines are in the order of the roots. */
const partsByRoots = (work: string, firsts: number[]): CopiedPart[] => {
  const parts = firsts.map(() => ({
    lines: { from: 0, length: 0 },
    formats: { from: 0, length: 0 },
    first: 0,
    count: 0,
  }))
  const { files, formats } = inWork(work)
  const identified = existsSync(formats) ? readLines(formats) : undefined
  const lengthOf = (line: string) => Buffer.byteLength(line) + 1
  let [number, position, formatPosition, current] = [0, 0, 0, 0]
  for (const line of readLines(files)) {
    const [root] = plannedFile(line)
    while ((firsts[current + 1] ?? Infinity) <= root) current += 1
    const part = parts[current]
    const format = identified?.next()
    const [length, formatLength] = [lengthOf(line), format?.done === false ? lengthOf(format.value) : 0]
    if (part) {
      if (part.count === 0) {
        part.first = number
        part.lines.from = position
        part.formats.from = formatPosition
      }
      part.count += 1
      part.lines.length += length
      part.formats.length += formatLength
    }
    number += 1
    position += length
    formatPosition += formatLength
  }
  identified?.return(undefined)
  return parts
}

const tablesOf = (work: string, plan: Plan): CopiedPayload['tables'] => {
  const { formats } = inWork(work)
  return [
    ...(plan.skipped.count > 0 ? [{ name: 'not-packed.csv', text: () => skippedTable(work) }] : []),
    ...(existsSync(formats)
      ? [{ name: 'formats.csv', text: () => formatsTable(work, namesOf(work, plan)) }]
      : []),
  ]
}

/** What was copied, from the files of the work; its digest log is read as long as a format looks at it. */
export const copiedPayload = (
  work: string,
  plan: Plan,
  digestLog: DigestLog,
  {
    labels,
    profile,
    descriptive,
    schemas,
  }: Pick<CopiedPayload, 'labels' | 'profile' | 'descriptive' | 'schemas'>,
): CopiedPayload => ({
  plan,
  labels,
  profile,
  descriptive,
  schemas,
  names: () => namesOf(work, plan),
  files: () =>
    copiedFiles(work, plan, digestLog, { lines: {}, formats: {}, first: 0, count: plan.counts.files }),
  filesByRoots: (firsts) =>
    partsByRoots(work, firsts).map((part) => ({
      count: part.count,
      files: () => copiedFiles(work, plan, digestLog, part),
    })),
  tables: tablesOf(work, plan),
})

/**
 * One number for what files hold, whatever their names and order: the sum of their first digests. Two
 * packages of the same content have the same.
 */
export const contentOf = (digestLog: DigestLog, { spec, counts }: Plan): string => {
  const words = checksumBytes[spec.algorithms[0] ?? 'sha256'] / 4
  const sum = new Uint32Array(words)
  for (const record of recordsOf(digestLog, counts.files)) {
    let carry = 0
    for (let word = words - 1; record && word >= 0; word -= 1) {
      const added = (sum[word] ?? 0) + record.digests.readUInt32BE(word * 4) + carry
      sum[word] = added
      carry = added > 0xffffffff ? 1 : 0
    }
  }
  return Array.from(sum, (word) => word.toString(16).padStart(8, '0')).join('')
}
