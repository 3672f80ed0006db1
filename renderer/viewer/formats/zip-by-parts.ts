import type { FileEntry } from '@zip.js/zip.js/lib/zip-core-native.js'
import type { Content } from '../content.ts'
import { nameIn } from './member.ts'
import { entriesOf, inflating, stored } from './zip-reader.ts'

/** What is inflated is kept in blocks, the ones that were used longest ago are let go of. */
const blockBytes = 256 * 1024
const mostBlocks = 256

/**
 * A member that is compressed, as a file of its own: read on from where it was read, and from its beginning
 * for what was let go of. However large it is, little of it is in memory.
 */
class Inflated {
  readonly #entry: FileEntry
  readonly #blocks = new Map<number, Uint8Array<ArrayBuffer>>()
  #stream: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined
  #leaving = new AbortController()
  /** The block that comes next. */
  #next = 0
  #rest = new Uint8Array()
  #before: Promise<unknown> = Promise.resolve()

  constructor(entry: FileEntry) {
    this.#entry = entry
  }

  /** One reading after the other: there is one stream. */
  read(from: number, to: number) {
    const answer = this.#before.then(() => this.#read(from, Math.min(to, this.#entry.uncompressedSize)))
    this.#before = answer.catch(() => undefined)
    return answer
  }

  async #read(from: number, to: number) {
    const result = new Uint8Array(Math.max(0, to - from))
    for (let place = from; place < to;) {
      const number = Math.floor(place / blockBytes)
      const start = place - number * blockBytes
      const block = await this.#block(number)
      const piece = block.subarray(start, start + to - place)
      if (piece.length === 0) throw new Error('A member ends before its end.')
      result.set(piece, place - from)
      place += piece.length
    }
    return result
  }

  async #block(number: number) {
    const found = this.#blocks.get(number)
    if (found) return found
    if (!this.#stream || number < this.#next) this.#begin()
    for (;;) {
      const block = await this.#inflate()
      this.#blocks.set(this.#next, block)
      this.#next += 1
      for (const old of this.#blocks.keys()) {
        if (this.#blocks.size <= mostBlocks) break
        this.#blocks.delete(old)
      }
      if (this.#next > number) return block
    }
  }

  #begin() {
    this.#leaving.abort()
    this.#leaving = new AbortController()
    this.#stream = inflating(this.#entry, this.#leaving.signal).getReader()
    this.#next = 0
    this.#rest = new Uint8Array()
  }

  async #inflate() {
    const block = new Uint8Array(blockBytes)
    let length = 0
    while (length < blockBytes) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#more()
        if (done) return block.slice(0, length)
        this.#rest = value
      }
      const piece = this.#rest.subarray(0, blockBytes - length)
      block.set(piece, length)
      length += piece.length
      this.#rest = this.#rest.subarray(piece.length)
    }
    return block
  }

  /** What the stream gives next. One that broke off is forgotten, so that the next reading begins anew. */
  async #more() {
    try {
      return (await this.#stream?.read()) ?? { done: true as const, value: undefined }
    } catch (error) {
      this.#stream = undefined
      throw error
    }
  }
}

/** The files of a zip, each of which is read by parts, compressed or not. */
export interface ZipFiles {
  has: (path: string) => boolean
  /** Paths below a folder. */
  below: (folder: string) => string[]
  /** @returns undefined where there is no such file */
  open: (path: string) => Promise<Content | undefined>
}

/** Reads the directory of a zip. @throws Error where there is none */
export const openZip = async (whole: Content): Promise<ZipFiles> => {
  const entries = new Map<string, FileEntry>()
  for await (const entry of entriesOf(whole)) if (!entry.directory) entries.set(entry.filename, entry)
  const opened = new Map<string, Content>()
  return {
    has: (path) => entries.has(path),
    below: (folder) => [...entries.keys()].filter((path) => path.startsWith(`${folder}/`)),
    open: async (path) => {
      const entry = entries.get(path)
      if (!entry) return undefined
      const known = opened.get(path)
      if (known) return known
      const inflated = new Inflated(entry)
      const content: Content =
        entry.compressionMethod === 0
          ? await stored(whole, entry)
          : {
              name: nameIn(path),
              bytes: entry.uncompressedSize,
              read: (from, to) => inflated.read(from, to),
            }
      if (path.endsWith('.xml')) opened.set(path, content)
      return content
    },
  }
}
