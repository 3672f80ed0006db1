import { partsOf, type Content } from '../content.ts'
import { readHead, readLetter, type LetterHead } from './letter.ts'
import { foldCase } from '../parts/marked-text.ts'
import { pause } from '../parts/pause.ts'

/** More are not listed: their heads would fill the memory. */
export const mostLetters = 1_000_000
/** A head is looked at so far. */
const mostHeadBytes = 64 * 1024
/** What stands before each letter: who sent it, and when, in the way of `ctime`. */
const separator = /^From [^\n]*\d\d?:\d\d[^\n]*\n/
const mark = '\nFrom '

/** A character a byte, so that places in it are places in the file. */
const latin = new TextDecoder('windows-1252')

/** Where the head ends that begins at `from`; undefined where its end is not there yet. */
const endOfHead = (text: string, from: number) => {
  const ends = [text.indexOf('\n\n', from), text.indexOf('\n\r\n', from)].filter((end) => end >= 0)
  if (ends.length > 0) return Math.min(...ends, from + mostHeadBytes)
  return text.length - from > mostHeadBytes ? from + mostHeadBytes : undefined
}

/** A file of letters one after the other (RFC 4155, mboxo, mboxrd), of a gigabyte as of a page. */
export class Mailbox {
  readonly #content: Content
  readonly #starts: number[] = []
  readonly heads: LetterHead[] = []
  isScanned = false

  constructor(content: Content) {
    this.#content = content
  }

  /** Letters whose end is known. */
  get count() {
    return this.isScanned ? this.#starts.length : Math.max(0, this.#starts.length - 1)
  }

  /** Finds all letters, from the beginning to the end. @yields how far it is, in bytes */
  async *scan(): AsyncGenerator<number> {
    let rest = new Uint8Array()
    let start = 0
    let end = 0
    for await (const part of partsOf(this.#content)) {
      const bytes = new Uint8Array(rest.length + part.length)
      bytes.set(rest)
      bytes.set(part, rest.length)
      end += part.length
      const taken = this.#take(bytes, start, end >= this.#content.bytes)
      rest = bytes.slice(taken)
      start += taken
      if (this.#starts.length >= mostLetters) break
      yield end
    }
    this.isScanned = true
    yield end
  }

  /** Takes the letters that begin in a part of the file. @returns up to where it is done with */
  #take(bytes: Uint8Array, start: number, isLast: boolean) {
    const text = latin.decode(bytes)
    let from = start === 0 && text.startsWith(mark.slice(1)) ? 0 : text.indexOf(mark) + 1
    while (from > 0 || (from === 0 && start === 0 && this.#starts.length === 0)) {
      const line = separator.exec(text.slice(from, from + 400))?.[0]
      if (line === undefined && text.length - from < 400 && !isLast) return from === 0 ? 0 : from - 1
      if (line !== undefined) {
        const head = from + line.length
        const end = endOfHead(text, head) ?? (isLast ? text.length : undefined)
        if (end === undefined) return from === 0 ? 0 : from - 1
        this.#starts.push(start + from)
        this.heads.push(readHead(bytes.subarray(head, end)))
      }
      from = text.indexOf(mark, from) + 1
    }
    return Math.max(0, text.length - mark.length)
  }

  /** Where a letter lies in the file. */
  placeOf(index: number) {
    const from = this.#starts[index] ?? 0
    return { from, to: this.#starts[index + 1] ?? this.#content.bytes }
  }

  /** The bytes of a letter as it was sent, at most the first `most` of them. */
  async bytesOf(index: number, most: number) {
    const { from, to } = this.placeOf(index)
    return unquoted(await this.#content.read(from, Math.min(to, from + most)))
  }
}

/** Without the line before it, and without the sign that was put before lines that look like that one. */
const unquoted = (bytes: Uint8Array<ArrayBuffer>) => {
  const text = latin.decode(bytes)
  const result = new Uint8Array(bytes.length)
  let end = 0
  const copy = (from: number, to: number) => {
    result.set(bytes.subarray(from, to), end)
    end += to - from
  }
  let done = text.indexOf('\n') + 1
  for (const { index } of text.matchAll(/\n>(?=>*From )/g)) {
    if (index < done) continue
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
