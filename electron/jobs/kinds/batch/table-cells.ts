import { utf16ByMark } from '../../../common/byte-order-mark.ts'
import { messageOf } from '../../../common/errors.ts'
import { workbookRows } from './workbook.ts'

/** A table as a thread is given it: the name of its file, which says how it is read, and what is in it. */
export interface TableFile {
  name: string
  bytes: Uint8Array
}
/** A table as it was read: headings, and rows of as many cells; a row that says more has more. */
export interface Table {
  columns: string[]
  rows: string[][]
}
/** What a thread read, or what is wrong with the table. */
export type ReadTable = Table | { wrong: string }

const mostRows = 100_000
/** So many cells are kept with the batch, and written whole whenever it changes. */
const mostCells = 40 * mostRows
/** In all cells; a workbook may name one long text in each of them. */
const mostCharacters = 64 * 1024 * 1024

/** Of all in a workbook: a hundred thousand rows of many columns have less. */
const mostUnpackedBytes = 256 * 1024 * 1024

/** The first line of a table, without what stands in quotes there: a heading may hold any character. */
const unquotedFirstLine = (text: string) => {
  let line = ''
  let isQuoted = false
  for (const char of text) {
    if (char === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (char === '\n' || char === '\r') break
    else line += char
  }
  return line
}

/** What separates the cells: whichever of tab, semicolon and comma stands most often in the first line. */
const delimiterOf = (text: string) => {
  const first = unquotedFirstLine(text)
  return ['\t', ';', ','].sort((a, b) => first.split(b).length - first.split(a).length)[0] ?? ','
}

const decode = (bytes: Uint8Array): string => {
  // What a spreadsheet program of Windows saves as "Unicode text".
  const utf16 = utf16ByMark(bytes)
  if (utf16) return new TextDecoder(utf16).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // What a spreadsheet program of Windows saves as "CSV".
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The line by which a table tells a spreadsheet program what separates its cells. */
const saidDelimiter = /^\ufeff?sep=(.)(?:\r\n|\n|\r)/i

const textCells = async (bytes: Uint8Array): Promise<string[][]> => {
  const { parse } = await import('csv-parse/sync')
  const whole = decode(bytes)
  if (whole.includes('\0')) throw new Error('it is no text: a byte in it is zero')
  const said = saidDelimiter.exec(whole)
  const text = whole.slice(said?.[0].length ?? 0)
  return parse(text, {
    bom: true,
    delimiter: said?.[1] ?? delimiterOf(text),
    // Left out, the first line says how all end, and a row that ends otherwise goes into the one after it.
    record_delimiter: ['\r\n', '\n', '\r'],
    to: mostRows + 2,
    relax_column_count: true,
    trim: true,
    skip_empty_lines: false,
  })
}

/** @throws Error with what is wrong */
const tableOf = ([columns, ...rows]: string[][]): Table => {
  if (!columns || columns.every((column) => column === '')) throw new Error('the first row holds no headings')
  if (rows.length > mostRows) throw new Error(`more than ${mostRows} rows`)
  const cellsIn = (row: string[]) => Math.max(columns.length, row.findLastIndex((cell) => cell !== '') + 1)
  const cells = rows.reduce((sum, row) => sum + cellsIn(row), 0)
  if (cells > mostCells) throw new Error(`${cells} cells; at most ${mostCells} are read`)
  const table = {
    columns,
    rows: rows.map((row) => Array.from({ length: cellsIn(row) }, (_, index) => row[index] ?? '')),
  }
  let characters = 0
  for (const row of table.rows) for (const cell of row) characters += cell.length
  if (characters > mostCharacters) throw new Error(`more than ${mostCharacters} characters in its cells`)
  return table
}

/**
 * A CSV (comma, semicolon or tab; UTF-8, UTF-16 or Windows-1252), or the first sheet of an XLSX. Its first
 * row holds the headings.
 */
export const readCells = async ({ name, bytes }: TableFile): Promise<ReadTable> => {
  try {
    return tableOf(
      /\.xlsx$/i.test(name)
        ? workbookRows(bytes, { bytes: mostUnpackedBytes, rows: mostRows + 1, cells: mostCells })
        : await textCells(bytes),
    )
  } catch (error) {
    return { wrong: messageOf(error) }
  }
}
