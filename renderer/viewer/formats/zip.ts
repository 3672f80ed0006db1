import type { Entry, FileEntry } from '@zip.js/zip.js/lib/zip-core-native.js'
import { contentOf, TooLarge, Unreachable, type Content } from '../content.ts'
import { Undrawable } from '../kind.ts'
import { mostInflatedBytes, nameIn, type Member } from './member.ts'
import { entriesOf, stored } from './zip-reader.ts'

/** Takes bytes up to a bound, whatever the directory says of how many there will be. */
const bounded = (name: string) => {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const stream = new WritableStream<Uint8Array<ArrayBuffer>>({
    write: (part) => {
      length += part.length
      if (length > mostInflatedBytes) throw new TooLarge(name)
      parts.push(part)
    },
  })
  return { stream, whole: async () => new Uint8Array(await new Blob(parts).arrayBuffer()) }
}

const inflated = async (entry: FileEntry) => {
  const name = nameIn(entry.filename)
  if (entry.uncompressedSize > mostInflatedBytes) throw new TooLarge(name)
  const { stream, whole } = bounded(name)
  await entry.getData(stream, { checkSignature: true }).catch((error: unknown) => {
    const isSaid = error instanceof TooLarge || error instanceof Unreachable
    throw isSaid ? error : new Undrawable('broken', String(error))
  })
  return contentOf(name, await whole())
}

const memberOf = (content: Content, entry: Entry): Member => ({
  path: entry.filename.replace(/^(\.?[/\\])+/, '').replaceAll('\\', '/'),
  bytes: entry.uncompressedSize,
  modified: entry.lastModDate,
  isFolder: entry.directory,
  isEncrypted: entry.encrypted,
  open: () => {
    if (entry.encrypted) throw new Undrawable('protected')
    if (entry.directory) throw new Undrawable('broken')
    return entry.compressionMethod === 0 ? stored(content, entry) : inflated(entry)
  },
})

/** The files of a zip. @throws Undrawable where there is no directory, Unreachable */
export async function* membersOfZip(content: Content): AsyncGenerator<Member> {
  for await (const entry of entriesOf(content)) yield memberOf(content, entry)
}
