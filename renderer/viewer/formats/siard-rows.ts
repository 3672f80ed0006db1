import { Parser } from 'htmlparser2'
import { TooLarge, type Content } from '../content.ts'
import { unescaped } from './siard.ts'

/** What stands in a cell: a text, nothing, or the name of a file. */
export type SiardCell = { text: string } | { file: string; length: number } | null

/** Every so many rows it is remembered where they are. */
const stepRows = 256
const partBytes = 1024 * 1024
/** Rows that are read at once, in bytes. */
const mostBytes = 64 * 1024 * 1024
const rowMark = '<row'

const latin = new TextDecoder('windows-1252')

/** Rows of XML: `<row><c1>text</c1><c2 file="…" length="…"/></row>`, cells that are left out being empty. */
const parseRows = (xml: string): SiardCell[][] => {
  const rows: SiardCell[][] = []
  let cells: SiardCell[] | undefined
  let text = ''
  let cell: { column: number; depth: number; file: string | undefined; length: number } | undefined
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const local = name.slice(name.indexOf(':') + 1)
        if (cell) {
          cell.depth += 1
          // The parts of an array or of a type of its own stand one after the other.
          if (text !== '') text += ', '
        } else if (local === 'row') cells = []
        else if (cells && /^c\d{1,5}$/.test(local)) {
          const { file, length } = attributes
          cell = { column: Number(local.slice(1)) - 1, depth: 0, file, length: Number(length) || 0 }
          text = ''
        }
      },
      ontext: (more) => {
        if (cell) text += more
      },
      onclosetag: () => {
        if (cell && cell.depth > 0) cell.depth -= 1
        else if (cell && cells) {
          const { column, file, length } = cell
          cells[column] = file === undefined ? { text: unescaped(text) } : { file, length }
          cell = undefined
        } else if (cells) {
          rows.push(cells)
          cells = undefined
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  return rows
}

/** Where the rows of a table are, so far as somebody went. */
export class SiardRows {
  readonly #content: Content
  readonly #starts: number[] = []
  /** Rows that were passed. */
  #passed = 0
  #place = 0
  #isOver = false
  #before: Promise<unknown> = Promise.resolve()

  constructor(content: Content) {
    this.#content = content
  }

  /** No row is shorter than that. */
  get most() {
    return Math.ceil(this.#content.bytes / '<row/>'.length)
  }

  /** Rows that were met so far. */
  get met() {
    return this.#passed
  }

  /** Whether there are no others. */
  get isComplete() {
    return this.#isOver
  }

  /** Finds where rows are up to one. @param tell hears which share of the file was looked through */
  until(row: number, tell: (share: number) => void) {
    const answer = this.#before.then(() => this.#until(row, tell))
    this.#before = answer.catch(() => undefined)
    return answer
  }
  async #until(row: number, tell: (share: number) => void) {
    while (this.#passed <= row && !this.#isOver) {
      const bytes = await this.#content.read(this.#place, this.#place + partBytes)
      const text = latin.decode(bytes)
      const end = this.#place + bytes.length
      const last = end >= this.#content.bytes
      for (let at = text.indexOf(rowMark); at >= 0; at = text.indexOf(rowMark, at + 1)) {
        const after = text[at + rowMark.length]
        if (after === undefined || !'> /\t\r\n'.includes(after)) continue
        if (this.#passed % stepRows === 0) this.#starts.push(this.#place + at)
        this.#passed += 1
      }
      // A row may begin in one part and be known in the next.
      this.#place = last ? end : end - rowMark.length
      this.#isOver = last
      tell(end / this.#content.bytes)
    }
  }

  /** Rows from one up to, not including, another. @throws TooLarge where they are too long to be read */
  async read(from: number, to: number, tell: (share: number) => void) {
    const step = Math.floor(from / stepRows)
    const endStep = Math.ceil(to / stepRows)
    await this.until(endStep * stepRows, tell)
    const start = this.#starts[step]
    if (start === undefined) return []
    const end = this.#starts[endStep] ?? this.#content.bytes
    if (end - start > mostBytes) throw new TooLarge(this.#content.name)
    const rows = parseRows(new TextDecoder().decode(await this.#content.read(start, end)))
    return rows.slice(from - step * stepRows, to - step * stepRows)
  }
}
