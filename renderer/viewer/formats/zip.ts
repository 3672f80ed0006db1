import { ZipReader, configure, Reader, type Entry } from '@zip.js/zip.js/lib/zip-core-native.js'
import { contentOf, sliceOf, TooLarge, type Content } from '../content.ts'
import { Undrawable } from '../kind.ts'
import { mostInflatedBytes, nameIn, type Member } from './member.ts'

// The frame starts no threads: it is a process of its own.
configure({ useWebWorkers: false })

const localHeaderBytes = 30

class Parts extends Reader<Content> {
  readonly #content: Content
  constructor(content: Content) {
    super(content)
    this.#content = content
    this.size = content.bytes
  }
  override readUint8Array(from: number, length: number) {
    return this.#content.read(from, from + length)
  }
}

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

/** A member that is not compressed is a part of the zip itself. */
const stored = async (whole: Content, { offset, uncompressedSize, filename }: Entry) => {
  const header = await whole.read(offset, offset + localHeaderBytes)
  if (header.length < localHeaderBytes) throw new Undrawable('broken')
  const view = new DataView(header.buffer, header.byteOffset)
  const start = offset + localHeaderBytes + view.getUint16(26, true) + view.getUint16(28, true)
  return sliceOf(whole, nameIn(filename), start, start + uncompressedSize)
}

const inflated = async (entry: Entry) => {
  const name = nameIn(entry.filename)
  if (entry.directory) throw new Undrawable('broken')
  if (entry.uncompressedSize > mostInflatedBytes) throw new TooLarge(name)
  const { stream, whole } = bounded(name)
  await entry.getData(stream, { checkSignature: true }).catch((error: unknown) => {
    throw error instanceof TooLarge ? error : new Undrawable('broken', String(error))
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
    return entry.compressionMethod === 0 ? stored(content, entry) : inflated(entry)
  },
})

/**
 * The files of a zip (APPNOTE.TXT 6.3.10, with Zip64; names in UTF-8 or code page 437), of which its
 * directory alone is read.
 * @throws Undrawable where there is no directory, Unreachable
 */
export async function* membersOfZip(content: Content): AsyncGenerator<Member> {
  const reader = new ZipReader(new Parts(content))
  for await (const entry of reader.getEntriesGenerator()) yield memberOf(content, entry)
}
