import { unzipSync } from 'fflate'
import { SaxesParser } from 'saxes'
import { utf16ByMark } from '../../../common/byte-order-mark.ts'
import { builtInStyle, styledText, styleOf, type NumberStyle } from '../../../common/spreadsheet-numbers.ts'

/** How much of a workbook is read. */
export interface WorkbookBounds {
  /** Bytes of its parts, unpacked. */
  bytes: number
  rows: number
  /** Empty ones that stand before others counted. */
  cells: number
}

/** A sheet has no more (ECMA-376 Part 1, 18.3.1.73 and 18.3.1.13, as spreadsheet programs have it). */
const lastRow = 1_048_576
const lastColumn = 16_384
/** So much of a part is decoded at once, in bytes. */
const blockBytes = 1024 * 1024

type Attributes = Record<string, string>
interface Listener {
  open: (name: string, attributes: Attributes) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

/** The name of an element or an attribute without its prefix. */
const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** Attributes by their names without prefixes; those of millions of cells have none. */
const attributesOf = (attributes: Attributes): Attributes => {
  for (const name in attributes)
    if (name.includes(':'))
      return Object.fromEntries(Object.entries(attributes).map(([key, value]) => [localName(key), value]))
  return attributes
}

/** Tells a listener of the elements and texts of a part. @throws Error where it is no XML */
const readPart = (bytes: Uint8Array, { open, text, close }: Listener): void => {
  const decoder = new TextDecoder(utf16ByMark(bytes), { fatal: true })
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => open(localName(name), attributesOf(attributes)))
  if (text) {
    parser.on('text', text)
    parser.on('cdata', text)
  }
  parser.on('closetag', ({ name }) => close?.(localName(name)))
  for (let from = 0; from < bytes.length; from += blockBytes)
    parser.write(decoder.decode(bytes.subarray(from, from + blockBytes), { stream: true }))
  parser.write(decoder.decode()).close()
}

type WorkbookParts = ReadonlyMap<string, Uint8Array>

/** The parts of a workbook by their paths in it. @throws Error where it is none, or has too many bytes */
const unpack = (zip: Uint8Array, most: number): WorkbookParts => {
  // What a spreadsheet program protects with a password is a file of another kind (MS-OFFCRYPTO 1.3).
  if (zip[0] === 0xd0 && zip[1] === 0xcf) throw new Error('no XLSX; it may be protected with a password')
  let sum = 0
  const parts = unzipSync(zip, {
    filter: ({ name, originalSize }) => {
      if (!/\.(xml|rels)$/i.test(name)) return false
      sum += originalSize
      if (sum > most) throw new Error(`more than ${most} bytes when it is unpacked`)
      return true
    },
  })
  return new Map(Object.entries(parts))
}

/** Where a part leads to, by the ids of its relations (ECMA-376 Part 2, 9.3). */
interface Relation {
  id: string
  /** The last word of its type, as "worksheet". */
  type: string
  path: string
}

const relationsOf = (parts: WorkbookParts, part: string): Relation[] => {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const bytes = parts.get(`${folder}_rels/${part.slice(folder.length)}.rels`)
  const found: Relation[] = []
  if (bytes)
    readPart(bytes, {
      open: (name, { Id = '', Type = '', Target = '' }) => {
        if (name !== 'Relationship') return
        const path = new URL(Target, `file:///${folder}`).pathname.slice(1)
        found.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), path: decodeURIComponent(path) })
      },
    })
  return found
}

/** Texts that cells name by their places; how they are to be spoken is left out (18.4.6). */
const sharedTexts = (bytes: Uint8Array): string[] => {
  const texts: string[] = []
  let isSaid = false
  let isSpoken = false
  readPart(bytes, {
    open: (name) => {
      if (name === 'si') texts.push('')
      else if (name === 'rPh') isSpoken = true
      else if (name === 't') isSaid = !isSpoken
    },
    text: (text) => {
      if (isSaid) texts.push(`${texts.pop() ?? ''}${text}`)
    },
    close: (name) => {
      if (name === 't') isSaid = false
      else if (name === 'rPh') isSpoken = false
    },
  })
  return texts
}

/** The styles that cells name by their places (18.8.10). */
const numberStyles = (bytes: Uint8Array): NumberStyle[] => {
  const codes = new Map<string, string>()
  const styles: NumberStyle[] = []
  let isOfCells = false
  readPart(bytes, {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'numFmt') codes.set(numFmtId, formatCode)
      else if (name === 'cellXfs') isOfCells = true
      else if (name === 'xf' && isOfCells) {
        const code = codes.get(numFmtId)
        styles.push(code === undefined ? builtInStyle(Number(numFmtId)) : styleOf(code))
      }
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  return styles
}

const numberText = (said: string, style: NumberStyle | undefined, isFrom1904: boolean): string => {
  const value = Number(said)
  if (said.trim() === '' || !Number.isFinite(value)) return said
  // A spreadsheet has fifteen digits: further ones are of how computers count.
  const plain = Number.isInteger(value) ? value : Number(value.toPrecision(15))
  return styledText(value, style, isFrom1904) ?? String(plain)
}

interface Meaning {
  texts: string[]
  styles: NumberStyle[]
  isFrom1904: boolean
}

/** A cell as it stands in a sheet (18.3.1.4). */
interface Cell {
  type: string
  style: string
  value: string
  formula: string
  inline: string
}

/** What a person sees in a cell: of a formula that nobody has computed the formula itself. */
const cellText = (cell: Cell, { texts, styles, isFrom1904 }: Meaning): string => {
  const { type, value, formula } = cell
  if (type === 'inlineStr') return cell.inline.trim()
  if (value === '' && formula !== '') return `=${formula}`
  if (type === 'b') return String(value === '1')
  if (type === 's') {
    const text = texts[Number(value)]
    if (text === undefined) throw new Error(`no text has the place ${value}`)
    return text.trim()
  }
  if (type === 'n') return numberText(value, styles[Number(cell.style)], isFrom1904)
  return value.trim()
}

/** The number of the column that letters name, from 1. */
const columnOf = (letters: string) =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)

/**
 * Where a cell or a row says that it is, or else the place behind the one before.
 * @throws Error where no sheet has that
 */
const placeOf = (said: string | undefined, row: number, columnBefore: number) => {
  const [, letters = '', digits = ''] = /^([A-Z]{0,3})(\d{0,7})$/.exec(said ?? '') ?? []
  const place = {
    row: digits === '' ? row : Number(digits),
    column: letters === '' ? columnBefore + 1 : columnOf(letters),
  }
  const isAddress = said === undefined || letters + digits !== ''
  if (!isAddress || place.row < 1 || place.row > lastRow || place.column > lastColumn)
    throw new Error(`no sheet has the place ${said ?? `${place.row}, ${place.column}`}`)
  return place
}

/** Takes cells in the order in which they come. @throws Error where they are more than bounds allow */
const openGrid = ({ rows: mostRows, cells: mostCells }: WorkbookBounds) => {
  const rows: string[][] = []
  let cells = 0
  return {
    rows,
    put: (row: number, column: number, text: string) => {
      // What is only coloured, a thousand rows further down, is no row.
      if (text === '') return
      if (row > mostRows) throw new Error(`more than ${mostRows - 1} rows`)
      while (rows.length < row) rows.push([])
      const line = rows[row - 1] ?? []
      cells += Math.max(0, column - line.length)
      if (cells > mostCells) throw new Error(`more than ${mostCells} cells`)
      while (line.length < column) line.push('')
      line[column - 1] = text
    },
  }
}

const sheetRows = (bytes: Uint8Array, meaning: Meaning, bounds: WorkbookBounds): string[][] => {
  const grid = openGrid(bounds)
  let [row, column] = [0, 0]
  let cell: Cell | undefined
  let isSpoken = false
  let into: 'value' | 'formula' | 'inline' | undefined
  readPart(bytes, {
    open: (name, { r, t = 'n', s = '' }) => {
      if (name === 'row') {
        row = placeOf(r, row + 1, 0).row
        column = 0
      } else if (name === 'c') {
        const place = placeOf(r, row, column)
        row = place.row
        column = place.column
        cell = { type: t, style: s, value: '', formula: '', inline: '' }
      } else if (name === 'v') into = 'value'
      else if (name === 'f') into = 'formula'
      else if (name === 't' && !isSpoken) into = 'inline'
      else if (name === 'rPh') isSpoken = true
    },
    text: (text) => {
      if (cell && into) cell[into] += text
    },
    close: (name) => {
      into = undefined
      if (name === 'rPh') isSpoken = false
      if (name !== 'c' || !cell) return
      grid.put(row, column, cellText(cell, meaning))
      cell = undefined
    },
  })
  return grid.rows
}

/** What a workbook says of its sheets, in their order. */
const sheetsOf = (bytes: Uint8Array) => {
  const sheets: { relation: string; isHidden: boolean }[] = []
  let isFrom1904 = false
  readPart(bytes, {
    open: (name, { id = '', state = 'visible', date1904 = '0' }) => {
      if (name === 'sheet') sheets.push({ relation: id, isHidden: state !== 'visible' })
      else if (name === 'workbookPr') isFrom1904 = date1904 === '1' || date1904 === 'true'
    },
  })
  return { sheets, isFrom1904 }
}

/**
 * What a person sees in the cells of a workbook's first sheet (ECMA-376, XLSX), row by row; those that are
 * hidden come after those that are not.
 * @throws Error with what is wrong
 */
export const workbookRows = (zip: Uint8Array, bounds: WorkbookBounds): string[][] => {
  const parts = unpack(zip, bounds.bytes)
  // Where nothing leads to a part it may lie where the programs of most makers put it.
  const workbook =
    relationsOf(parts, '').find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml'
  const bytes = parts.get(workbook)
  if (!bytes) throw new Error('it holds no workbook')
  const { sheets, isFrom1904 } = sheetsOf(bytes)
  const relations = relationsOf(parts, workbook)
  const partOf = (wanted: string) =>
    parts.get(relations.find(({ type }) => type === wanted)?.path ?? `xl/${wanted}.xml`)
  const inOrder = [
    ...sheets.filter(({ isHidden }) => !isHidden),
    ...sheets.filter(({ isHidden }) => isHidden),
  ]
  const sheet = inOrder
    .map(({ relation }) => relations.find(({ id }) => id === relation))
    .find((related) => related?.type === 'worksheet')
  const rows = parts.get(sheet?.path ?? '')
  if (!rows) throw new Error('it has no sheet with cells')
  const [texts, styles] = [partOf('sharedStrings'), partOf('styles')]
  const meaning = {
    texts: texts ? sharedTexts(texts) : [],
    styles: styles ? numberStyles(styles) : [],
    isFrom1904,
  }
  return sheetRows(rows, meaning, bounds)
}
