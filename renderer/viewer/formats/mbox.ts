import { decidingBytes, longestSeparator, separatorOf } from '../../../electron/contract/mailbox.ts'
import { partsOf, type Content } from '../content.ts'
import { readHead, readLetter, type LetterHead } from './letter.ts'
import { foldCase } from '../parts/marked-text.ts'
import { pause } from '../parts/pause.ts'

/** More are not listed: their heads would fill the memory. */
export const mostLetters = 1_000_000
/** A head is looked at so far. */
const mostHeadBytes = 64 * 1024

/** A character a byte, so that places in it are places in the file. */
const latin = new TextDecoder('windows-1252')

/**
 * Where the head ends that begins at `from`; undefined where its end is not there yet.
 * @param next where what stands before the next letter begins, as far as that is known
 */
const endOfHead = (text: string, from: number, next: number | undefined) => {
  const last = Math.min(next ?? Infinity, from + mostHeadBytes)
  const empty = text.slice(from, last).search(/\n\r?\n/)
  if (empty >= 0) return from + empty
  return last <= text.length ? last : undefined
}

/** A file of letters one after the other, of a gigabyte as of a page. */
export class Mailbox {
  readonly #content: Content
  /** Where what stands before each letter begins, and where that ends. */
  readonly #places: { separator: number; letter: number }[] = []
  #end: number
  readonly heads: LetterHead[] = []
  isScanned = false

  constructor(content: Content) {
    this.#content = content
    this.#end = content.bytes
  }

  /** Letters whose end is known. */
  get count() {
    return this.isScanned ? this.#places.length : Math.max(0, this.#places.length - 1)
  }

  /** Finds all letters, from the beginning to the end. @yields how far it is, in bytes */
  async *scan(): AsyncGenerator<number> {
    // Before the first line stands what stands before every other.
    let rest: Uint8Array<ArrayBuffer> = new Uint8Array([10])
    let start = -1
    const beginning = await this.#content.read(0, decidingBytes)
    const separator = separatorOf(latin.decode(beginning))
    for await (const part of partsOf(this.#content)) {
      const bytes = new Uint8Array(rest.length + part.length)
      bytes.set(rest)
      bytes.set(part, rest.length)
      const end = start + bytes.length
      const taken = separator ? this.#take(separator, bytes, start, end >= this.#content.bytes) : bytes.length
      rest = bytes.slice(taken)
      start += taken
      if (this.#places.length >= mostLetters) break
      yield end
    }
    this.isScanned = true
    yield start + rest.length
  }

  /** Takes the letters that begin in a part of the file. @returns up to where it is done with */
  #take(separator: RegExp, bytes: Uint8Array, start: number, isLast: boolean) {
    const text = latin.decode(bytes)
    const settled = isLast ? text.length : Math.max(0, text.length - longestSeparator)
    const separators = [...text.matchAll(separator)]
    let taken = settled
    for (const [at, { index, 0: found }] of separators.entries()) {
      if (index >= settled) break
      const letter = index + found.length
      if (letter === text.length) {
        this.#end = start + index + 1
        break
      }
      const end = endOfHead(text, letter, separators[at + 1]?.index) ?? (isLast ? text.length : undefined)
      if (end === undefined) return index
      // One that goes on behind it would be found again.
      taken = Math.max(settled, letter)
      this.#places.push({ separator: start + index + 1, letter: start + letter })
      this.heads.push(readHead(bytes.subarray(letter, end)))
    }
    return taken
  }

  /** Where a letter lies in the file, without what stands before it. */
  placeOf(index: number) {
    return { from: this.#places[index]?.letter ?? 0, to: this.#places[index + 1]?.separator ?? this.#end }
  }

  /** The bytes of a letter as it was sent, at most the first `most` of them. */
  async bytesOf(index: number, most: number) {
    const { from, to } = this.placeOf(index)
    return unquoted(await this.#content.read(from, Math.min(to, from + most)))
  }
}

/** Without the sign that was put before lines that look like what stands before a letter. */
const unquoted = (bytes: Uint8Array<ArrayBuffer>) => {
  const text = latin.decode(bytes)
  const result = new Uint8Array(bytes.length)
  let end = 0
  const copy = (from: number, to: number) => {
    result.set(bytes.subarray(from, to), end)
    end += to - from
  }
  let done = 0
  for (const { index } of text.matchAll(/\n>(?=>*From )/g)) {
    copy(done, index + 1)
    done = index + 2
  }
  copy(done, bytes.length)
  return result.subarray(0, end)
}

/** So much of each letter is searched. */
const searchedBytes = 1024 * 1024
/** Milliseconds for which letters are searched before everything else has its turn. */
const slice = 50

/**
 * Letters with these words: first those that have them in sender or subject, then those that say them.
 * @param tell hears how far it is, in percent
 */
export async function* lettersWith(
  mailbox: Mailbox,
  words: string,
  signal: AbortSignal,
  tell: (percent: number) => void,
): AsyncGenerator<number[]> {
  const looked = foldCase(words)
  const inHead = ({ from, subject }: LetterHead) => foldCase(`${from}\n${subject}`).includes(looked)
  yield [...mailbox.heads.entries()].filter(([, head]) => inHead(head)).map(([index]) => index)
  let since = Date.now()
  for (let index = 0; index < mailbox.count && !signal.aborted; index += 1) {
    const head = mailbox.heads[index]
    if (head && !inHead(head) && (await textOf(mailbox, index)).includes(looked)) yield [index]
    if (Date.now() - since < slice) continue
    tell(Math.floor((index / mailbox.count) * 100))
    await pause()
    since = Date.now()
  }
}

const textOf = async (mailbox: Mailbox, index: number) => {
  const letter = await readLetter(await mailbox.bytesOf(index, searchedBytes)).catch(() => undefined)
  return foldCase(letter ? letter.text || letter.html.replace(/<[^>]*>/g, ' ') : '')
}
