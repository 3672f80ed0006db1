import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { folderEntries } from './folder-entries.ts'
import type { FoundEntry } from './found-entry.ts'
import { tarEntries } from './tar-entries.ts'
import { isTarHeader } from './tar-header.ts'
import { zipEntries } from './zip-entries.ts'

export type FoundSerialization = 'folder' | 'tar' | 'zip' | 'none'

/** What a zip begins with: an entry, the end of an empty one, a part of one in several files. */
const zipBeginnings = new Set([0x04034b50, 0x06054b50, 0x08074b50, 0x30304b50])

/**
 * What a path holds, judged by its content, not its name. The path itself may be a link: a person gave it.
 */
export const serializationOf = (file: string): FoundSerialization => {
  const stats = statSync(file)
  if (stats.isDirectory()) return 'folder'
  if (!stats.isFile()) return 'none'
  const handle = openSync(file, 'r')
  try {
    const head = Buffer.alloc(512)
    const read = readSync(handle, head, 0, 512, 0)
    const isTar = isTarHeader(head.subarray(0, read)) || head.toString('latin1', 257, 262) === 'ustar'
    if (read >= 4 && zipBeginnings.has(head.readUInt32LE(0)) && !isTar) return 'zip'
    return isTar ? 'tar' : 'none'
  } finally {
    closeSync(handle)
  }
}

/**
 * Everything in a folder, tar or zip, one after the other; links are not followed.
 * @throws ContainerError where a tar or zip cannot be read to its end
 */
export function* entriesOf(file: string, form: FoundSerialization): Generator<FoundEntry> {
  if (form === 'folder') {
    yield* folderEntries(file)
    return
  }
  const handle = openSync(file, 'r')
  try {
    const { size } = fstatSync(handle)
    yield* form === 'tar' ? tarEntries(handle, size) : zipEntries(handle, size)
  } finally {
    closeSync(handle)
  }
}
