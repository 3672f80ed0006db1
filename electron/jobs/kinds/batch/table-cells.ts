import { messageOf } from '../../../common/errors.ts'
import { unpacksWithin } from './unpacked-bytes.ts'

/** A table as a thread is given it: the name of its file, which says how it is read, and what is in it. */
export interface TableFile {
  name: string
  bytes: Uint8Array
}
/** Its cells row by row, or what is wrong with it. */
export type TableCells = { cells: string[][] } | { wrong: string }

/** Of all in a workbook: a hundred thousand rows of many columns have less. */
const mostUnpackedBytes = 256 * 1024 * 1024

/** What separates the cells: whichever of tab, semicolon and comma stands most often in the first line. */
const delimiterOf = (text: string) => {
  const [first = ''] = text.split('\n', 1)
  return ['\t', ';', ','].sort((a, b) => first.split(b).length - first.split(a).length)[0] ?? ','
}

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // What a spreadsheet program of Windows saves as "CSV".
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const cellText = (cell: unknown): string =>
  cell instanceof Date
    ? cell.toISOString().slice(0, 10)
    : typeof cell === 'string'
      ? cell.trim()
      : typeof cell === 'number' || typeof cell === 'boolean'
        ? String(cell)
        : ''

const workbookCells = async (bytes: Buffer): Promise<string[][]> => {
  if (!unpacksWithin(bytes, mostUnpackedBytes))
    throw new Error(`more than ${mostUnpackedBytes} bytes when it is unpacked`)
  const { readSheet } = await import('read-excel-file/node')
  return (await readSheet(bytes)).map((row) => row.map(cellText))
}

const textCells = async (bytes: Uint8Array): Promise<string[][]> => {
  const { parse } = await import('csv-parse/sync')
  const text = decode(bytes)
  return parse(text, {
    bom: true,
    delimiter: delimiterOf(text),
    relax_column_count: true,
    trim: true,
    skip_empty_lines: false,
  })
}

/** The cells of a CSV (comma, semicolon or tab; UTF-8 or Windows-1252), or of the first sheet of an XLSX. */
export const tableCells = async ({ name, bytes }: TableFile): Promise<TableCells> => {
  try {
    return { cells: await (/\.xlsx$/i.test(name) ? workbookCells(Buffer.from(bytes)) : textCells(bytes)) }
  } catch (error) {
    return { wrong: messageOf(error) }
  }
}
