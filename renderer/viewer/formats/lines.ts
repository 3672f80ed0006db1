import type { Content } from '../content.ts'
import type { Encoding } from './encodings.ts'
import { foldCase } from '../parts/marked-text.ts'
import { pause } from '../parts/pause.ts'

/** A line of a text, and where in the file it begins and the next one does. */
export interface Line {
  from: number
  to: number
  text: string
}

/** A line that is longer is shown as several. */
const longest = 4096
/** So much is read about a place. */
const aroundBytes = 64 * 1024
/** So much is looked through at a time. */
const searchedBytes = 1024 * 1024
const lineFeed = 10
const carriageReturn = 13

/** A text whose lines end in LF, CR LF, or as on old Macintoshes in CR alone, with LF for all of them. */
export const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, '\n')

/** Lines of a text of any length, wherever one looks: nothing is read but what is about the place. */
export class Lines {
  readonly #content: Content
  readonly #encoding: Encoding
  /** Where the first line begins, after the byte order mark. */
  readonly first: number

  constructor(content: Content, encoding: Encoding, first: number) {
    this.#content = content
    this.#encoding = encoding
    this.first = first
  }

  /** Where the line begins that a place is in. @throws Unreachable */
  async lineAt(place: number): Promise<number> {
    const { unit } = this.#encoding
    const inside = Math.max(this.first, Math.min(this.#content.bytes, place))
    const end = inside - ((inside - this.first) % unit)
    const from = Math.max(this.first, end - aroundBytes)
    // Whether a CR ends a line is known by what follows it.
    const bytes = await this.#content.read(from, end + unit)
    const length = end - from
    const start = this.#endsOf(bytes, true).findLast((place) => place <= length)
    if (start !== undefined) return from + start
    return from === this.first ? this.first : this.#boundaryBefore(bytes.subarray(0, length), from, end)
  }

  /** Lines from a beginning of one on, at most so many. @throws Unreachable */
  async after(from: number, count: number): Promise<Line[]> {
    const bytes = await this.#content.read(from, from + Math.max(aroundBytes, 4 * longest))
    const isAll = from + bytes.length >= this.#content.bytes
    return this.#split(bytes, from, isAll).slice(0, count)
  }

  /** The lines before a beginning of one, the nearest last, at most so many. @throws Unreachable */
  async before(to: number, count: number): Promise<Line[]> {
    const from = Math.max(this.first, to - aroundBytes)
    const bytes = await this.#content.read(from, to)
    const start = from === this.first ? 0 : (this.#endsOf(bytes, true)[0] ?? 0)
    return this.#split(bytes.subarray(start), from + start, true).slice(-count)
  }

  /**
   * Looks for words from the beginning to the end.
   * @yields where the lines begin that they stand in, and how far was looked
   */
  async *search(words: string, signal: AbortSignal): AsyncGenerator<{ found: number[]; to: number }> {
    const looked = foldCase(words)
    for (let from = this.first; from < this.#content.bytes && !signal.aborted;) {
      const bytes = await this.#content.read(from, from + searchedBytes)
      const isAll = from + bytes.length >= this.#content.bytes
      const ends = this.#endsOf(bytes, isAll)
      const length = isAll ? bytes.length : (ends.at(-1) ?? bytes.length - (bytes.length % 2))
      const text = foldCase(withLineFeeds(this.#encoding.decode(bytes.subarray(0, length))))
      yield { found: this.#linesWith(text, looked, ends).map((place) => from + place), to: from + length }
      from += length
      await pause()
    }
  }

  #linesWith(text: string, words: string, ends: number[]) {
    const found: number[] = []
    let [line, from] = [0, 0]
    for (let place = text.indexOf(words); place >= 0; place = text.indexOf(words, from)) {
      for (let feed = text.indexOf('\n', from); feed >= 0 && feed < place; feed = text.indexOf('\n', from)) {
        line += 1
        from = feed + 1
      }
      found.push(line === 0 ? 0 : (ends[line - 1] ?? 0))
      const feed = text.indexOf('\n', place)
      if (feed < 0) break
      line += 1
      from = feed + 1
    }
    return found
  }

  /**
   * Where in some bytes lines end.
   * @param isAll nothing follows them; else a CR at the end may be half of a CR LF, and ends nothing yet
   */
  #endsOf(bytes: Uint8Array, isAll: boolean) {
    const { unit, isBigEndian } = this.#encoding
    const [low, high] = isBigEndian ? [1, 0] : [0, 1]
    const signAt = (place: number) =>
      unit === 1 || bytes[place + high] === 0 ? bytes[unit === 1 ? place : place + low] : undefined
    const ends: number[] = []
    for (let place = 0; place < bytes.length; place += unit) {
      const sign = signAt(place)
      const after = place + unit
      if (sign === lineFeed) ends.push(after)
      else if (sign === carriageReturn && signAt(after) !== lineFeed && (isAll || after < bytes.length))
        ends.push(after)
    }
    return ends
  }

  #split(bytes: Uint8Array<ArrayBuffer>, from: number, isAll: boolean): Line[] {
    const lines: Line[] = []
    let start = 0
    const add = (end: number) => {
      while (start < end) {
        const stop = end - start <= longest ? end : this.#boundaryAfter(bytes, start + longest)
        const text = this.#encoding.decode(bytes.subarray(start, stop)).replace(/[\r\n]+$/, '')
        lines.push({ from: from + start, to: from + stop, text })
        start = stop
      }
    }
    for (const end of this.#endsOf(bytes, isAll)) add(end)
    if (isAll || lines.length === 0) add(bytes.length)
    return lines
  }

  /** UTF-8 is not cut within a sign. */
  #boundaryAfter(bytes: Uint8Array, place: number) {
    let boundary = place - (place % this.#encoding.unit)
    if (this.#encoding.name === 'UTF-8') while (((bytes[boundary] ?? 0) & 0xc0) === 0x80) boundary += 1
    return boundary
  }

  #boundaryBefore(bytes: Uint8Array, from: number, end: number) {
    return from + this.#boundaryAfter(bytes, Math.max(0, end - from - longest))
  }
}
