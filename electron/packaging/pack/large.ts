import { createHash } from 'node:crypto'
import { closeSync, fstatSync, ftruncateSync, futimesSync, openSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Algorithm } from '../bagit/algorithms.ts'
import { fileTime } from '../disk.ts'
import type { Control } from './control.ts'
import {
  assertSame,
  changed,
  inSource,
  inTarget,
  readBackFailed,
  readFully,
  writeFully,
  type Copying,
} from './copy.ts'
import { digestsLength, type Done } from './journal.ts'
import { blockBytes, type Found, type OpenLane } from './lane.ts'

interface Threads {
  control: Control
  lane: OpenLane
}

const zeros = Buffer.alloc(blockBytes)

/** Blocks of nothing but zeros are left out, so that a sparse file stays one; the file still reaches to their end. */
const writeBlock = (handle: number, bytes: Buffer, position: number, isOwn: boolean) => {
  if (!bytes.equals(bytes.length === blockBytes ? zeros : zeros.subarray(0, bytes.length))) {
    writeFully(handle, bytes, position)
    return
  }
  const end = position + bytes.length
  if (fstatSync(handle).size >= end) return
  // In a container other threads write further behind, where nothing may be cut off.
  if (isOwn) ftruncateSync(handle, end)
  else writeFully(handle, zeros.subarray(0, 1), end - 1)
}

const hashesFor = (algorithms: readonly Algorithm[]) => {
  const hashes = algorithms.map((algorithm) => createHash(algorithm))
  let crc = 0
  return {
    update: (bytes: Buffer) => {
      for (const it of hashes) it.update(bytes)
    },
    check: (bytes: Buffer) => (crc = crc32(bytes, crc)),
    digests: () => Buffer.concat(hashes.map((it) => it.digest())),
    crc: () => crc,
  }
}

/** Reads from the source into what takes it, block after block, and writes; whole, or says undefined when it was stopped. */
const pump = (
  source: number,
  target: number,
  { from, to, at, bytes, isOwn }: Copying,
  control: Control,
  next: () => Buffer | undefined,
  wrote: (part: Buffer, position: number) => void,
): true | undefined => {
  let position = 0
  for (;;) {
    const block = control.gate() ? next() : undefined
    if (!block) return undefined
    // Whole blocks, so that the other thread knows the length of each.
    const read = inSource(from, () => readFully(source, block, null))
    if (read === 0) break
    if (position + read > bytes) throw changed(from)
    const part = block.subarray(0, read)
    inTarget(to, () => writeBlock(target, part, at + position, isOwn))
    position += read
    control.done(0, read, 0)
    wrote(part, position)
  }
  if (position !== bytes) throw changed(from)
  return true
}

/** Alone: the copy is read back when it is written. */
const copyAlone = (
  source: number,
  target: number,
  it: Copying,
  algorithms: readonly Algorithm[],
  control: Control,
): Found | undefined => {
  const block = Buffer.allocUnsafeSlow(blockBytes)
  const hashes = hashesFor(algorithms)
  const isWhole = pump(
    source,
    target,
    it,
    control,
    () => block,
    (part) => {
      hashes.update(part)
      hashes.check(part)
    },
  )
  if (!isWhole) return undefined
  const readBack = inTarget(it.to, () =>
    hashRange(target, it, algorithms, control, (bytes) => control.done(0, 0, bytes)),
  )
  if (!readBack) {
    if (control.isStopped()) return undefined
    throw readBackFailed(it.to)
  }
  return { read: hashes.digests(), readBack, crc: hashes.crc() }
}

/** Digests of a copy as it lies there; undefined where it ends early, or when it was stopped. */
const hashRange = (
  handle: number,
  { at, bytes }: Copying,
  algorithms: readonly Algorithm[],
  control: Control,
  took: (bytes: number) => void,
): Buffer | undefined => {
  const hashes = hashesFor(algorithms)
  const block = Buffer.allocUnsafe(Math.min(blockBytes, bytes))
  for (let position = 0; position < bytes;) {
    const read = control.gate()
      ? readFully(handle, block.subarray(0, Math.min(block.length, bytes - position)), at + position)
      : 0
    if (read === 0) return undefined
    hashes.update(block.subarray(0, read))
    position += read
    took(read)
  }
  return hashes.digests()
}

/** Together: this thread reads and writes, another one hashes what was read and reads back what was written. */
const copyTogether = (
  source: number,
  target: number,
  it: Copying,
  batch: number,
  algorithms: readonly Algorithm[],
  { control, lane }: Threads,
): Found | undefined => {
  let isLeft = true
  try {
    if (!lane.begin(batch)) return undefined
    const next = () => {
      const free = lane.free()
      return free === undefined ? undefined : lane.slot(free)
    }
    if (!pump(source, target, it, control, next, (_part, position) => lane.wrote(position))) return undefined
    isLeft = false
    return lane.end(digestsLength(algorithms))
  } finally {
    if (isLeft) lane.leave()
  }
}

/**
 * Copies a large file: read once, hashed and written, read back and compared.
 * @param batch what the second thread needs to know which file it is
 * @returns undefined when it was stopped
 * @throws Failed where the source changed or the copy is not what was read
 */
export const copyLarge = (
  it: Copying,
  batch: number,
  algorithms: readonly Algorithm[],
  { control, lane, hasPartner }: Threads & { hasPartner: boolean },
): Done | undefined => {
  const { from, to } = it
  const source = inSource(from, () => openSync(from, 'r'))
  try {
    assertSame(source, it)
    const target = inTarget(to, () => openSync(to, it.isOwn ? 'w+' : 'r+'))
    try {
      const found = hasPartner
        ? copyTogether(source, target, it, batch, algorithms, { control, lane })
        : copyAlone(source, target, it, algorithms, control)
      if (!found) return undefined
      assertSame(source, it)
      if (!found.read.equals(found.readBack)) throw readBackFailed(to)
      if (it.isOwn) futimesSync(target, Date.now() / 1000, fileTime(it.modifiedMs))
      return { digests: found.read, crc: found.crc }
    } finally {
      closeSync(target)
    }
  } finally {
    closeSync(source)
  }
}

/** Digests of a copy that an earlier run made; undefined where it cannot be read, or when it was stopped. */
export const readAgain = (
  it: Copying,
  algorithms: readonly Algorithm[],
  control: Control,
): Buffer | undefined => {
  try {
    const handle = openSync(it.to, 'r')
    try {
      return hashRange(handle, it, algorithms, control, () => undefined)
    } finally {
      closeSync(handle)
    }
  } catch {
    return undefined
  }
}

/** The second thread at a large file: hashes blocks as they were read, and reads the copy back behind the one who writes it. */
export const help = (it: Copying, algorithms: readonly Algorithm[], { control, lane }: Threads) => {
  const { to, at, bytes } = it
  const hashes = hashesFor(algorithms)
  const again = hashesFor(algorithms)
  const block = Buffer.allocUnsafeSlow(blockBytes)
  const work = (): Found | undefined => {
    const target = openSync(to, 'r')
    try {
      let next = 0
      let position = 0
      while (position < bytes || next * blockBytes < bytes) {
        const progress = lane.progress(next, position)
        if (!progress) return undefined
        if (progress.filled > next) {
          const part = lane.slot(next, Math.min(blockBytes, bytes - next * blockBytes))
          hashes.update(part)
          if (!it.isOwn) hashes.check(part)
          next += 1
          lane.hashed()
        } else if (progress.copied > position) {
          const read = readFully(
            target,
            block.subarray(0, Math.min(blockBytes, progress.copied - position)),
            at + position,
          )
          if (read === 0) return undefined
          again.update(block.subarray(0, read))
          position += read
          control.done(0, 0, read)
        }
      }
      return { read: hashes.digests(), readBack: again.digests(), crc: hashes.crc() }
    } finally {
      closeSync(target)
    }
  }
  let found: Found | undefined
  try {
    found = inTarget(to, work)
  } finally {
    lane.verified(found)
  }
}
