import './database.css'
import type { Content } from '../content.ts'
import { element } from '../element.ts'
import type { Controls, Stage } from '../kind.ts'
import { finderOf } from './finder.ts'
import { foldCase } from './marked-text.ts'
import { progressLine } from './progress.ts'
import { drawTable, textOf, type Cell, type Column, type Table } from './table.ts'

/** What a cell leads to: a file that lies in it, or a row of another table. */
export type Target = { file: Content } | { table: string; row: number } | undefined

/** A table, or a view, of a database of any kind. */
export interface DatabaseTable {
  /** By which it is chosen. */
  id: string
  label: string
  columns: readonly Column[]
  /** Rows that are known of by now. */
  count: () => number
  /** Counts the rows to the end. @yields which share of them it has counted, from 0 to 1 */
  build: (signal: AbortSignal) => AsyncIterable<number>
  rows: (from: number, to: number) => Promise<readonly (readonly Cell[])[]>
  /** @param tell hears which share of what is to be searched was, from 0 to 1 */
  open?: (row: number, column: number, tell: (share: number) => void) => Promise<Target>
  /** What is drawn beside it, and hears which row is chosen. */
  beside?: (goTo: (row: number) => void, signal: AbortSignal) => Promise<Beside | undefined>
}
export interface Beside {
  element: HTMLElement
  choose: (row: number) => void
}

/** What is said of a table in the list of all. */
export interface ListedTable {
  id: string
  label: string
  cells: readonly Cell[]
}

interface Database {
  /** What the list of all tables says of them, beside their names. */
  listColumns: readonly Column[]
  list: readonly ListedTable[]
  /** @param tell hears which share of the file was read to come to rows that are far down */
  open: (id: string, signal: AbortSignal, tell: (share: number) => void) => Promise<DatabaseTable>
}

/** Rows that are searched at a time. */
const foundRows = 1_000
/** Milliseconds after which it is said how far something is. */
const toldEvery = 250
/** So many signs are given to be copied at most. */
const mostText = 16_000_000
/** Tables that can be chosen. */
const mostChoices = 10_000
/** The choice of the list of all tables. */
const all = ''

/** The list of all tables is a table too; a row of it opens one. */
const listOf = ({ list, listColumns }: Database, { say }: Stage): DatabaseTable => ({
  id: all,
  label: say.database.all,
  columns: [{ name: say.database.table }, ...listColumns],
  count: () => list.length,
  build: async function* () {},
  rows: (from, to) =>
    Promise.resolve(
      list.slice(from, to).map(({ label, cells }) => [{ text: label, opens: true } as const, ...cells]),
    ),
  open: (row) => Promise.resolve({ table: list[row]?.id ?? all, row: -1 }),
})

/** All cells with these words, row by row, while the rows are still counted. */
async function* cellsWith(table: DatabaseTable, words: string, counted: Promise<void>, signal: AbortSignal) {
  const looked = foldCase(words)
  let isCounted = false
  const over = counted.then(() => {
    isCounted = true
  })
  for (let from = 0; !signal.aborted;) {
    const to = Math.min(from + foundRows, table.count())
    if (to === from) {
      if (isCounted) return
      await Promise.race([over, new Promise((done) => setTimeout(done, toldEvery))])
      continue
    }
    const found: { row: number; column: number }[] = []
    for (const [offset, row] of (await table.rows(from, to)).entries())
      for (const [column, cell] of row.entries())
        if (foldCase(textOf(cell)).includes(looked)) found.push({ row: from + offset, column })
    yield found
    from = to
  }
}

/** The first table with a cell with these words; undefined where there is none. */
const tableWith = async ({ list, open }: Database, words: string, over: AbortSignal) => {
  for (const { id } of list) {
    const leaving = new AbortController()
    const signal = AbortSignal.any([over, leaving.signal])
    const data = await open(id, signal, () => undefined)
    const count = async () => {
      for await (const _ of data.build(signal));
    }
    // What cannot be counted to its end is looked through so far.
    const counted = count().catch(() => undefined)
    for await (const found of cellsWith(data, words, counted, signal)) {
      if (found.length === 0) continue
      leaving.abort()
      return id
    }
    leaving.abort()
  }
  return undefined
}

interface Current {
  data: DatabaseTable
  find: NonNullable<Controls['find']>
}
/** Looks through the cells of the table that is shown; before one is, through all tables. */
const finderIn = (database: Database, { stands, signal }: Stage, current: () => Current | undefined) => {
  let looking = new AbortController()
  return async (text: string, isBackwards: boolean, show: (id: string) => Promise<void>) => {
    looking.abort()
    looking = new AbortController()
    const over = AbortSignal.any([looking.signal, signal])
    const isNamed = database.list.some(({ label }) => foldCase(label).includes(foldCase(text)))
    if (text !== '' && current()?.data.id === all && !isNamed) {
      stands({ found: { number: 0, of: null, isIncomplete: false } })
      const id = await tableWith(database, text, over)
      if (over.aborted) return
      if (id !== undefined) await show(id)
    }
    await current()?.find(text, isBackwards)
  }
}

/** Counts the rows of a table while those that are counted can be looked at. */
const countRows = async (data: DatabaseTable, { table, say }: Drawn, stage: Stage, signal: AbortSignal) => {
  const numbers = new Intl.NumberFormat(stage.language)
  let told = 0
  for await (const share of data.build(signal)) {
    if (signal.aborted) return
    if (Date.now() - told < toldEvery) continue
    told = Date.now()
    table.update({ rowCount: data.count() })
    say(stage.say.countingRows(numbers.format(data.count()), Math.floor(share * 100)))
  }
  if (signal.aborted) return
  table.update({ rowCount: data.count() })
  say('')
}
interface Drawn {
  table: Table
  /** Says how far something is; nothing for an empty sentence. */
  say: (sentence: string) => void
}

const choicesOf = ({ list }: Database, { say }: Stage) =>
  [{ value: all, label: say.database.all }].concat(list.map(({ id, label }) => ({ value: id, label })))

/** The tables of one database: a list of them, and one at a time. Cells lead to files and to other rows. */
export const drawDatabase = async (database: Database, stage: Stage): Promise<Controls> => {
  const { root, say, language, stands } = stage
  root.classList.add('filled')
  let leaving = new AbortController()
  stage.signal.addEventListener('abort', () => leaving.abort())
  const values = choicesOf(database, stage)

  const follow = async (data: DatabaseTable, drawn: Drawn, row: number, column: number) => {
    const { signal } = leaving
    const tell = (share: number) => drawn.say(say.database.searching(Math.floor(share * 100)))
    const target = await data.open?.(row, column, tell).catch(() => 'unreadable' as const)
    if (signal.aborted) return
    drawn.say(target === 'unreadable' ? say.database.unreadable : '')
    if (target === undefined || target === 'unreadable') return
    if ('file' in target) stage.open(target.file)
    else current = await show(target.table, target.row)
  }
  const show = async (id: string, row = -1) => {
    leaving.abort()
    leaving = new AbortController()
    const { signal } = leaving
    const line = progressLine()
    const tell = (share: number) => line.say(share < 1 ? say.database.searching(Math.floor(share * 100)) : '')
    const data = id === all ? listOf(database, stage) : await database.open(id, signal, tell)
    if (signal.aborted) return current
    const table = drawTable({
      data: {
        columns: data.columns,
        rowCount: data.count(),
        rows: data.rows,
        onOpenCell: (from, column) => {
          follow(data, drawn, from, column).catch(reportError)
        },
        onChooseRow: (chosen) => beside?.choose(chosen),
      },
      name: data.label,
      say,
      language,
      signal,
    })
    const drawn = { table, say: line.say }
    const beside = await data.beside?.((to) => table.goTo(to), signal)
    const both = element(
      'div',
      { class: 'database-both' },
      table.element,
      ...(beside ? [beside.element] : []),
    )
    root.replaceChildren(element('div', { class: 'database' }, both), line.element)
    const counted = countRows(data, drawn, stage, signal)
    counted.catch(() => line.say(say.database.unreadable))
    stands({ choices: [{ name: 'table', values: values.slice(0, mostChoices), chosen: id }] })
    if (row >= 0) {
      table.update({ rowCount: Math.max(row + 1, data.count()) })
      table.goTo(row)
    }
    const find = finderOf<{ row: number; column: number }>({
      scan: (words, ended) => cellsWith(data, words, counted, ended),
      isAhead: (place) => place.row >= table.chosen().row,
      show: (place) => table.goTo(place.row, place.column),
      mark: table.mark,
      stands,
      signal,
    })
    return { data, find }
  }
  let current: Current | undefined
  const only = database.list.length === 1 ? database.list[0]?.id : undefined
  const find = finderIn(database, stage, () => current)
  const choose = async (id: string) => {
    current = await show(id)
  }
  await choose(only ?? all)
  return {
    find: (text, isBackwards) => find(text, isBackwards, choose),
    choose: (_name, value) => choose(value),
    text: () => (current ? textOfRows(current.data) : ''),
  }
}

/** The rows of a table as lines with tabs, to be copied. */
const textOfRows = async (data: DatabaseTable) => {
  const lines = [data.columns.map(({ name }) => name).join('\t')]
  let signs = 0
  for (let from = 0; from < data.count() && signs < mostText; from += foundRows)
    for (const row of await data.rows(from, Math.min(from + foundRows, data.count()))) {
      const line = row.map(textOf).join('\t')
      signs += line.length
      lines.push(line)
    }
  return lines.join('\n')
}
