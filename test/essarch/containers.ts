import { closeSync, openSync } from 'node:fs'
import { containerForm } from '../../electron/local-archive/files/paths.ts'
import { entriesOf } from '../../electron/packaging/entries/entries.ts'
import { inflateAtOnce } from '../../electron/packaging/entries/inflate.ts'
import { readFully } from '../../electron/packaging/pack/copy.ts'
import type { Entry } from './files.ts'

/** The container that a path leads into, and the path below it; undefined where it leads into none. */
export const containerOf = (path: string): { container: string; inside: string } | undefined => {
  const [, container, inside] = /^(.*?\.(?:tar|zip))(?:\/(.*))?$/i.exec(path) ?? []
  return container === undefined ? undefined : { container, inside: inside ?? '' }
}

const bytesOf = (file: string, found: { position: number; stored: number; bytes: number; name: string }) => {
  const handle = openSync(file, 'r')
  try {
    if (found.stored !== found.bytes) return inflateAtOnce(handle, { ...found, from: found.position })
    const bytes = Buffer.alloc(found.bytes)
    readFully(handle, bytes, found.position)
    return bytes
  } finally {
    closeSync(handle)
  }
}

/** The files in a tar or zip, all of them whatever their folders, with their bytes where one is wanted. */
export const readContainer = (
  file: string,
  wanted: string,
): { entries: Entry[]; bytes: Buffer | undefined } => {
  const found = [...entriesOf(file, containerForm(file) ?? 'none')].filter(({ kind }) => kind === 'file')
  const member = found.find(({ name }) => name === wanted)
  return {
    entries: found.map(({ name, bytes, modifiedMs }) => ({
      name,
      type: 'file',
      size: bytes,
      modified: new Date(modifiedMs ?? 0).toISOString(),
    })),
    bytes: member && bytesOf(file, member),
  }
}
