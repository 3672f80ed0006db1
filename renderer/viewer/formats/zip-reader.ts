import {
  configure,
  Reader,
  ZipReader,
  type Entry,
  type FileEntry,
} from '@zip.js/zip.js/lib/zip-core-native.js'
import { sliceOf, type Content } from '../content.ts'
import { Undrawable } from '../kind.ts'
import { nameIn } from './member.ts'

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

/**
 * The entries of a zip (APPNOTE.TXT 6.3.10, with Zip64; names in UTF-8 or code page 437), of which its
 * directory alone is read.
 * @throws Error where there is no directory, Unreachable
 */
export const entriesOf = (content: Content): AsyncIterable<Entry> =>
  // Nothing is written anywhere by these names: one that would lead elsewhere takes no other away.
  new ZipReader(new Parts(content)).getEntriesGenerator({ filenameValidation: 'tolerant' })

/** A member that is not compressed, which is a part of the zip itself. @throws Undrawable, Unreachable */
export const stored = async (
  zip: Content,
  { offset, uncompressedSize, filename }: FileEntry,
): Promise<Content> => {
  const header = await zip.read(offset, offset + localHeaderBytes)
  if (header.length < localHeaderBytes) throw new Undrawable('broken')
  const view = new DataView(header.buffer, header.byteOffset)
  const start = offset + localHeaderBytes + view.getUint16(26, true) + view.getUint16(28, true)
  return sliceOf(zip, nameIn(filename), start, start + uncompressedSize)
}

/** A member as it is inflated. What goes wrong is told by the stream, and ends it. */
export const inflating = (
  entry: FileEntry,
  signal?: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
  // What goes wrong is heard of by who reads.
  entry.getData(writable, signal ? { signal } : {}).catch((error: unknown) => {
    writable.abort(error).catch(() => undefined)
  })
  return readable
}
