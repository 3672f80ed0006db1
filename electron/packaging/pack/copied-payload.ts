import { existsSync } from 'node:fs'
import { csvLine } from '../csv.ts'
import { digestBytes } from '../digests.ts'
import type { Label } from '../format.ts'
import { recordsOf, type DigestLog } from './digest-log.ts'
import { doneFiles } from './layout.ts'
import { filesOf, inWork, payloadName, readLines, skippedOf, type Plan } from './plan.ts'

/** A payload that lies at its place, as a format is given it to add its own files. */
export interface CopiedPayload {
  plan: Plan
  /** What the package is to say of itself. */
  labels: Label[]
  /** The text of the profile that it has to meet. */
  profile: string | null
  /** Names in the payload, in the order of the plan. */
  names: () => Iterable<string>
  /** The same with their digests, one after the other in the order of the plan's algorithms. */
  files: () => Iterable<{ name: string; digests: Buffer }>
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

const withNewlines = function* (lines: Iterable<string>) {
  for (const line of lines) yield `${line}\n`
}

const tablesOf = (work: string, plan: Plan): CopiedPayload['tables'] => {
  const { formats } = inWork(work)
  return [
    ...(plan.skipped.count > 0 ? [{ name: 'not-packed.csv', text: () => skippedTable(work) }] : []),
    ...(existsSync(formats) ? [{ name: 'formats.csv', text: () => withNewlines(readLines(formats)) }] : []),
  ]
}

/** What was copied, from the files of the work; its digest log is read as long as a format looks at it. */
export const copiedPayload = (
  work: string,
  plan: Plan,
  digestLog: DigestLog,
  { labels, profile }: Pick<CopiedPayload, 'labels' | 'profile'>,
): CopiedPayload => ({
  plan,
  labels,
  profile,
  names: function* () {
    for (const [root, below] of filesOf(work)) {
      const found = plan.spec.roots[root]
      if (found) yield payloadName(found, below)
    }
  },
  files: function* () {
    for (const { name, done } of doneFiles(work, plan.spec, digestLog, plan.counts.files))
      yield { name, digests: done.digests }
  },
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
