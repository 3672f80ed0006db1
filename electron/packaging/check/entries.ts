import { closeSync, fstatSync, lstatSync, openSync, opendirSync, readSync } from 'node:fs'
import path from 'node:path'
import type { FoundEntry } from './found-entry.ts'
import { tarEntries } from './tar-entries.ts'
import { zipEntries } from './zip-entries.ts'

export type FoundForm = 'folder' | 'tar' | 'zip' | 'none'

/** What a path holds, judged by its content, not its name. */
export const formOf = (file: string): FoundForm => {
  const it = lstatSync(file)
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

function* folderEntries(folder: string, below = ''): Generator<FoundEntry> {
  const opened = opendirSync(path.join(folder, below), { bufferSize: 1_024 })
  const inside: string[] = []
  try {
    for (let it = opened.readSync(); it !== null; it = opened.readSync()) {
      const name = below === '' ? it.name : `${below}/${it.name}`
      if (it.isDirectory()) inside.push(name)
      else if (it.isFile())
        yield {
          name,
          kind: 'file',
          bytes: lstatSync(path.join(folder, name)).size,
          stored: 0,
          at: 0,
          isStored: true,
        }
      else yield { name, kind: 'other', bytes: 0, stored: 0, at: 0, isStored: true }
    }
  } finally {
    opened.closeSync()
  }
  for (const name of inside) {
    yield { name, kind: 'folder', bytes: 0, stored: 0, at: 0, isStored: true }
    yield* folderEntries(folder, name)
  }
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
