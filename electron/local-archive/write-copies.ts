import { createHash, type Hash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { codeOf } from '../common/errors.ts'
import { tar as container } from '../packaging/pack/tar.ts'
import { inGroups } from './in-groups.ts'
import { digestOfFile, type Payload } from './payload.ts'
import { openSlices, type Slices } from '../common/slices.ts'

/** Where one copy is to lie; `file` is the full path of its final name. */
export interface Copy {
  medium: string
  file: string
}

/** A tar that is written under temporary names, and not yet known to be on the disk. */
interface Written {
  copies: Copy[]
  /** Open still: only through what wrote a file does the system tell for sure that it could not be. */
  handles: number[]
  bytes: number
  sha256: string
}

/** What is written at once, where there is so much: a header or a small file is not worth a write. */
const blockBytes = 256 * 1024
/** So many packages are brought to the disk at once. */
const mostAtOnce = 32

const sync = promisify(fsync)

const partialOf = (file: string) => path.join(path.dirname(file), `.${path.basename(file)}.partial`)

/** Removes what an interrupted writing left, under its temporary or its final name. */
export const removeCopies = (copies: Copy[]) => {
  for (const { file } of copies) {
    rmSync(partialOf(file), { force: true })
    rmSync(file, { force: true })
  }
}

const closeAll = (handles: number[]) => {
  for (const handle of handles.splice(0)) closeSync(handle)
}

/** Some systems and file systems cannot sync a folder: there the file itself is all that is synced. */
const cannotSync = /^(EINVAL|EPERM|EBADF|ENOTSUP|EISDIR)$/

/** @throws where a folder could not be brought to the disk */
const syncFolder = async (folder: string) => {
  const handle = openSync(folder, 'r')
  try {
    await sync(handle)
  } catch (error) {
    if (!cannotSync.test(codeOf(error))) throw error
  } finally {
    closeSync(handle)
  }
}

/** Writes to several files at once, a block at a time. */
const openTar = (handles: readonly number[], block: Buffer) => {
  const sum = createHash('sha256')
  let used = 0
  let bytes = 0
  const flush = () => {
    const part = block.subarray(0, used)
    sum.update(part)
    for (const handle of handles)
      for (let done = 0; done < part.length;) done += writeSync(handle, part, done)
    bytes += used
    used = 0
  }
  const free = () => {
    if (used === block.length) flush()
    return block.subarray(used)
  }
  const add = (part: Buffer) => {
    for (let from = 0; from < part.length;) {
      const copied = part.copy(free(), 0, from)
      used += copied
      from += copied
    }
  }
  return {
    add,
    /** Adds what comes next in a file, and gives how many bytes. */
    addFrom: (file: number, most: number, hash: Hash): number => {
      const unused = free().subarray(0, most)
      const read = readSync(file, unused)
      hash.update(unused.subarray(0, read))
      used += read
      return read
    },
    /** Ends it, and gives its length and digest. */
    end: () => {
      container.ending([], bytes + used, add)
      flush()
      return { bytes, sha256: sum.digest('hex') }
    },
  }
}
type Tar = ReturnType<typeof openTar>

const addText = (tar: Tar, name: string, text: Buffer, modifiedMs: number) => {
  tar.add(container.header({ name, bytes: text.length, modifiedMs, crc: 0 }))
  tar.add(text)
  tar.add(Buffer.alloc(container.padding(text.length)))
}

const addFile = async (tar: Tar, file: string, name: string, wanted: string | undefined, slices: Slices) => {
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    const { size, mtimeMs } = fstatSync(handle)
    tar.add(container.header({ name, bytes: size, modifiedMs: mtimeMs, crc: 0 }))
    const hash = createHash('sha256')
    let left = size
    for (let read = 1; left > 0 && read > 0; left -= read) {
      read = tar.addFrom(handle, left, hash)
      if (slices.isOver()) await slices.next()
    }
    tar.add(Buffer.alloc(container.padding(size)))
    const isSame = left === 0 && fstatSync(handle).size === size
    if (!isSame || (wanted !== undefined && wanted !== hash.digest('hex')))
      throw new Error(`“${name}” changed after it was validated.`)
  } finally {
    closeSync(handle)
  }
}

const addFolder = async (
  tar: Tar,
  folder: string,
  name: string,
  expected: Map<string, string>,
  top: string,
  slices: Slices,
) => {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  tar.add(container.folder(name, statSync(folder).mtimeMs))
  for (const entry of entries) {
    const file = path.join(folder, entry.name)
    const inTar = `${name}/${entry.name}`
    if (entry.isDirectory()) await addFolder(tar, file, inTar, expected, top, slices)
    else if (entry.isFile())
      await addFile(tar, file, inTar, expected.get(inTar.slice(top.length + 1)), slices)
    else throw new Error(`“${inTar}” became something else than a file after it was validated.`)
  }
}

/** Brings a tar to the disk, reads each copy back and compares it, and only then gives it its name. */
const giveNames = async ({ copies, handles, bytes, sha256 }: Written, readBack: typeof digestOfFile) => {
  // None is closed while another one's sync goes on.
  const synced = await Promise.allSettled(handles.map((handle) => sync(handle)))
  closeAll(handles)
  for (const outcome of synced) if (outcome.status === 'rejected') throw outcome.reason
  for (const { medium, file } of copies) {
    const found = await readBack(partialOf(file))
    if (found.sha256 !== sha256 || found.bytes !== bytes)
      throw new Error(`The copy on ${medium} reads back differently: wrote ${sha256}, read ${found.sha256}.`)
  }
  for (const { file } of copies) renameSync(partialOf(file), file)
}

/** Does that for several packages side by side; a folder that many of them share is synced once. */
const settle = async (
  written: Written[],
  readBack: typeof digestOfFile,
): Promise<PromiseSettledResult<void>[]> => {
  const named = await Promise.allSettled(written.map((one) => giveNames(one, readBack)))
  const folders = new Map<string, Promise<void>>()
  const syncOnce = (folder: string) => {
    const syncing = folders.get(folder) ?? syncFolder(folder)
    folders.set(folder, syncing)
    return syncing
  }
  return Promise.allSettled(
    written.map(async ({ copies }, index) => {
      const outcome = named[index]
      if (outcome?.status === 'rejected') throw outcome.reason
      await Promise.all(copies.map(({ file }) => syncOnce(path.dirname(file))))
    }),
  )
}

/**
 * Opens what writes copies of packages. Those that are written at one time are brought to the disk at once.
 * @param readBack what a disk gives back, for disks that cannot be had
 */
export const copyWriter = (readBack = digestOfFile) => {
  const settled = inGroups((written: Written[]) => settle(written, readBack), mostAtOnce)
  /** What no tar uses now: a block for each of thousands of packages would be garbage for long. */
  const blocks: Buffer[] = []

  const writeTar = async (
    handles: number[],
    received: { folder: string; payload: Payload[] },
    name: string,
    extra: { name: string; text: Buffer; modifiedMs: number }[],
  ) => {
    const block = blocks.pop() ?? Buffer.allocUnsafeSlow(blockBytes)
    try {
      const tar = openTar(handles, block)
      for (const { name: inTar, text, modifiedMs } of extra)
        addText(tar, `${name}/${inTar}`, text, modifiedMs)
      const expected = new Map(received.payload.map((file) => [file.name, file.sha256]))
      const top = `${name}/content`
      await addFolder(tar, received.folder, top, expected, top, openSlices())
      return tar.end()
    } finally {
      blocks.push(block)
    }
  }

  /**
   * Writes a package as one tar to every copy's place at once, reads each back and compares it, and only then
   * gives the copies their names. Payload files are hashed again on their way in.
   * @param extra texts that come before it, with their names
   * @returns size in bytes and sha256 of the tar, the same for every copy
   * @throws where a disk is full, a copy reads back differently or the package changed; nothing is left under
   * a final name
   */
  return async (
    received: { folder: string; payload: Payload[] },
    name: string,
    copies: Copy[],
    extra: { name: string; text: Buffer; modifiedMs: number }[] = [],
  ) => {
    const handles: number[] = []
    try {
      for (const { file } of copies) {
        mkdirSync(path.dirname(file), { recursive: true })
        handles.push(openSync(partialOf(file), 'w'))
      }
      const { bytes, sha256 } = await writeTar(handles, received, name, extra)
      await settled({ copies, handles, bytes, sha256 })
      return { bytes, sha256 }
    } catch (error) {
      closeAll(handles)
      removeCopies(copies)
      throw error
    }
  }
}
