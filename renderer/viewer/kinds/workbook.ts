import { openOds } from '../formats/ods.ts'
import { openParts } from '../formats/office-parts.ts'
import type { Sheet } from '../formats/workbook.ts'
import { columnName, openXlsx } from '../formats/xlsx.ts'
import { Undrawable, type Draw } from '../kind.ts'
import { finderOf } from '../parts/finder.ts'
import { foldCase } from '../parts/marked-text.ts'
import { pause } from '../parts/pause.ts'
import { drawTable } from '../parts/table.ts'

/** Rows that are looked through at a time. */
const foundRows = 5_000
const mostText = 16_000_000

/** All cells with these words, row by row. */
async function* cellsWith({ rows }: Sheet, words: string, signal: AbortSignal) {
  const looked = foldCase(words)
  for (let from = 0; from < rows.length && !signal.aborted; from += foundRows) {
    yield rows.slice(from, from + foundRows).flatMap((row, offset) =>
      // Rows have holes, which flatMap passes over.
      [...row.entries()].flatMap(([column, text]) =>
        foldCase(text ?? '').includes(looked) ? [{ row: from + offset, column }] : [],
      ),
    )
    await pause()
  }
}

const hasWords = async (sheet: Sheet, words: string, signal: AbortSignal) => {
  for await (const found of cellsWith(sheet, words, signal)) if (found.length > 0) return true
  return false
}

const isNumeric = (text: string | undefined) => text === undefined || /^-?[\d\s., ]+%?$/.test(text)

const columnsOf = ({ rows, width }: Sheet) =>
  Array.from({ length: Math.max(1, width) }, (_, column) => {
    // The first row names its columns, mostly.
    const values = rows.slice(1, 50).map((row) => row?.[column])
    return { name: columnName(column), isNumber: values.some(Boolean) && values.every(isNumeric) }
  })

/** Workbooks of Excel and OpenDocument, a sheet at a time. */
export const draw: Draw = async (content, stage) => {
  const { root, say, language, addFacts, note, stands } = stage
  const parts = await openParts(content)
  const isOds = parts.names.includes('content.xml')
  if (!isOds && !parts.names.includes('xl/workbook.xml')) throw new Undrawable('broken')
  const workbook = isOds ? await openOds(parts) : await openXlsx(parts, language)
  root.classList.add('filled')
  let leaving = new AbortController()
  stage.signal.addEventListener('abort', () => leaving.abort())
  let wasCut = false

  const drawSheet = async (number: number, read?: Sheet) => {
    leaving.abort()
    leaving = new AbortController()
    const { signal } = leaving
    const sheet = read ?? (await workbook.read(number, signal))
    const { rows, width } = sheet
    const rowOf = (row: string[] | undefined) =>
      Array.from({ length: width }, (_, column) => row?.[column] ?? '')
    const data = {
      columns: columnsOf(sheet),
      rowCount: rows.length,
      rows: (from: number, to: number) =>
        Promise.resolve(Array.from(rows.slice(from, to), (row: string[] | undefined) => rowOf(row))),
    }
    const name = workbook.sheets[number] ?? content.name
    const table = drawTable({ data, name, say, language, signal })
    root.replaceChildren(table.element)
    const values = workbook.sheets.map((label, index) => ({
      value: String(index),
      label: label.slice(0, 200),
    }))
    stands({ choices: [{ name: 'sheet', values, chosen: String(number) }] })
    if (sheet.isCut && !wasCut) note(say.sheetCut)
    wasCut ||= sheet.isCut
    const find = finderOf<{ row: number; column: number }>({
      scan: (words, ended) => cellsWith(sheet, words, ended),
      isAhead: ({ row }) => row >= table.chosen().row,
      show: ({ row, column }) => table.goTo(row, column),
      mark: (words) => table.mark(words),
      stands,
      signal,
    })
    return { number, sheet, find }
  }
  let drawn = await drawSheet(0)
  let looking = new AbortController()
  /** Where the sheet that is shown has no such words, the first that has them is shown. */
  const turnTo = async (words: string) => {
    looking.abort()
    looking = new AbortController()
    const signal = AbortSignal.any([looking.signal, stage.signal])
    if (words === '' || (await hasWords(drawn.sheet, words, signal)) || signal.aborted) return
    for (const number of workbook.sheets.keys()) {
      if (number === drawn.number) continue
      const sheet = await workbook.read(number, signal)
      const isFound = await hasWords(sheet, words, signal)
      if (signal.aborted) return
      if (isFound) drawn = await drawSheet(number, sheet)
      if (isFound) return
    }
  }
  addFacts({ name: 'sheets', value: String(workbook.sheets.length) })
  return {
    find: async (text, isBackwards) => {
      await turnTo(text)
      if (!looking.signal.aborted) await drawn.find(text, isBackwards)
    },
    choose: async (_name, value) => {
      looking.abort()
      drawn = await drawSheet(Number(value))
    },
    text: () => {
      const lines = Array.from(drawn.sheet.rows, (row: string[] | undefined) =>
        Array.from(row ?? []).join('\t'),
      )
      return lines.join('\n').slice(0, mostText)
    },
  }
}
