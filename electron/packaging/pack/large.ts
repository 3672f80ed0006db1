import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  openSync,
  rmSync,
} from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Algorithm } from '../digests.ts'
import { fileTime } from '../disk.ts'
import type { ThreadControl } from './control.ts'
import {
  assertSame,
  changed,
  inSource,
  inTarget,
  openSource,
  readBackFailed,
  readFully,
  writeFully,
  type Copying,
} from './copy.ts'
import { digestsLength, type DigestRecord } from './digest-log.ts'
import { blockBytes, type OpenRing } from './ring.ts'

interface Threads {
  control: ThreadControl
  ring: OpenRing
}

/** As of any file that is new, before the mask of the process. */
const newFileMode = 0o666

const zeros = Buffer.alloc(blockBytes)

/**
 * Writes a block at its position in the file. Those of nothing but zeros are left out, so that a sparse file
 * stays one; the file still reaches to their end.
 */
const writeBlock = (handle: number, bytes: Buffer, position: number, file: Copying) =>
  inTarget(file.to, () => {
    const from = file.position + position
    if (!bytes.equals(bytes.length === blockBytes ? zeros : zeros.subarray(0, bytes.length))) {
      writeFully(handle, bytes, from)
      return
    }
    const end = from + bytes.length
    if (fstatSync(handle).size >= end) return
    // In a container other threads write further behind, where nothing may be cut off.
    if (file.isSeparate) ftruncateSync(handle, end)
    else writeFully(handle, zeros.subarray(0, 1), end - 1)
  })

const hashesFor = ({ needsCrc }: Copying, algorithms: readonly Algorithm[]) => {
  const hashes = algorithms.map((algorithm) => createHash(algorithm))
  let crc = 0
  return {
    update: (bytes: Buffer) => {
      for (const hash of hashes) hash.update(bytes)
      if (needsCrc) crc = crc32(bytes, crc)
    },
    found: (): DigestRecord => ({ digests: Buffer.concat(hashes.map((hash) => hash.digest())), crc }),
  }
}

/** Reads a block of the copy back and compares. */
const readBack = (handle: number, part: Buffer, again: Buffer, position: number, to: string) =>
  inTarget(to, () => {
    const back = again.subarray(0, part.length)
    if (readFully(handle, back, position) !== part.length || !back.equals(part)) throw readBackFailed(to)
  })

/**
 * Reads a file into what takes it, block after block; whole, or says undefined when it was stopped.
 * @param take is given each block, and its position in the file
 */
const pump = (
  source: number,
  { from, bytes }: Copying,
  control: ThreadControl,
  next: () => Buffer | undefined,
  take: (part: Buffer, position: number) => void,
): true | undefined => {
  let position = 0
  for (;;) {
    const block = control.gate() ? next() : undefined
    if (!block) return undefined
    // Whole blocks, so that the other thread knows the length of each.
    const read = inSource(from, () => readFully(source, block, null))
    if (read === 0) break
    if (position + read > bytes) throw changed(from)
    take(block.subarray(0, read), position)
    position += read
  }
  if (position !== bytes) throw changed(from)
  return true
}

const copyAlone = (
  source: number,
  target: number,
  file: Copying,
  algorithms: readonly Algorithm[],
  control: ThreadControl,
): DigestRecord | undefined => {
  const block = Buffer.allocUnsafeSlow(blockBytes)
  const again = Buffer.allocUnsafeSlow(blockBytes)
  const hashes = hashesFor(file, algorithms)
  const take = (part: Buffer, position: number) => {
    writeBlock(target, part, position, file)
    readBack(target, part, again, file.position + position, file.to)
    control.done(0, part.length, part.length)
    hashes.update(part)
  }
  const isWhole = pump(source, file, control, () => block, take)
  return isWhole && hashes.found()
}

/** What a copy is as it lies there; undefined where it ends early, or when it was stopped. */
const hashRange = (
  handle: number,
  file: Copying,
  algorithms: readonly Algorithm[],
  control: ThreadControl,
  took: (bytes: number) => void,
): DigestRecord | undefined => {
  const { position: start, bytes } = file
  const hashes = hashesFor(file, algorithms)
  const block = Buffer.allocUnsafe(Math.min(blockBytes, bytes))
  for (let position = 0; position < bytes;) {
    const read = control.gate()
      ? readFully(handle, block.subarray(0, Math.min(block.length, bytes - position)), start + position)
      : 0
    if (read === 0) return undefined
    hashes.update(block.subarray(0, read))
    position += read
    took(read)
  }
  return hashes.found()
}

/**
 * With a partner: this thread reads and writes, another one hashes what was read and reads back what was
 * written.
 * @param target undefined for a clone, of which nothing is written
 */
const copyWithPartner = (
  source: number,
  target: number | undefined,
  file: Copying,
  batch: number,
  algorithms: readonly Algorithm[],
  { control, ring }: Threads,
): DigestRecord | undefined => {
  let isLeft = true
  try {
    if (!ring.copier.begin(batch, target !== undefined)) return undefined
    const next = () => {
      const free = ring.copier.free()
      return free === undefined ? undefined : ring.slot(free)
    }
    const take = (part: Buffer, position: number) => {
      if (target !== undefined) writeBlock(target, part, position, file)
      control.done(0, part.length, 0)
      ring.copier.filled()
    }
    if (!pump(source, file, control, next, take)) return undefined
    isLeft = false
    return ring.copier.end(digestsLength(algorithms))
  } finally {
    if (isLeft) ring.copier.leave()
  }
}

/**
 * Makes a file that shares its blocks with the source, where the file system can (Btrfs, XFS, APFS): nothing
 * is written then, and nothing can be written wrongly. Says whether there is one now.
 */
const makeClone = ({ from, to, isSeparate }: Copying): boolean => {
  if (!isSeparate) return false
  try {
    // macOS clones to a new name alone.
    rmSync(to, { force: true })
    copyFileSync(from, to, constants.COPYFILE_FICLONE_FORCE)
    // It comes with the permissions of the source, which may be read only.
    chmodSync(to, newFileMode & ~process.umask())
    return true
  } catch {
    // Whatever is wrong with either file is found and said by who copies it.
    return false
  }
}

/** The digests of a clone are those of the source: it was that at one moment, and is read once. */
const hashClone = (
  target: number,
  file: Copying,
  algorithms: readonly Algorithm[],
  control: ThreadControl,
) => {
  const found = inTarget(file.to, () =>
    hashRange(target, file, algorithms, control, (bytes) => control.done(0, bytes, bytes)),
  )
  if (!found && !control.isStopped()) throw readBackFailed(file.to)
  return found
}

/**
 * Copies a large file: read once, hashed and written, read back and compared; or cloned, and read once.
 * @param batch what the second thread needs to know which file it is
 * @returns undefined when it was stopped
 * @throws Failed where the source changed or the copy is not what was read
 */
export const copyLarge = (
  file: Copying,
  batch: number,
  algorithms: readonly Algorithm[],
  { control, ring, hasPartner }: Threads & { hasPartner: boolean },
): DigestRecord | undefined => {
  const { from, to } = file
  const source = inSource(from, () => openSource(from))
  try {
    assertSame(source, file)
    const isClone = makeClone(file)
    const target = inTarget(to, () => openSync(to, file.isSeparate && !isClone ? 'w+' : 'r+'))
    try {
      const [read, written] = isClone ? [target, undefined] : [source, target]
      const found = hasPartner
        ? copyWithPartner(read, written, file, batch, algorithms, { control, ring })
        : isClone
          ? hashClone(target, file, algorithms, control)
          : copyAlone(source, target, file, algorithms, control)
      if (!found) return undefined
      assertSame(source, file)
      if (file.isSeparate) futimesSync(target, Date.now() / 1000, fileTime(file.modifiedMs))
      return found
    } finally {
      closeSync(target)
    }
  } finally {
    closeSync(source)
  }
}

/** What a copy is that an earlier run made; undefined where it cannot be read, or when it was stopped. */
export const readAgain = (
  file: Copying,
  algorithms: readonly Algorithm[],
  control: ThreadControl,
): DigestRecord | undefined => {
  try {
    const handle = openSync(file.to, 'r')
    try {
      return hashRange(handle, file, algorithms, control, () => undefined)
    } finally {
      closeSync(handle)
    }
  } catch {
    return undefined
  }
}

/**
 * The second thread at a large file: hashes blocks as they were read, reads them back and compares.
 * @param isReadBack whether the copy is read back; a clone is not
 * @throws Failed where the copy is not what was read
 */
export const hashAlongside = (
  file: Copying,
  isReadBack: boolean,
  algorithms: readonly Algorithm[],
  { control, ring }: Threads,
) => {
  const { to, bytes } = file
  const hashes = hashesFor(file, algorithms)
  const again = Buffer.allocUnsafeSlow(blockBytes)
  const takeBlocks = (copy: number | undefined): DigestRecord | undefined => {
    for (let next = 0; next * blockBytes < bytes;) {
      const filled = ring.hasher.filled(next)
      if (filled === undefined) return undefined
      for (; next < filled; next += 1) {
        const position = next * blockBytes
        const part = ring.slot(next, Math.min(blockBytes, bytes - position))
        if (copy !== undefined) readBack(copy, part, again, file.position + position, to)
        hashes.update(part)
        control.done(0, 0, part.length)
        ring.hasher.hashed()
      }
    }
    return hashes.found()
  }
  let found: DigestRecord | undefined
  let copy: number | undefined
  try {
    copy = isReadBack ? inTarget(to, () => openSync(to, 'r')) : undefined
    found = takeBlocks(copy)
  } finally {
    if (copy !== undefined) closeSync(copy)
    ring.hasher.finished(found)
  }
}
