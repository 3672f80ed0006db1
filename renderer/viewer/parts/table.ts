import './table.css'
import { element } from '../element.ts'
import type { ViewerWords } from '../../language/viewer.en.ts'
import { listenToGridKeys } from './grid-keys.ts'
import { markedText } from './marked-text.ts'
import { pagesOf, type Pages } from './pages.ts'
import { virtualRows, type VirtualRows } from './virtual-rows.ts'

export interface Column {
  name: string
  /** Shown when the pointer rests on its head: a type, a note of the file. */
  title?: string | undefined
  /** Numbers stand to the right. */
  isNumber?: boolean | undefined
  /** Pixels; measured by the first rows where it is not given. */
  width?: number | undefined
  /** The last column takes what room there is. */
  grows?: boolean
}

/** What stands in a cell: a text, null for nothing (a NULL of SQL), or something that opens. */
export type Cell = string | null | { text: string; opens: true }

/** A table of any length, of which the rows that are seen are read. */
export interface TableData {
  columns: readonly Column[]
  rowCount: number
  /** Rows from `from` up to, not including, `to`; fewer at the end. */
  rows: (from: number, to: number) => Promise<readonly (readonly Cell[])[]>
  /** Somebody opens a cell: Enter, a double click, or a click on one that opens. */
  onOpenCell?: ((row: number, column: number) => void) | undefined
  /** Somebody moved to a row. */
  onChooseRow?: ((row: number) => void) | undefined
  /** Somebody wants the rows sorted; where it is not given nobody can. */
  onSort?: ((column: number, isDescending: boolean) => void) | undefined
}

interface Options {
  data: TableData
  /** What the table is called. */
  name: string
  say: ViewerWords
  language: 'en' | 'sv'
  signal: AbortSignal
  /** Numbers of the rows in front of them; false where they say nothing. */
  hasNumbers?: boolean
}

/** A table as it is drawn. Its `element` fills what a flex container leaves; `.filled` fills the frame. */
export interface Table {
  element: HTMLElement
  /** Rows were counted further; `isOther` where they are other rows, so that they are read anew. */
  update: (changed: { rowCount: number; isOther?: boolean }) => void
  /** Goes to a cell, and chooses it. */
  goTo: (row: number, column?: number) => void
  /** Marks these words wherever they are seen. */
  mark: (words: string) => void
  /** The cell that is chosen. */
  chosen: () => { row: number; column: number }
}

const rowHeight = 34
/** Rows are read and kept in pages of this many. */
const pageRows = 100
/** Signs of a cell that are drawn; all of them stand below when it is chosen. */
const drawnSigns = 400

/** The text of a cell, empty where there is none. */
export const textOf = (cell: Cell | undefined) =>
  cell === undefined || cell === null ? '' : typeof cell === 'string' ? cell : cell.text

/** Rows by which the widths of columns are measured. */
const measuredRows = 50
const narrowest = 64
const widest = 360
/** Pixels around a text. */
const padding = 28
/** Signs of a text that are measured. */
const measuredSigns = 60

const widthOf = (texts: string[]) => {
  const context = element('canvas').getContext('2d')
  if (!context) return widest
  context.font = `600 14px ${getComputedStyle(document.body).fontFamily}`
  // Figures, and what stands between them, are drawn as wide as a zero.
  const asDrawn = (text: string) => text.slice(0, measuredSigns).replace(/[\d.,:+-]/g, '0')
  const widths = texts.map((text) => context.measureText(asDrawn(text)).width + padding)
  return Math.ceil(Math.min(widest, Math.max(narrowest, ...widths)))
}

/**
 * A table of which only the rows that are seen are in the document, for ten million of them. The keyboard
 * moves from cell to cell; the full text of the one that is chosen stands below where its cell cuts it.
 */
export const drawTable = (options: Options): Table => {
  const grid = new Grid(options)
  return {
    element: grid.element,
    update: ({ rowCount, isOther }) => grid.update(rowCount, isOther),
    goTo: (row, column) => grid.goTo(row, column),
    mark: (words) => grid.mark(words),
    chosen: () => ({ row: grid.row, column: grid.column }),
  }
}

class Grid {
  readonly element: HTMLElement
  row = 0
  column = 0
  readonly #options: Options
  readonly #data: TableData
  readonly #list: VirtualRows
  readonly #pages: Pages<readonly Cell[]>
  readonly #head = element('div', { class: 'table-head', role: 'rowgroup' })
  readonly #full: HTMLElement
  readonly #numbers: Intl.NumberFormat
  /** Rows that are in the document. */
  #drawn = new Map<number, HTMLElement>()
  #rowCount = 0
  #marked = ''
  #widths: number[]
  #numbersWidth = 0
  #isMeasured = false
  /** The first cell is where the keys begin, and is shown as chosen once somebody chose something. */
  #hasChosen = false
  #sorted: { column: number; isDescending: boolean } | undefined

  constructor(options: Options) {
    const { data, name, say, signal } = options
    this.#options = options
    this.#data = data
    this.#numbers = new Intl.NumberFormat(options.language)
    this.#widths = data.columns.map((column) => column.width ?? widthOf([column.name]))
    this.#pages = pagesOf({ pageRows, read: data.rows, arrived: () => this.#arrived(), signal })
    const fill = (first: number, end: number) => this.#fill(first, end)
    this.#list = virtualRows({ rowHeight, headHeight: rowHeight, fill, signal })
    this.#list.element.setAttribute('role', 'grid')
    this.#list.element.setAttribute('aria-label', name)
    this.#list.element.setAttribute('aria-colcount', String(data.columns.length))
    this.#list.layer.prepend(this.#head)
    this.#full = element('div', { class: 'table-full', role: 'region', 'aria-label': say.table.cell })
    this.#full.tabIndex = 0
    this.#full.hidden = true
    this.element = element('div', { class: 'table' }, this.#list.element, this.#full)
    this.#listen()
    this.#drawHead()
    this.update(data.rowCount)
  }

  update(rowCount: number, isOther = false) {
    if (isOther) {
      this.#pages.forget()
      this.#drawn.clear()
    }
    this.#rowCount = rowCount
    this.#list.element.setAttribute('aria-rowcount', String(rowCount + 1))
    this.#layOut()
    this.#list.setCount(rowCount)
  }

  goTo(row: number, column = this.column) {
    const { first, count } = this.#list.seen()
    if (row < first || row >= first + count) this.#list.reveal(row, 0.3)
    this.#choose(row, column)
  }

  mark(words: string) {
    this.#marked = words
    this.#redraw()
  }

  #listen() {
    listenToGridKeys(this.#list.element, {
      chosen: () => ({ row: this.row, column: this.column }),
      last: () => ({ row: this.#rowCount - 1, column: this.#data.columns.length - 1 }),
      rowsSeen: () => this.#list.seen().count,
      choose: (row, column) => this.#choose(row, column),
      open: () => this.#data.onOpenCell?.(this.row, this.column),
      text: () => textOf(this.#pages.row(this.row)?.[this.column]),
    })
    this.#list.body.addEventListener('click', (event) => {
      const place = placeOf(event)
      if (!place) return
      this.#choose(place.row, place.column)
      if (place.opens) this.#data.onOpenCell?.(place.row, place.column)
    })
    this.#list.body.addEventListener('dblclick', (event) => {
      const place = placeOf(event)
      if (place && !place.opens) this.#data.onOpenCell?.(place.row, place.column)
    })
  }

  #arrived() {
    if (!this.#isMeasured && this.#pages.row(0)) {
      this.#isMeasured = true
      const rows = Array.from({ length: measuredRows }, (_, index) => this.#pages.row(index) ?? [])
      this.#widths = this.#data.columns.map(
        ({ name, width }, index) => width ?? widthOf([`${name} ↓`, ...rows.map((row) => textOf(row[index]))]),
      )
      this.#layOut()
    }
    this.#redraw()
  }

  get #hasNumbers() {
    return this.#options.hasNumbers ?? true
  }

  #layOut() {
    this.#numbersWidth = widthOf([this.#numbers.format(this.#rowCount)])
    const tracks = this.#hasNumbers ? [this.#numbersWidth, ...this.#widths] : this.#widths
    const grows = this.#data.columns.at(-1)?.grows ?? false
    const sizes = tracks.map((width, index) =>
      grows && index === tracks.length - 1 ? `minmax(${width}px, 1fr)` : `${width}px`,
    )
    this.#list.layer.style.setProperty('--columns', [...sizes, grows ? '0' : 'minmax(0, 1fr)'].join(' '))
  }

  #redraw() {
    this.#drawn.clear()
    this.#list.refresh()
  }

  #fill(first: number, end: number) {
    this.#pages.want(first, end)
    const rows = new Map<number, HTMLElement>()
    for (let index = first; index < end; index += 1)
      rows.set(index, this.#drawn.get(index) ?? this.#rowOf(index))
    this.#drawn = rows
    this.#list.body.replaceChildren(...rows.values())
    this.#showChosen()
  }

  #rowOf(index: number) {
    const { say } = this.#options
    const cells = this.#pages.row(index)
    const made = element('div', { class: 'row', role: 'row', 'aria-rowindex': String(index + 2) })
    made.dataset['row'] = String(index)
    if (cells === undefined) made.setAttribute('aria-busy', 'true')
    if (this.#hasNumbers)
      made.append(
        element('div', { class: 'cell number', role: 'rowheader' }, this.#numbers.format(index + 1)),
      )
    for (const column of this.#data.columns.keys()) {
      const unread = cells === null && column === 0 ? say.table.unreadable : ''
      made.append(this.#cellOf(index, column, cells ? (cells[column] ?? null) : unread))
    }
    return made
  }

  #cellOf(row: number, column: number, cell: Cell) {
    const made = element('div', {
      class: 'cell',
      role: 'gridcell',
      id: `cell-${row}-${column}`,
      'aria-colindex': String(column + 1),
      'data-column': String(column),
      'data-number': this.#data.columns[column]?.isNumber,
      'data-none': cell === null,
      'data-opens': cell !== null && typeof cell === 'object',
    })
    const text = cell === null ? this.#options.say.table.none : textOf(cell).slice(0, drawnSigns)
    made.append(...markedText(text, cell === null ? '' : this.#marked))
    return made
  }

  #drawHead() {
    const row = element('div', { class: 'row', role: 'row', 'aria-rowindex': '1' })
    if (this.#hasNumbers)
      row.append(element('div', { class: 'cell number', role: 'columnheader' }, this.#options.say.table.row))
    for (const [index, column] of this.#data.columns.entries()) row.append(this.#headCellOf(column, index))
    this.#head.replaceChildren(row)
  }

  #headCellOf({ name, title, isNumber }: Column, index: number) {
    const isDescending = this.#sorted?.isDescending === true
    const cell = element('div', {
      class: 'cell',
      role: 'columnheader',
      title: title ?? name,
      'aria-colindex': String(index + 1),
      'aria-sort': this.#sorted?.column === index && (isDescending ? 'descending' : 'ascending'),
      'data-number': isNumber,
    })
    if (!this.#data.onSort) cell.append(name)
    else {
      const button = element('button', { type: 'button' }, name)
      button.addEventListener('click', () => this.#sort(index))
      cell.append(button)
    }
    return cell
  }

  #sort(column: number) {
    const isDescending = this.#sorted?.column === column && !this.#sorted.isDescending
    this.#sorted = { column, isDescending }
    this.#drawHead()
    this.#head.querySelectorAll('button')[column]?.focus()
    this.#data.onSort?.(column, isDescending)
  }

  #choose(row: number, column: number) {
    const before = this.#hasChosen ? this.row : undefined
    this.#hasChosen = true
    this.row = Math.max(0, Math.min(this.#rowCount - 1, row))
    this.column = Math.max(0, Math.min(this.#data.columns.length - 1, column))
    this.#list.reveal(this.row)
    this.#showChosen()
    this.#revealColumn()
    if (this.row !== before) this.#data.onChooseRow?.(this.row)
  }

  /** By hand: Chromium would scroll up and down as well, since it takes the rows to be where they are not. */
  #revealColumn() {
    const cell = this.#list.body.querySelector<HTMLElement>('.chosen')
    if (!cell) return
    const { element: scroller } = this.#list
    const before = this.#hasNumbers ? this.#numbersWidth : 0
    if (cell.offsetLeft - before < scroller.scrollLeft) scroller.scrollLeft = cell.offsetLeft - before
    const end = cell.offsetLeft + cell.offsetWidth - scroller.clientWidth
    if (end > scroller.scrollLeft) scroller.scrollLeft = Math.min(end, cell.offsetLeft - before)
  }

  #showChosen() {
    for (const old of this.#list.body.querySelectorAll('.chosen')) old.classList.remove('chosen')
    for (const [index, row] of this.#drawn)
      row.setAttribute('aria-selected', String(this.#hasChosen && index === this.row))
    const cell = this.#drawn.get(this.row)?.querySelector(`[data-column="${this.column}"]`)
    cell?.classList.add('chosen')
    if (cell) this.#list.element.setAttribute('aria-activedescendant', cell.id)
    else this.#list.element.removeAttribute('aria-activedescendant')
    const text = textOf(this.#pages.row(this.row)?.[this.column])
    const isCut = this.#hasChosen && !!cell && (cell.scrollWidth > cell.clientWidth || text.includes('\n'))
    if (this.#full.hidden === isCut) this.#full.hidden = !isCut
    if (isCut && this.#full.textContent !== text)
      this.#full.replaceChildren(...markedText(text, this.#marked))
  }
}

/** Which cell an event is about. */
const placeOf = ({ target }: Event) => {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
  const row = cell?.closest<HTMLElement>('[data-row]')
  if (!cell || !row) return undefined
  return {
    row: Number(row.dataset['row']),
    column: Number(cell.dataset['column']),
    opens: cell.dataset['opens'] !== undefined,
  }
}
