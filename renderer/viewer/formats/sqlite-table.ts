import { contentOf, TooLarge } from '../content.ts'
import type { Stage } from '../kind.ts'
import type { DatabaseTable } from '../parts/database.ts'
import { sizeText } from '../parts/size-text.ts'
import type { Cell, Column } from '../parts/table.ts'
import { quoted, type Ask, type Value } from './sqlite.ts'

/** Every so many rows it is remembered where the table goes on. */
const stepRows = 2_000
/** Signs of a text that are read. */
const mostSigns = 4_000
const mostColumns = 300
const mostFileBytes = 256 * 1024 * 1024
/** Rows of a view that are counted: what it takes to make them nobody knows. */
const mostViewRows = 100_000

/** A table or a view, as SQLite lists it. */
export interface SqliteItem {
  name: string
  isView: boolean
  hasRowId: boolean
  columnCount: number
}

const textOf = (value: Value | undefined) => (typeof value === 'string' ? value : String(value ?? ''))

/** All tables and views that hold what somebody put there. */
export const itemsOf = async (ask: Ask): Promise<SqliteItem[]> => {
  const rows = await ask(
    `SELECT name, type, ncol, wr FROM pragma_table_list
      WHERE schema = 'main' AND type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY type, name COLLATE NOCASE`,
  )
  return rows.map(([name, type, columns, isWithout]) => ({
    name: textOf(name),
    isView: type === 'view',
    hasRowId: type === 'table' && isWithout === 0,
    columnCount: Number(columns),
  }))
}

interface Described {
  columns: Column[]
  /** The name by which a row is found; undefined where there is none. */
  rowId: string | undefined
}

const describe = async (ask: Ask, item: SqliteItem, { say }: Stage): Promise<Described> => {
  const found = await ask('SELECT name, type, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1', item.name)
  const names = new Set(found.map(([name]) => textOf(name).toLowerCase()))
  const foreign = await ask('SELECT "from", "table" FROM pragma_foreign_key_list(?)', item.name)
  const targets = new Map(foreign.map(([from, table]) => [textOf(from), textOf(table)]))
  const columns = found.slice(0, mostColumns).map(([name, type, key]) => {
    const target = targets.get(textOf(name))
    const notes = [
      textOf(type),
      Number(key) > 0 ? say.database.key : '',
      target === undefined ? '' : say.database.leadsTo(target),
    ]
    return {
      name: textOf(name),
      title: notes.filter((note) => note !== '').join(', ') || undefined,
      isNumber: /INT|REAL|NUM|DEC|FLOA|DOUB/i.test(textOf(type)),
    }
  })
  const rowId = ['rowid', '_rowid_', 'oid'].find((name) => !names.has(name))
  return { columns, rowId: item.hasRowId ? rowId : undefined }
}

/** Asks for a column: its kind, and of what is long its length or its beginning. */
const asked = ({ name }: Column) => {
  const column = quoted(name)
  return `typeof(${column}), CASE typeof(${column}) WHEN 'blob' THEN length(${column})
    WHEN 'text' THEN substr(${column}, 1, ${mostSigns}) ELSE ${column} END`
}

const cellOf = (type: Value | undefined, value: Value | undefined, { say, language }: Stage): Cell => {
  if (value === null || value === undefined) return null
  if (type === 'blob') return { text: say.database.bytes(sizeText(Number(value), language)), opens: true }
  return value instanceof Uint8Array ? null : String(value)
}

/** Where a table goes on, every `stepRows` rows: what was before the row there. */
class RowIds {
  readonly #before: (number | bigint)[] = []
  rowCount = 0
  /** @yields after each step */
  async *build(ask: Ask, table: string, rowId: string, signal: AbortSignal): AsyncGenerator<number> {
    const [[first, last] = []] = await ask(`SELECT min(${rowId}), max(${rowId}) FROM ${table}`)
    let before = BigInt(Number.MIN_SAFE_INTEGER) * 1024n
    for (; !signal.aborted;) {
      const [[end, count] = []] = await ask(
        `SELECT max(r), count(*) FROM
          (SELECT ${rowId} AS r FROM ${table} WHERE ${rowId} > ? ORDER BY ${rowId} LIMIT ${stepRows})`,
        before,
      )
      if (typeof end !== 'number' && typeof end !== 'bigint') return
      this.#before.push(before)
      this.rowCount += Number(count)
      before = BigInt(end)
      yield (Number(end) - Number(first)) / Math.max(1, Number(last) - Number(first))
      if (Number(count) < stepRows) return
    }
  }
  /** What the rows from one on are asked for by. */
  from(row: number) {
    const step = Math.floor(row / stepRows)
    return { before: this.#before[step], skipped: row - step * stepRows }
  }
}

/** A table or view of a database. Rows are found by their ids where they have some. */
export const openSqliteTable = async (
  ask: Ask,
  item: SqliteItem,
  stage: Stage,
): Promise<
  DatabaseTable & {
    rowIdAt: (row: number) => Promise<Value | undefined>
  }
> => {
  const { columns, rowId } = await describe(ask, item, stage)
  const table = quoted(item.name)
  const ids = new RowIds()
  let counted = 0
  const select = async (what: string, from: number, to: number) => {
    if (rowId === undefined) return ask(`SELECT ${what} FROM ${table} LIMIT ${to - from} OFFSET ${from}`)
    const { before, skipped } = ids.from(from)
    if (before === undefined) return []
    const where = `WHERE ${rowId} > ? ORDER BY ${rowId} LIMIT ${to - from} OFFSET ${skipped}`
    return ask(`SELECT ${what} FROM ${table} ${where}`, before)
  }
  const what = columns.map(asked).join(', ')
  const count = async function* () {
    const limited = `SELECT 1 FROM ${table}${item.isView ? ` LIMIT ${mostViewRows}` : ''}`
    const [[found] = []] = await ask(`SELECT count(*) FROM (${limited})`)
    counted = Number(found)
    yield 1
  }
  return {
    id: item.name,
    label: item.name,
    columns,
    count: () => (rowId === undefined ? counted : ids.rowCount),
    build: (signal) => (rowId === undefined ? count() : ids.build(ask, table, rowId, signal)),
    rows: async (from, to) =>
      (await select(what, from, to)).map((values) =>
        columns.map((_, column) => cellOf(values[column * 2], values[column * 2 + 1], stage)),
      ),
    rowIdAt: async (row) => (rowId === undefined ? undefined : (await select(rowId, row, row + 1))[0]?.[0]),
    open: async (row, column) => {
      const name = columns[column]?.name ?? ''
      const [[type, length] = []] = await select(
        `typeof(${quoted(name)}), length(${quoted(name)})`,
        row,
        row + 1,
      )
      if (type !== 'blob') return undefined
      if (Number(length) > mostFileBytes) throw new TooLarge(name)
      const [[value] = []] = await select(quoted(name), row, row + 1)
      return value instanceof Uint8Array
        ? { file: contentOf(`${item.name} ${row + 1} ${name}`, new Uint8Array(value)) }
        : undefined
    },
  }
}
