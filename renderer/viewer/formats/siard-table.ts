import type { Content } from '../content.ts'
import type { Stage } from '../kind.ts'
import type { DatabaseTable, Target } from '../parts/database.ts'
import { sizeText } from '../parts/size-text.ts'
import type { Cell, Column } from '../parts/table.ts'
import { SiardRows, type SiardCell } from './siard-rows.ts'
import type { Siard, SiardKey, SiardTable } from './siard.ts'
import type { ZipFiles } from './zip-by-parts.ts'

/** Rows that are looked through at a time for the one that a key names. */
const foundRows = 1_024
const mostColumns = 300

type Tell = (share: number) => void

/** The name of a table; with that of its schema where there is more than one. */
export const labelOf = ({ schema, name }: SiardTable, { tables }: Siard) =>
  tables.some((other) => other.schema !== schema) ? `${schema}.${name}` : name

const textOf = (cell: SiardCell | undefined) => (cell && 'text' in cell ? cell.text : undefined)

/** Where a file lies that a cell names: as it is written, or in the folders that the header names. */
const pathOf = (files: ZipFiles, siard: Siard, table: SiardTable, column: number, name: string) => {
  const folder = `content/${table.id}`
  const named = table.columns[column]?.folder ?? ''
  const clean = (path: string) => path.replace(/\/\.?(?=\/)/g, '').replace(/^(\.?\/)+/, '')
  const paths = [
    name,
    `${named}/${name}`,
    `${siard.folder}/${named}/${name}`,
    `${folder}/${named}/${name}`,
    `${folder}/lob${column + 1}/${name}`,
    `${folder}/${name}`,
  ].map(clean)
  return (
    paths.find((path) => files.has(path)) ?? files.below(folder).find((path) => path.endsWith(`/${name}`))
  )
}

const columnOf = (table: SiardTable, siard: Siard, { say }: Stage, index: number): Column => {
  const { name, type, description } = table.columns[index] ?? { name: '', type: '', description: '' }
  const key = table.foreignKeys.find(({ columns }) => columns.includes(index))
  const other = siard.tables.find(({ id }) => id === key?.table)
  const notes = [
    type,
    table.key.includes(index) ? say.database.key : '',
    other ? say.database.leadsTo(labelOf(other, siard)) : '',
    description,
  ]
  return {
    name,
    title: notes.filter((note) => note !== '').join(', ') || undefined,
    isNumber: /^(INT|SMALLINT|BIGINT|DEC|NUM|FLOAT|REAL|DOUBLE)/i.test(type),
  }
}

/** One SIARD file that is open. */
export class SiardDatabase {
  readonly siard: Siard
  readonly #files: ZipFiles
  readonly #stage: Stage
  readonly #rows = new Map<string, SiardRows>()

  constructor(siard: Siard, files: ZipFiles, stage: Stage) {
    this.siard = siard
    this.#files = files
    this.#stage = stage
  }

  async #rowsOf({ id, path, name }: SiardTable) {
    const known = this.#rows.get(id)
    if (known) return known
    const empty: Content = { name, bytes: 0, read: () => Promise.resolve(new Uint8Array()) }
    const rows = new SiardRows((await this.#files.open(path)) ?? empty)
    this.#rows.set(id, rows)
    return rows
  }

  #cellOf(cell: SiardCell | undefined, isKey: boolean): Cell {
    if (!cell) return null
    const { say, language } = this.#stage
    if ('file' in cell) return { text: say.database.bytes(sizeText(cell.length, language)), opens: true }
    return isKey ? { text: cell.text, opens: true } : cell.text
  }

  /** The row of another table that a key names. */
  async #follow(key: SiardKey, row: readonly (SiardCell | undefined)[], tell: Tell): Promise<Target> {
    const table = this.siard.tables.find(({ id }) => id === key.table)
    if (!table) return undefined
    const wanted = key.columns.map((column) => textOf(row[column]))
    const columns = key.referenced.map((name) => table.columns.findIndex((column) => column.name === name))
    const rows = await this.#rowsOf(table)
    for (let from = 0; ; from += foundRows) {
      const found = await rows.read(from, from + foundRows, tell)
      const index = found.findIndex((cells) =>
        columns.every((column, place) => textOf(cells[column]) === wanted[place]),
      )
      if (index >= 0) return { table: table.id, row: from + index }
      if (found.length < foundRows) return undefined
    }
  }

  /** @param tell hears which share of the table was looked through for rows that are far down */
  async open(table: SiardTable, tell: Tell): Promise<DatabaseTable> {
    const { say, language, note } = this.#stage
    const rows = await this.#rowsOf(table)
    const columns = [...table.columns.keys()].slice(0, mostColumns)
    const keys = new Map(
      table.foreignKeys.flatMap((key) => key.columns.map((column) => [column, key] as const)),
    )
    let isTold = false
    /** What the header says is not taken on trust. */
    const compareCount = () => {
      if (isTold || !rows.isComplete || rows.met === table.rows) return
      isTold = true
      const numbers = new Intl.NumberFormat(language)
      const label = labelOf(table, this.siard)
      note(say.database.countDiffers(label, numbers.format(table.rows), numbers.format(rows.met)))
    }
    return {
      id: table.id,
      label: labelOf(table, this.siard),
      columns: columns.map((column) => columnOf(table, this.siard, this.#stage, column)),
      // There may be no room for so many as the header says.
      count: () => (rows.isComplete ? rows.met : Math.max(rows.met, Math.min(table.rows, rows.most))),
      build: async function* () {
        await rows.until(0, tell)
        tell(1)
        compareCount()
        yield 1
      },
      rows: async (from, to) => {
        const found = await rows.read(from, to, tell)
        tell(1)
        compareCount()
        return found.map((cells) => columns.map((column) => this.#cellOf(cells[column], keys.has(column))))
      },
      open: async (row, column, hear) => {
        const [cells] = await rows.read(row, row + 1, hear)
        const cell = cells?.[column]
        const key = keys.get(column)
        if (cell && 'file' in cell) {
          const path = pathOf(this.#files, this.siard, table, column, cell.file)
          const file = path === undefined ? undefined : await this.#files.open(path)
          return file && { file }
        }
        return cells && cell && key ? this.#follow(key, cells, hear) : undefined
      },
    }
  }
}
