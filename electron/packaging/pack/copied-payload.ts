import { existsSync } from 'node:fs'
import { csvLine } from '../csv.ts'
import { digestBytes } from '../digests.ts'
import type { DescriptiveFile, Label } from '../format.ts'
import { identifiedOf, type IdentifiedFormat } from '../identification/table.ts'
import { recordsOf, type DigestLog } from './digest-log.ts'
import { doneFiles } from './layout.ts'
import { filesOf, inWork, payloadName, readLines, skippedOf, type Plan } from './plan.ts'

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
  /** Names in the payload, in the order of the plan. */
  names: () => Iterable<string>
  /** Its files, in the same order. */
  files: () => Iterable<CopiedFile>
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
  for (const name of names) {
    const next = found.next()
    if (next.done === true) return
    const { puid, name: format, mime, basis, tool } = next.value
    yield csvLine([name, puid, format, mime, basis, tool])
  }
}

const namesOf = function* (work: string, { spec: { roots } }: Plan) {
  for (const [root, below] of filesOf(work)) {
    const found = roots[root]
    if (found) yield payloadName(found, below)
  }
}

const copiedFiles = function* (work: string, { spec, counts }: Plan, digestLog: DigestLog) {
  const identified = existsSync(inWork(work).formats) ? identifiedOf(work) : undefined
  for (const { name, bytes, modifiedMs, done } of doneFiles(work, spec, digestLog, counts.files))
    yield { name, bytes, modifiedMs, digests: done.digests, identified: identified?.next().value }
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
  { labels, profile, descriptive }: Pick<CopiedPayload, 'labels' | 'profile' | 'descriptive'>,
): CopiedPayload => ({
  plan,
  labels,
  profile,
  descriptive,
  names: () => namesOf(work, plan),
  files: () => copiedFiles(work, plan, digestLog),
  tables: tablesOf(work, plan),
})

/**
 * One number for what files hold, whatever their names and order: the sum of their first digests. Two
 * packages of the same content have the same.
 */
export const contentOf = (digestLog: DigestLog, { spec, counts }: Plan): string => {
  const words = digestBytes[spec.algorithms[0] ?? 'sha256'] / 4
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
