import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Recovered } from '../contract/settings.ts'
import { backupsOf, isSound, removeBeside, syncFile } from './backups.ts'
import { openDeskStore, type DeskStore } from './desk.ts'
import { continues, type JournalRow } from './journal.ts'

/** Tables whose rows are kept by their key. What is left out can be asked for or chosen again. */
const tables = [
  'archive',
  'creation',
  'transfer',
  'batch',
  'search',
  'orderDraft',
  'deskState',
  'task',
] as const

type Row = Record<string, string | number | null | Uint8Array>

/** The rows of a table from both of its ends, each as far as it can be read. */
function* readable(database: DatabaseSync, table: string, columns: string[]): Generator<Row> {
  const key = table === 'deskState' ? ['archive', 'item', 'package'] : ['rowid']
  for (const direction of ['asc', 'desc']) {
    const order = key.map((column) => `${column} ${direction}`).join(', ')
    try {
      const all = database.prepare(`select ${columns.join(', ')} from ${table} order by ${order}`)
      for (const row of all.iterate()) yield row as Row
      return
    } catch {
      // Damage in the middle: what lies behind it is read from the other end.
    }
  }
}

/** A body that is whole, and of the row that it stands in; damaged pages hold anything. */
const isWhole = ({ id, body }: Row) => {
  if (body === undefined) return true
  try {
    const read = JSON.parse(String(body)) as { id?: unknown } | null
    return typeof read === 'object' && read !== null && read.id === id
  } catch {
    return false
  }
}

/** The columns that both files have; generated ones are not among them. */
const columnsOf = (database: DatabaseSync, table: string) =>
  database
    .prepare(`select name from pragma_table_info(?)`)
    .all(table)
    .map(({ name }) => String(name))

/**
 * Takes over what can still be read of a damaged file: it is newer than the backup, which was made of it.
 * @returns how many rows the backup did not have, or had otherwise
 */
const salvage = (file: string, { database, transaction }: DeskStore): number => {
  let saved = 0
  let damaged: DatabaseSync
  try {
    damaged = new DatabaseSync(file, { readOnly: true })
  } catch {
    return 0
  }
  const take = (table: string, isWanted: (row: Row) => boolean) => {
    try {
      const there = new Set(columnsOf(damaged, table))
      const columns = columnsOf(database, table).filter((column) => there.has(column))
      if (columns.length === 0) return
      const same = database.prepare(
        `select 1 from ${table} where ${columns.map((column) => `${column} is ?`).join(' and ')}`,
      )
      const put = database.prepare(
        `insert or replace into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      )
      for (const row of readable(damaged, table, columns)) {
        const values = columns.map((column) => row[column] ?? null)
        if (!isWanted(row) || same.get(...values)) continue
        put.run(...values)
        saved += 1
      }
    } catch {
      // Nothing of this table can be read, or what is read does not fit.
    }
  }
  transaction(() => {
    for (const table of tables) take(table, isWhole)
    let last = database.prepare('select number, digest from journal order by number desc limit 1').get() as
      JournalRow | undefined
    take('journal', (row) => {
      const line = row as unknown as JournalRow
      if (!continues(last, line)) return false
      last = line
      return true
    })
  })
  damaged.close()
  return saved
}

/** Everything that is to be sent may have been sent since the backup was made: that is looked up before anything is done with it. */
const doubt = ({ database }: DeskStore) =>
  database.exec(`
    update creation set body = json_set(body, '$.wasRestored', json('true'), '$.nextAt', null) where state in ('held', 'waiting', 'sending', 'refused');
    update transfer set body = json_set(body, '$.wasRestored', json('true'), '$.nextAt', null) where stage in ('draft', 'packing', 'prepared', 'sending', 'refused');
    update batch set body = json_set(body, '$.wasRestored', json('true'));
    update orderDraft set body = json_set(body, '$.wasRestored', json('true')) where body ->> '$.placed' is null;`)

/** Puts a damaged file, with what SQLite keeps beside it, under another name. */
const setAside = (file: string, now: Date) => {
  const name = `${file}.damaged-${now.toISOString().replace(/[:.]/g, '-')}`
  for (const end of ['-wal', '-shm', '']) if (existsSync(file + end)) renameSync(file + end, name + end)
  return name
}

/** Makes the file that takes the place of a damaged one; it has its name once it is whole. */
const rebuild = (file: string, isGone: boolean, good: string | undefined, ready: string): number => {
  const making = `${file}.restoring`
  rmSync(making, { force: true })
  removeBeside(making)
  if (good !== undefined) copyFileSync(good, making)
  const store = openDeskStore(making)
  let saved: number
  try {
    saved = isGone ? 0 : salvage(file, store)
    doubt(store)
  } finally {
    store.close()
  }
  syncFile(making)
  renameSync(making, ready)
  return saved
}

/**
 * Sees to it that the desk's own file, which is nowhere else, can be opened: a damaged one is set aside, never removed. The newest
 * sound backup takes its place, with what can still be read of the damaged file; so does a backup where the file is gone.
 * @returns what was done, for the person to know; null where all is well
 * @throws Failed disk where the file cannot be looked at: another program holds it, or it may not be read. Nothing is replaced then
 */
export const recover = (file: string, now: Date): Recovered | null => {
  const ready = `${file}.restored`
  const isGone = !existsSync(file) || (statSync(file).size === 0 && !existsSync(`${file}-wal`))
  if (!isGone && isSound(file)) {
    rmSync(ready, { force: true })
    return null
  }
  const good = backupsOf(file).find((it) => existsSync(it) && isSound(it))
  // One that is ready was left by a start that was killed between the last two steps.
  const isReady = isGone && existsSync(ready)
  if (isGone && !isReady && good === undefined) return null
  const saved = isReady ? 0 : rebuild(file, isGone, good, ready)
  const damaged = isGone ? null : setAside(file, now)
  removeBeside(file)
  renameSync(ready, file)
  return { setAside: damaged, from: good === undefined ? null : statSync(good).mtime.toISOString(), saved }
}
