import { lengthIn } from './batches.ts'
import type { Container, Placed } from './containers.ts'
import { filesOf, foldersOf, payloadName, type LinePart, type PackSpec, type PlannedFolder } from './plan.ts'
import { recordsOf, type DigestRecord, type DigestLog } from './digest-log.ts'

/** The time of change of a container's own folder, which has none in the sources. */
export const topModifiedMs = 0

/** Files of a plan that follow each other: their lines, the number of the first, and how many they are. */
export interface PlanPart {
  lines: Partial<LinePart>
  first: number
  count: number
}

/** Folders of a container, its own first: they come before all files. */
export const placedFolders = function* (
  work: string,
  { top }: PackSpec,
  container: Container,
  topModifiedMs: number,
): Generator<Placed & { header: Buffer }> {
  let position = 0
  const all = function* (): Generator<PlannedFolder> {
    yield [top, topModifiedMs]
    for (const [name, modifiedMs] of foldersOf(work)) yield [`${top}/${name}`, modifiedMs]
  }
  for (const [name, modifiedMs] of all()) {
    const header = container.folder(name, modifiedMs)
    yield { name: `${name}/`, bytes: 0, modifiedMs, crc: 0, position, isFolder: true, header }
    position += header.length
  }
}

/**
 * Files of a plan, or of a part of it, with what the log knows of them, in their order.
 * @throws where one was never done
 */
export const doneFiles = function* (
  work: string,
  { roots }: PackSpec,
  digestLog: DigestLog,
  { lines, first, count }: PlanPart,
): Generator<{ name: string; bytes: number; modifiedMs: number; done: DigestRecord }> {
  const records: Iterator<DigestRecord | undefined, undefined> = recordsOf(digestLog, count, first)
  for (const [root, below, bytes, modifiedMs] of filesOf(work, lines)) {
    const rootOf = roots[root]
    const done = records.next().value
    if (!rootOf || !done) throw new Error(`${below}: planned, but not in the digest log.`)
    yield { name: payloadName(rootOf, below), bytes, modifiedMs, done }
  }
}

/** Files of a container with their places. @param begin where the first begins */
export const placedFiles = function* (
  work: string,
  spec: PackSpec,
  container: Container,
  digestLog: DigestLog,
  files: number,
  begin: number,
): Generator<Placed> {
  let position = begin
  const all = { lines: {}, first: 0, count: files }
  for (const { name: inPayload, bytes, modifiedMs, done } of doneFiles(work, spec, digestLog, all)) {
    const name = `${spec.top}/${inPayload}`
    yield { name, bytes, modifiedMs, crc: done.crc, position, isFolder: false }
    position += lengthIn(container, name, bytes, modifiedMs)
  }
}
