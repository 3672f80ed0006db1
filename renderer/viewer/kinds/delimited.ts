import { entryIn } from '../../../electron/common/records.ts'
import type { Content } from '../content.ts'
import { encodingNamed, guessEncoding, markBytes, type Encoding } from '../formats/encodings.ts'
import {
  guessDelimiter,
  hasHead,
  numericColumns,
  readRows,
  rowScanner,
  saidDelimiter,
} from '../formats/delimited.ts'
import { RowIndex } from '../formats/row-index.ts'
import type { Draw, Stage } from '../kind.ts'
import { encodingChoice } from '../parts/encoding-choice.ts'
import { finderOf } from '../parts/finder.ts'
import { foldCase } from '../parts/marked-text.ts'
import { progressLine } from '../parts/progress.ts'
import { drawTable, type Table } from '../parts/table.ts'

/** By so much of the file encoding, delimiter and head are guessed. */
const guessedBytes = 64 * 1024
/** More columns are no table that anybody reads. */
const mostColumns = 300
/** So much is given to be copied at most. */
const mostText = 16 * 1024 * 1024
/** Rows that are looked through at a time. */
const foundRows = 2_000
/** Milliseconds after which it is said how far counting is. */
const toldEvery = 250

/** The rows of a file with separated values; what its columns are is guessed by the first of them. */
const openRows = async (content: Content, encoding: Encoding) => {
  const beginning = await content.read(0, guessedBytes)
  const whole = encoding.decode(beginning)
  const said = saidDelimiter(whole)
  const text = whole.slice(said?.signs)
  const delimiter = said?.delimiter ?? guessDelimiter(text)
  const lineEnd = text.includes('\r') && !text.includes('\n') ? 13 : 10
  const { unit, isBigEndian } = encoding
  const scan = rowScanner({ delimiter, unit, isBigEndian, lineEnd })
  const start = markBytes(beginning) + unit * (said?.signs ?? 0)
  const index = new RowIndex(content, start, scan)
  const first = readRows(text, delimiter, 50)
  const head = hasHead(first) ? 1 : 0
  const width = Math.max(1, ...first.map(({ length }) => length))
  const numeric = numericColumns(first.slice(head), width)
  const columns = Array.from({ length: Math.min(mostColumns, width) }, (_, column) => ({
    name: head === 1 ? (first[0]?.[column] ?? '') : String(column + 1),
    isNumber: numeric[column],
  }))
  const rows = async (from: number, to: number) => {
    const { bytes, before } = await index.bytesOf(from + head, to + head)
    return readRows(encoding.decode(bytes), delimiter, before + to - from).slice(before)
  }
  return { index, columns, width, delimiter, rows, count: () => Math.max(0, index.rowCount - head) }
}
type Rows = Awaited<ReturnType<typeof openRows>>

/** All cells with these words, row by row. */
async function* cellsWith({ index, rows, count }: Rows, words: string, signal: AbortSignal) {
  const looked = foldCase(words)
  for (let from = 0; !signal.aborted; from += foundRows) {
    await index.until(from + foundRows)
    const end = Math.min(from + foundRows, count())
    if (from >= end) return
    const found: { row: number; column: number }[] = []
    for (const [offset, row] of (await rows(from, end)).entries())
      for (const [column, text] of row.entries())
        if (foldCase(text).includes(looked)) found.push({ row: from + offset, column })
    yield found
  }
}

/** Counts the rows to the end of the file, while those that are counted can be looked at. */
const countRows = async (rows: Rows, bytes: number, table: Table, stage: Stage, signal: AbortSignal) => {
  const { say, language, addFacts } = stage
  const numbers = new Intl.NumberFormat(language)
  const line = progressLine()
  table.element.append(line.element)
  let told = 0
  for await (const position of rows.index.build(signal)) {
    if (Date.now() - told < toldEvery) continue
    told = Date.now()
    table.update({ rowCount: rows.count() })
    line.say(say.countingRows(numbers.format(rows.count()), Math.floor((position / bytes) * 100)))
  }
  if (signal.aborted) return
  line.say('')
  table.update({ rowCount: rows.count() })
  addFacts({ name: 'rows', value: numbers.format(rows.count()) })
}

const named: Record<string, keyof Stage['say']['delimiters']> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'bar',
}
const delimiterText = (delimiter: string, say: Stage['say']) => {
  const name = entryIn(named, delimiter)
  return name === undefined ? delimiter : say.delimiters[name]
}

/** Tables of separated values (CSV, TSV), of ten million rows as of ten. */
export const draw: Draw = async (content, stage) => {
  const { root, say, language, addFacts, note, stands } = stage
  root.classList.add('filled')
  let leaving = new AbortController()
  stage.signal.addEventListener('abort', () => leaving.abort())

  const drawAs = async (encoding: Encoding) => {
    leaving.abort()
    leaving = new AbortController()
    const { signal } = leaving
    const rows = await openRows(content, encoding)
    const data = { columns: rows.columns, rowCount: 0, rows: rows.rows }
    const table = drawTable({ data, name: content.name, say, language, signal })
    root.replaceChildren(table.element)
    countRows(rows, content.bytes, table, stage, signal).catch(reportError)
    await rows.index.untilFirst().catch((error: unknown) => {
      leaving.abort()
      throw error
    })
    table.update({ rowCount: rows.count() })
    stands({ choices: [encodingChoice(encoding)] })
    const find = finderOf<{ row: number; column: number }>({
      scan: (words, ended) => cellsWith(rows, words, ended),
      isAhead: ({ row }) => row >= table.chosen().row,
      show: ({ row, column }) => table.goTo(row, column),
      mark: (words) => table.mark(words),
      stands,
      signal,
    })
    return { rows, find, encoding }
  }
  let drawn = await drawAs(guessEncoding(await content.read(0, guessedBytes)))
  addFacts(
    { name: 'columns', value: String(drawn.rows.width) },
    { name: 'delimiter', value: delimiterText(drawn.rows.delimiter, say) },
  )
  if (drawn.rows.width > mostColumns) note(say.columnsCut(mostColumns))
  return {
    find: (text, isBackwards) => drawn.find(text, isBackwards),
    choose: async (_name, value) => {
      drawn = await drawAs(encodingNamed(value))
    },
    text: async () => drawn.encoding.decode(await content.read(0, mostText)),
  }
}
