import {
  builtInStyle,
  styledText,
  styleOf,
  type NumberStyle,
} from '../../../electron/common/spreadsheet-numbers.ts'
import type { OfficeParts } from './office-parts.ts'
import { readXml, SheetBuilder, type Sheet, type Workbook } from './workbook.ts'

/** Texts that cells share, up to so many signs together. */
const mostSharedSigns = 60_000_000

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

/** The styles that cells name by their places. */
const numberStyles = async (parts: OfficeParts) => {
  const custom = new Map<number, NumberStyle>()
  const styles: NumberStyle[] = []
  let isInCells = false
  await readXml(
    parts.pieces('xl/styles.xml'),
    {
      open: (name, { numFmtId, formatCode }) => {
        if (name === 'numFmt') custom.set(Number(numFmtId), styleOf(formatCode ?? ''))
        else if (name === 'cellXfs') isInCells = true
        else if (name === 'xf' && isInCells)
          styles.push(custom.get(Number(numFmtId)) ?? builtInStyle(Number(numFmtId)))
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
  let [text, signs, isText, isSpoken] = ['', 0, false, false]
  await readXml(
    parts.pieces('xl/sharedStrings.xml'),
    {
      open: (name) => {
        if (name === 'si') text = ''
        // How a name is pronounced stands beside it.
        else if (name === 'rPh') isSpoken = true
        else if (name === 't') isText = !isSpoken
      },
      close: (name) => {
        if (name === 't') isText = false
        else if (name === 'rPh') isSpoken = false
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
  let isFrom1904 = false
  const workbook = (name: string, attributes: Record<string, string>) => {
    if (name === 'sheet') found.push({ name: attributes['name'] ?? '', id: attributes['r:id'] ?? '' })
    if (name === 'workbookPr' && /^(1|true)$/.test(attributes['date1904'] ?? '')) isFrom1904 = true
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
  const [texts, styles] = [await sharedTexts(parts), await numberStyles(parts)]
  const numbers = new Intl.NumberFormat(language, { useGrouping: false, maximumSignificantDigits: 15 })
  const shown = ({ type, style, value }: Cell) => {
    if (type === 's') return texts[Number(value)] ?? ''
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    if (type !== 'n' || value.trim() === '' || Number.isNaN(Number(value))) return value
    const number = Number(value)
    return styledText(number, styles[style], isFrom1904)?.replace('T', ' ') ?? numbers.format(number)
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
  let [isValue, isSpoken, goesOn] = [false, false, true]
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
        else if (name === 'rPh') isSpoken = true
        else if (name === 'v' || name === 't') isValue = !isSpoken
      },
      close: (name) => {
        if (name === 'rPh') isSpoken = false
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
