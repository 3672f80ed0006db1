import type { OfficeParts } from './office-parts.ts'
import { readXml, SheetBuilder, type Sheet, type Workbook } from './workbook.ts'

/** Texts that cells share, up to so many signs together. */
const mostSharedSigns = 60_000_000
const dayMs = 86_400_000
/** Day 0 of Excel, and of its files from old Macintoshes. */
const [epoch, macEpoch] = [Date.UTC(1899, 11, 30), Date.UTC(1904, 0, 1)]

/** Column of a place such as "BC12", from 0. */
const columnOf = (place: string) => {
  let column = 0
  for (const sign of place) {
    const code = sign.charCodeAt(0) - 64
    if (code < 1 || code > 26) break
    column = column * 26 + code
  }
  return column - 1
}

/** The letters of a column, from 0. */
export const columnName = (column: number): string =>
  (column >= 26 ? columnName(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26))

const isDateFormat = (code: string) => /[dmyhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''))
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58)

/** Which styles of cells show a number as a date. */
const dateStyles = async (parts: OfficeParts) => {
  const custom = new Map<number, boolean>()
  const styles: boolean[] = []
  let isInCells = false
  await readXml(
    parts.pieces('xl/styles.xml'),
    {
      open: (name, { numFmtId, formatCode }) => {
        if (name === 'numFmt') custom.set(Number(numFmtId), isDateFormat(formatCode ?? ''))
        else if (name === 'cellXfs') isInCells = true
        else if (name === 'xf' && isInCells)
          styles.push(custom.get(Number(numFmtId)) ?? isBuiltInDate(Number(numFmtId)))
      },
      close: (name) => {
        if (name === 'cellXfs') isInCells = false
      },
      text: () => {},
    },
    () => styles.length < 100_000,
  )
  return styles
}

const sharedTexts = async (parts: OfficeParts) => {
  const texts: string[] = []
  let [text, signs, isText] = ['', 0, false]
  await readXml(
    parts.pieces('xl/sharedStrings.xml'),
    {
      open: (name) => {
        if (name === 'si') text = ''
        else if (name === 't') isText = true
        // How a name is pronounced stands beside it.
        else if (name === 'rPh') isText = false
      },
      close: (name) => {
        if (name === 't') isText = false
        else if (name === 'si') texts.push(text)
      },
      text: (piece) => {
        if (!isText) return
        text += piece
        signs += piece.length
      },
    },
    () => signs < mostSharedSigns,
  )
  return texts
}

/** A day of Excel as a date, with its time where it has one. */
const dateOf = (value: number, from: number) => {
  const date = new Date(from + Math.round(value * dayMs))
  if (Number.isNaN(date.getTime())) return String(value)
  const [day, time] = [date.toISOString().slice(0, 10), date.toISOString().slice(11, 19)]
  if (value < 1 && value > 0) return time
  return value % 1 === 0 ? day : `${day} ${time}`
}

interface Cell {
  column: number
  type: string
  style: number
  value: string
}

/** An Excel workbook; of formulas it has the values that were computed when it was saved. */
export const openXlsx = async (parts: OfficeParts, language: string): Promise<Workbook> => {
  const found: { name: string; id: string }[] = []
  const targets = new Map<string, string>()
  let from = epoch
  const workbook = (name: string, attributes: Record<string, string>) => {
    if (name === 'sheet') found.push({ name: attributes['name'] ?? '', id: attributes['r:id'] ?? '' })
    if (name === 'workbookPr' && /^(1|true)$/.test(attributes['date1904'] ?? '')) from = macEpoch
  }
  const none = { close: () => {}, text: () => {} }
  await readXml(
    parts.pieces('xl/workbook.xml'),
    { open: workbook, close: none.close, text: none.text },
    () => found.length < 10_000,
  )
  const related = (_name: string, { Id, Target }: Record<string, string>) => {
    if (Id && Target) targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`)
  }
  await readXml(
    parts.pieces('xl/_rels/workbook.xml.rels'),
    { open: related, close: none.close, text: none.text },
    () => targets.size < 20_000,
  )
  const [texts, dates] = [await sharedTexts(parts), await dateStyles(parts)]
  const numbers = new Intl.NumberFormat(language, { useGrouping: false, maximumSignificantDigits: 15 })
  const shown = ({ type, style, value }: Cell) => {
    if (type === 's') return texts[Number(value)] ?? ''
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    if (type !== 'n' || value.trim() === '' || Number.isNaN(Number(value))) return value
    return dates[style] ? dateOf(Number(value), from) : numbers.format(Number(value))
  }
  return {
    sheets: found.map(({ name }) => name),
    read: (sheet, signal) => readSheet(parts, targets.get(found[sheet]?.id ?? '') ?? '', shown, signal),
  }
}

const readSheet = async (
  parts: OfficeParts,
  part: string,
  shown: (cell: Cell) => string,
  signal: AbortSignal,
): Promise<Sheet> => {
  const builder = new SheetBuilder()
  let row = -1
  let cell: Cell = { column: -1, type: 'n', style: 0, value: '' }
  let [isValue, goesOn] = [false, true]
  await readXml(
    parts.pieces(part),
    {
      open: (name, { r, t, s }) => {
        if (name === 'row') {
          row = r === undefined ? row + 1 : Number(r) - 1
          cell.column = -1
        } else if (name === 'c')
          cell = {
            column: r === undefined ? cell.column + 1 : columnOf(r),
            type: t ?? 'n',
            style: Number(s ?? 0),
            value: '',
          }
        else if (name === 'v' || name === 't') isValue = true
      },
      close: (name) => {
        if (name === 'v' || name === 't') isValue = false
        if (name === 'c' && row >= 0 && row < 1_048_576) goesOn = builder.set(row, cell.column, shown(cell))
      },
      text: (text) => {
        if (isValue) cell.value += text
      },
    },
    () => goesOn && !signal.aborted,
  )
  return builder.sheet
}
