import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { folderEntries } from './folder-entries.ts'
import type { FoundEntry } from './found-entry.ts'
import { tarEntries } from './tar-entries.ts'
import { zipEntries } from './zip-entries.ts'

export type FoundForm = 'folder' | 'tar' | 'zip' | 'none'

/** What a path holds, judged by its content, not its name. The path itself may be a link: a person gave it. */
export const formOf = (file: string): FoundForm => {
  const it = statSync(file)
  if (it.isDirectory()) return 'folder'
  if (!it.isFile()) return 'none'
  const handle = openSync(file, 'r')
  try {
    const head = Buffer.alloc(512)
    const read = readSync(handle, head, 0, 512, 0)
    if (read >= 4 && (head.readUInt32LE(0) === 0x04034b50 || head.readUInt32LE(0) === 0x06054b50))
      return 'zip'
    return read === 512 && (head.toString('latin1', 257, 262) === 'ustar' || looksLikeOldTar(head))
      ? 'tar'
      : 'none'
  } finally {
    closeSync(handle)
  }
}

/** Tars of before POSIX have no word to know them by, only their sum. */
const looksLikeOldTar = (head: Buffer) => {
  const sum = parseInt(head.toString('latin1', 148, 156).replace(/[^0-7]/g, ''), 8)
  let found = 8 * 32
  for (let index = 0; index < 512; index += 1) if (index < 148 || index >= 156) found += head[index] ?? 0
  return sum === found && head[0] !== 0
}

/**
 * Everything in a folder, tar or zip, one after the other; links are not followed.
 * @throws Broken where a tar or zip cannot be read to its end
 */
export function* entriesOf(file: string, form: FoundForm): Generator<FoundEntry> {
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
