import { Parser } from 'htmlparser2'
import { pause } from '../parts/pause.ts'

/** Cells that are kept of a sheet; what comes after them is left out. */
const mostCells = 2_000_000
const mostSheetColumns = 300
/** Milliseconds of work at a time. */
const turn = 30

/** A sheet as far as it was read: rows have holes where nothing stands. */
export interface Sheet {
  rows: string[][]
  width: number
  isCut: boolean
}

/** A workbook of any format. */
export interface Workbook {
  sheets: readonly string[]
  /** @throws Undrawable, Unreachable */
  read: (sheet: number, signal: AbortSignal) => Promise<Sheet>
}

/** Cells that come one after the other, up to as many as are kept. */
export class SheetBuilder {
  readonly sheet: Sheet = { rows: [], width: 0, isCut: false }
  #cells = 0

  /** @returns whether there is room for more */
  set(row: number, column: number, text: string): boolean {
    if (text === '' || this.sheet.isCut) return !this.sheet.isCut
    if (column >= mostSheetColumns || this.#cells >= mostCells) this.sheet.isCut = true
    if (column >= mostSheetColumns) return true
    if (this.#cells >= mostCells) return false
    this.#cells += 1
    ;(this.sheet.rows[row] ??= [])[column] = text
    this.sheet.width = Math.max(this.sheet.width, column + 1)
    return true
  }
}

export interface XmlEvents {
  open: (name: string, attributes: Record<string, string>) => void
  close: (name: string) => void
  text: (text: string) => void
}

/**
 * Reads XML piece by piece, so that others get their turn. Entities of its own and those elsewhere stay what
 * they are: text.
 * @param goesOn asked after each piece
 */
export const readXml = async (
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  { open, close, text }: XmlEvents,
  goesOn: () => boolean,
) => {
  const decoder = new TextDecoder()
  const parser = new Parser(
    { onopentag: open, onclosetag: (name) => close(name), ontext: text },
    { xmlMode: true, decodeEntities: true },
  )
  let since = performance.now()
  for await (const piece of pieces) {
    parser.write(decoder.decode(piece, { stream: true }))
    if (!goesOn()) return
    if (performance.now() - since < turn) continue
    await pause()
    since = performance.now()
  }
  parser.end()
}
