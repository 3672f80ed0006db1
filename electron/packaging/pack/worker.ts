import path from 'node:path'
import { parentPort } from 'node:worker_threads'
import { Failed, type Failure } from '../../contract/failure.ts'
import { batchAt, lengthIn, type Batch, type Batches } from './batches.ts'
import { containerOf } from './serializations.ts'
import { threadControl, type Shared } from './control.ts'
import { digestsOf, isWritten, readSmall, writeAll, writeSmall, type Copying } from './copy.ts'
import { copyLarge, hashAlongside, readAgain } from './large.ts'
import { openRing, type Ring } from './ring.ts'
import { openDigestLog, type DigestRecord } from './digest-log.ts'
import { inWork, payloadName, plannedFile, readLines, sourceOf, type PackSpec } from './plan.ts'
import { dataOfThread } from '../../common/worker-data.ts'

/** What a thread that copies is given. */
export interface WorkerData {
  shared: Shared
  ring: Ring
  work: string
  spec: PackSpec
  batches: Batches
  /** The folder, tar or zip under its temporary name. */
  target: string
  threads: number
  /** Whether what the digest log says to be done is surely on the disk. */
  isSure: boolean
}

/**
 * A file of the source that failed lets the others go on; a failure of our own disk stops them all. "Over" is
 * the last word of a thread.
 */
export type WorkerMessage = { trouble: Failure } | { stopped: Failure } | 'over'

const { shared, ring: sharedRing, work, spec, batches, target, threads, isSure } = dataOfThread<WorkerData>()
const control = threadControl(shared)
const ring = openRing(sharedRing, control)
const container = containerOf(spec.form)
const digestLog = openDigestLog(inWork(work).digestLog, spec.algorithms)
const buffers = { read: Buffer.alloc(0), again: Buffer.alloc(0) }
const say = (message: WorkerMessage) => parentPort?.postMessage(message)

/** Buffers grow to what is needed and are kept. */
const buffer = (which: 'read' | 'again', bytes: number) => {
  if (buffers[which].length < bytes) buffers[which] = Buffer.allocUnsafeSlow(bytes)
  return buffers[which].subarray(0, bytes)
}

interface Planned extends Copying {
  name: string
}

/** Files of a batch with their places; those that an earlier run finished are left out by their record. */
const filesIn = (batch: Batch): Planned[] => {
  let position = batch.position
  const files: Planned[] = []
  for (const line of readLines(inWork(work).files, batch.from, batch.length)) {
    const [root, below, bytes, modifiedMs] = plannedFile(line)
    const rootOf = spec.roots[root]
    if (!rootOf) throw new Error(`The plan names the root ${root}, which the spec does not have.`)
    const name = payloadName(rootOf, below)
    const inTar = container && `${spec.top}/${name}`
    files.push({
      from: sourceOf(rootOf, below),
      to: container ? target : path.join(target, ...name.split('/')),
      position: container && inTar ? position + container.headerLength(inTar, bytes, modifiedMs) : 0,
      isSeparate: container === undefined,
      needsCrc: container?.hasCrc === true,
      name,
      bytes,
      modifiedMs,
    })
    if (container && inTar) position += lengthIn(container, inTar, bytes, modifiedMs)
  }
  return files
}

/** Does the work on a file of the source; a failure of that file alone is told, and the others go on. */
const tolerating = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.kind !== 'source') throw error
    say({ trouble: error.failure })
    return undefined
  }
}

const headerOf = (file: Planned, crc: number): Buffer =>
  container?.header({
    name: `${spec.top}/${file.name}`,
    bytes: file.bytes,
    modifiedMs: file.modifiedMs,
    crc,
  }) ?? Buffer.alloc(0)

/**
 * Whether the copy of a file that the log knows is still what it says, its header in a container too. Read
 * back where that is not sure.
 */
const isThere = (file: Planned, done: DigestRecord | undefined): boolean => {
  if (!done || isSure) return done !== undefined
  const header = headerOf(file, done.crc)
  if (!isWritten(file.to, file.position - header.length, header)) return false
  const found = readAgain(file, spec.algorithms, control)
  return found?.digests.equals(done.digests) === true
}

const copyIntoFolder = (files: Planned[], first: number) => {
  const records = digestLog.read(first, files.length)
  let ready: DigestRecord[] = []
  let readyFrom = first
  const flush = (next: number) => {
    if (ready.length > 0) digestLog.write(readyFrom, ready)
    ready = []
    readyFrom = next
  }
  for (const [index, file] of files.entries()) {
    if (!control.gate()) break
    const isKnown = isThere(file, records[index])
    const done = isKnown
      ? undefined
      : tolerating(() => {
          control.reading(file.from)
          const bytes = buffer('read', file.bytes)
          readSmall(file, bytes)
          const found = digestsOf(file, bytes, spec.algorithms)
          writeSmall(file, bytes, buffer('again', file.bytes))
          return found
        })
    if (isKnown || done) control.done(1, file.bytes, file.bytes)
    if (done) ready.push(done)
    else flush(first + index + 1)
  }
  flush(0)
}

/**
 * Everything of the batch goes into the container with its headers in one write. One bad file spoils the
 * batch, which is not journalled then.
 */
const copyIntoContainer = (files: Planned[], { first, position }: Batch) => {
  const records = digestLog.read(first, files.length)
  if (files.every((file, index) => isThere(file, records[index]))) {
    for (const { bytes } of files) control.done(1, bytes, bytes)
    return
  }
  const last = files.at(-1)
  if (!last || !container) return
  const all = buffer('read', last.position + last.bytes + container.padding(last.bytes) - position).fill(0)
  const done = files.flatMap((file) => {
    const start = file.position - position
    const found = control.gate()
      ? tolerating(() => {
          control.reading(file.from)
          const bytes = all.subarray(start, start + file.bytes)
          readSmall(file, bytes)
          return digestsOf(file, bytes, spec.algorithms)
        })
      : undefined
    if (!found) return []
    const header = headerOf(file, found.crc)
    header.copy(all, start - header.length)
    return [found]
  })
  if (done.length !== files.length) return
  writeAll(target, position, all, buffer('again', all.length))
  digestLog.write(first, done)
  for (const { bytes } of files) control.done(1, bytes, bytes)
}

const large = (index: number) => {
  const batch = batchAt(batches.large, index)
  const [file] = batch ? filesIn(batch) : []
  if (!batch || !file) return
  if (isThere(file, digestLog.read(batch.first, 1)[0])) {
    control.done(1, file.bytes, file.bytes)
    return
  }
  const done = tolerating(() => {
    control.reading(file.from)
    return copyLarge(file, index, spec.algorithms, { control, ring, hasPartner: threads > 1 })
  })
  if (!done) return
  const header = headerOf(file, done.crc)
  if (header.length > 0) writeAll(target, batch.position, header, buffer('again', header.length))
  digestLog.write(batch.first, [done])
  control.done(1, 0, 0)
}

const small = (batch: Batch) => {
  const files = filesIn(batch)
  if (container) copyIntoContainer(files, batch)
  else copyIntoFolder(files, batch.first)
}

/**
 * Joins the one who copies a large file, where nobody did; else takes the next large file, where nobody has
 * one; else small ones.
 */
const takeTurns = () => {
  let largeLeft = true
  let smallLeft = true
  while (control.gate()) {
    const claimed = ring.hasher.claim()
    const joined = claimed && batchAt(batches.large, claimed.batch)
    const [file] = joined ? filesIn(joined) : []
    if (claimed && file) {
      hashAlongside(file, claimed.isReadBack, spec.algorithms, { control, ring })
      continue
    }
    if (largeLeft && control.lockLarge()) {
      const index = control.takeLarge()
      largeLeft = batchAt(batches.large, index) !== undefined
      try {
        if (largeLeft) large(index)
      } finally {
        control.unlockLarge()
      }
      continue
    }
    const batch: Batch | undefined = smallLeft ? batchAt(batches.small, control.takeSmall()) : undefined
    smallLeft = batch !== undefined
    if (batch) small(batch)
    else if (!largeLeft) break
    else control.awaitLarge()
  }
}

try {
  takeTurns()
} catch (error) {
  control.stop()
  if (!(error instanceof Failed)) throw error
  say({ stopped: error.failure })
} finally {
  digestLog.close()
}
say('over')
