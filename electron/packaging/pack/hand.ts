import path from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { Failed, type Failure } from '../../contract/failure.ts'
import { batchAt, lengthIn, type Batch, type Batches } from './batches.ts'
import { containerOf } from './forms.ts'
import { openControl, type Shared } from './control.ts'
import { digestsOf, readSmall, writeSmall, writeTogether, type Copying } from './copy.ts'
import { copyLarge, help, readAgain } from './large.ts'
import { openLane } from './lane.ts'
import { openJournal, type Done } from './journal.ts'
import { inWork, payloadName, readLines, sourceOf, type Order, type PlannedFile } from './plan.ts'

/** What a thread that copies is given. */
export interface HandData {
  shared: Shared
  work: string
  order: Order
  batches: Batches
  /** The folder, tar or zip under its temporary name. */
  target: string
  threads: number
  /** Whether what the journal says to be done is surely on the disk. */
  isSure: boolean
}

/** A file of the source that failed lets the others go on; a failure of our own disk stops them all. */
export type HandMessage = { trouble: Failure } | { stopped: Failure }

const { shared, work, order, batches, target, threads, isSure } = workerData as HandData
const control = openControl(shared)
const lane = openLane(shared.lane, control)
const container = containerOf(order.form)
const journal = openJournal(inWork(work).journal, order.algorithms)
const buffers = { read: Buffer.alloc(0), again: Buffer.alloc(0) }
const say = (message: HandMessage) => parentPort?.postMessage(message)

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
  let at = batch.at
  const files: Planned[] = []
  for (const line of readLines(inWork(work).files, batch.from, batch.length)) {
    const [root, below, bytes, modifiedMs] = JSON.parse(line) as PlannedFile
    const rootOf = order.roots[root]
    if (!rootOf) throw new Error(`The plan names the root ${root}, which the order does not have.`)
    const name = payloadName(rootOf, below)
    const inTar = container && `${order.top}/${name}`
    files.push({
      from: sourceOf(rootOf, below),
      to: container ? target : path.join(target, ...name.split('/')),
      at: container && inTar ? at + container.headerLength(inTar, bytes, modifiedMs) : 0,
      isOwn: container === undefined,
      name,
      bytes,
      modifiedMs,
    })
    if (container && inTar) at += lengthIn(container, inTar, bytes, modifiedMs)
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

const headerOf = (it: Planned, crc: number): Buffer =>
  container?.header({ name: `${order.top}/${it.name}`, bytes: it.bytes, modifiedMs: it.modifiedMs, crc }) ??
  Buffer.alloc(0)

/** Whether the copy of a file that the journal knows is still what it says. Read back where that is not sure. */
const isThere = (it: Planned, done: Done | undefined): boolean => {
  if (!done || isSure) return done !== undefined
  const found = readAgain(it, order.algorithms, control)
  return found?.equals(done.digests) === true
}

const copyIntoFolder = (files: Planned[], first: number) => {
  const records = journal.read(first, files.length)
  let ready: Done[] = []
  let readyFrom = first
  const flush = (next: number) => {
    if (ready.length > 0) journal.write(readyFrom, ready)
    ready = []
    readyFrom = next
  }
  for (const [index, it] of files.entries()) {
    if (!control.gate()) break
    const isKnown = isThere(it, records[index])
    const done = isKnown
      ? undefined
      : tolerating(() => {
          control.reading(it.from)
          const bytes = buffer('read', it.bytes)
          readSmall(it, bytes)
          const found = digestsOf(bytes, order.algorithms)
          writeSmall(it, bytes, buffer('again', it.bytes))
          return found
        })
    if (isKnown || done) control.done(1, it.bytes, it.bytes)
    if (done) ready.push(done)
    else flush(first + index + 1)
  }
  flush(0)
}

/** Everything of the batch goes into the container with its headers in one write. One bad file spoils the batch, which is not journalled then. */
const copyIntoContainer = (files: Planned[], { first, at }: Batch) => {
  const bytesOf = (it: Planned) => it.bytes
  const records = journal.read(first, files.length)
  if (files.every((it, index) => isThere(it, records[index]))) {
    for (const it of files) control.done(1, bytesOf(it), bytesOf(it))
    return
  }
  const last = files.at(-1)
  if (!last || !container) return
  const all = buffer('read', last.at + last.bytes + container.padding(last.bytes) - at).fill(0)
  const done = files.flatMap((it) => {
    const found = control.gate()
      ? tolerating(() => {
          control.reading(it.from)
          const bytes = all.subarray(it.at - at, it.at - at + it.bytes)
          readSmall(it, bytes)
          return digestsOf(bytes, order.algorithms)
        })
      : undefined
    if (!found) return []
    const header = headerOf(it, found.crc)
    header.copy(all, it.at - at - header.length)
    return [found]
  })
  if (done.length !== files.length) return
  writeTogether(target, at, all, buffer('again', all.length))
  journal.write(first, done)
  for (const it of files) control.done(1, bytesOf(it), bytesOf(it))
}

const large = (index: number) => {
  const batch = batchAt(batches.large, index)
  const [it] = batch ? filesIn(batch) : []
  if (!batch || !it) return
  if (isThere(it, journal.read(batch.first, 1)[0])) {
    control.done(1, it.bytes, it.bytes)
    return
  }
  const done = tolerating(() => {
    control.reading(it.from)
    return copyLarge(it, index, order.algorithms, { control, lane, hasPartner: threads > 1 })
  })
  if (!done) return
  const header = headerOf(it, done.crc)
  if (header.length > 0) writeTogether(target, batch.at, header, buffer('again', header.length))
  journal.write(batch.first, [done])
  control.done(1, 0, 0)
}

const small = (batch: Batch) => {
  const files = filesIn(batch)
  if (container) copyIntoContainer(files, batch)
  else copyIntoFolder(files, batch.first)
}

/** Joins the one who copies a large file, where nobody did; else takes the next large file, where nobody has one; else small ones. */
const takeTurns = () => {
  let largeLeft = true
  let smallLeft = true
  while (control.gate()) {
    const claimed = lane.claim()
    const joined = claimed === undefined ? undefined : batchAt(batches.large, claimed)
    const [it] = joined ? filesIn(joined) : []
    if (it) {
      help(it, order.algorithms, { control, lane })
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
  journal.close()
}
