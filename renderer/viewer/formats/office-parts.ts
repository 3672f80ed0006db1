import type { FileEntry } from '@zip.js/zip.js/lib/zip-core-native.js'
import { TooLarge, type Content } from '../content.ts'
import { Undrawable } from '../kind.ts'
import { entriesOf, inflating } from './zip-reader.ts'

/** No document has more parts; a zip that somebody made to hurt may. */
const mostParts = 20_000

/** The parts of a document of Office or OpenDocument, which is a zip. */
export interface OfficeParts {
  names: readonly string[]
  /** Bytes of all parts, as the zip has them. */
  bytes: number
  /** A part in pieces, as it is inflated; of a part that is not there, none. */
  pieces: (name: string) => AsyncIterable<Uint8Array<ArrayBuffer>>
  /** @throws TooLarge for a part of more bytes, Undrawable */
  read: (name: string, most?: number) => Promise<Uint8Array<ArrayBuffer>>
  /** As `read`, as UTF-8; empty for a part that is not there. */
  text: (name: string, most?: number) => Promise<string>
}

async function* piecesOf(entry: FileEntry | undefined) {
  if (entry) yield* inflating(entry)
}

const mostBytes = 64 * 1024 * 1024

/** @throws Undrawable for a zip that is protected or has too many parts */
export const openParts = async (content: Content): Promise<OfficeParts> => {
  const entries = new Map<string, FileEntry>()
  for await (const entry of entriesOf(content)) {
    if (entry.directory) continue
    if (entry.encrypted) throw new Undrawable('protected')
    if (entries.size >= mostParts) throw new Undrawable('too complex')
    entries.set(entry.filename, entry)
  }
  const read = async (name: string, most = mostBytes) => {
    const pieces: Uint8Array<ArrayBuffer>[] = []
    let length = 0
    for await (const piece of piecesOf(entries.get(name))) {
      length += piece.length
      if (length > most) throw new TooLarge(name)
      pieces.push(piece)
    }
    return new Uint8Array(await new Blob(pieces).arrayBuffer())
  }
  return {
    names: [...entries.keys()],
    bytes: [...entries.values()].reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0),
    pieces: (name) => piecesOf(entries.get(name)),
    read,
    text: async (name, most) => new TextDecoder().decode(await read(name, most)),
  }
}
