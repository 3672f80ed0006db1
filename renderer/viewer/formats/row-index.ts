import { TooLarge, type Content } from '../content.ts'
import { pause } from '../parts/pause.ts'

/** Every so many rows, and every so many bytes, it is kept where a row begins. */
const rowsApart = 128
const bytesApart = 64 * 1024
const partBytes = 1024 * 1024
/** The first part is small, for a first view at once. */
const firstBytes = 256 * 1024
/** Rows that are read at once take no more; what is longer is cut. */
const mostRead = 8 * 1024 * 1024

/** Looks through a part of the file and tells where in the file each next row begins. */
export type Scan = (bytes: Uint8Array<ArrayBuffer>, from: number, found: (offset: number) => void) => void

/**
 * Where the rows of a file begin, so that any of them can be read by its number: some are kept, those between
 * are counted from there. Ten million rows take half a megabyte.
 */
export class RowIndex {
  /** Rows whose beginning is known. */
  rowCount = 0
  isComplete = false
  #grown = Promise.withResolvers<void>()
  readonly #content: Content
  readonly #scan: Scan
  readonly #start: number
  readonly #rows = [0]
  readonly #offsets: number[]
  /** Where the last row that is known begins. */
  #last: number
  /** So far somebody went through the file. */
  #reached: number

  /** @param start where the first row begins */
  constructor(content: Content, start: number, scan: Scan) {
    this.#content = content
    this.#scan = scan
    this.#start = start
    this.#offsets = [start]
    this.#last = start
    this.#reached = start
  }

  /**
   * Goes through the file, a part at a time.
   * @yields bytes that were gone through, whenever there are more
   * @throws Unreachable
   */
  async *build(signal: AbortSignal): AsyncGenerator<number> {
    let from = this.#start
    while (from < this.#content.bytes && !signal.aborted) {
      const part = await this.#content.read(from, from < firstBytes ? firstBytes : from + partBytes)
      this.#scan(part, from, (offset) => this.#add(offset))
      from += part.length
      this.#reached = from
      this.isComplete = from >= this.#content.bytes
      if (this.isComplete && this.#last < from) this.rowCount += 1
      this.#grown.resolve()
      this.#grown = Promise.withResolvers()
      yield from
      await pause()
    }
    this.isComplete = this.isComplete || this.#start >= this.#content.bytes
    this.#grown.resolve()
  }

  /** Resolves once a row is known to be there, or not to be. Never for an index that nobody builds on. */
  async until(row: number) {
    while (this.rowCount <= row && !this.isComplete) await this.#grown.promise
  }

  /** Resolves once the first row is known. @throws TooLarge where that is longer than what is read at once */
  async untilFirst() {
    while (this.rowCount === 0 && !this.isComplete) {
      if (this.#reached - this.#start > mostRead) throw new TooLarge(this.#content.name)
      await this.#grown.promise
    }
  }

  /**
   * The bytes of rows from `from` on, with rows before them that are to be left out, and some after them.
   * @throws Unreachable
   */
  async bytesOf(from: number, to: number): Promise<{ bytes: Uint8Array<ArrayBuffer>; before: number }> {
    const first = Math.max(0, this.#placeAfter(from) - 1)
    const end = this.#offsets[this.#placeAfter(to)] ?? (this.isComplete ? this.#content.bytes : this.#last)
    const start = this.#offsets[first] ?? this.#start
    return {
      bytes: await this.#content.read(start, Math.min(end, start + mostRead)),
      before: from - (this.#rows[first] ?? 0),
    }
  }

  /** The first kept place that lies after a row. */
  #placeAfter(row: number) {
    let [low, high] = [0, this.#rows.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#rows[middle] ?? 0) <= row) low = middle + 1
      else high = middle
    }
    return low
  }

  #add(offset: number) {
    this.rowCount += 1
    this.#last = offset
    const [row, before] = [this.#rows.at(-1) ?? 0, this.#offsets.at(-1) ?? 0]
    if (this.rowCount - row < rowsApart && offset - before < bytesApart) return
    this.#rows.push(this.rowCount)
    this.#offsets.push(offset)
  }
}
