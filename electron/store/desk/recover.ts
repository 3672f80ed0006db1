import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { diskTroubleOf, Failed } from '../../contract/failure.ts'
import type { Recovered } from '../../contract/settings.ts'
import { syncFile } from '../../common/sync-file.ts'
import { backupsOf, isSound, removeBeside } from './backups.ts'
import { migrations, openDeskStore, type DeskStore } from './desk-store.ts'
import { wasInOtherFile } from './file-identity.ts'
import { continues, type JournalRow } from './journal.ts'
import { openDatabase } from '../open-database.ts'
import { transaction } from '../../common/transaction.ts'
import { sqliteCodeOf } from '../../common/errors.ts'
import { entryIn, isRecord } from '../../common/records.ts'
import { prepare } from '../../common/statements.ts'

/**
 * Tables whose rows are kept by their key. What is left out can be asked for or chosen again. Earlier
 * versions have the four that became `job`.
 */
const tables = [
  'archive',
  'job',
  'creation',
  'transfer',
  'batch',
  'search',
  'orderDraft',
  'deskState',
  'task',
  'paused',
  'notice',
  'fileNote',
  'laidPackage',
] as const

/** A table that the desk's file has had since its first version. */
const deskTables = ['archive'] as const

type Row = Record<string, SQLOutputValue>

/** What the tables without a rowid are ordered by. */
const keys: Record<string, string[]> = {
  deskState: ['archive', 'item', 'package'],
  notice: ['archive', 'key'],
  laidPackage: ['transfer', 'reception'],
}

/**
 * SQLITE_ERROR (JSON that SQLite does not read), SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH. A full
 * disk says nothing of a row.
 */
const unfit = [1, 18, 19, 20]
/** Whether an error says that a row is not what its table holds. */
const isUnfit = (error: unknown) => error instanceof TypeError || unfit.includes(sqliteCodeOf(error) & 0xff)

/**
 * An integer as JavaScript counts, where it can; damaged pages hold larger ones, which are for SQLite to
 * judge.
 */
const toValue = (value: SQLOutputValue) =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value

/** The rows of a table from both of its ends, each as far as it can be read. */
function* readable(database: DatabaseSync, table: string, columns: string[]): Generator<Row> {
  const key = entryIn(keys, table) ?? ['rowid']
  for (const direction of ['asc', 'desc']) {
    const order = key.map((column) => `${column} ${direction}`).join(', ')
    try {
      const all = database.prepare(`select ${columns.join(', ')} from ${table} order by ${order}`)
      all.setReadBigInts(true)
      for (const row of all.iterate())
        yield Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toValue(value)]))
      return
    } catch {
      // Damage in the middle: what lies behind it is read from the other end.
    }
  }
}

/** A body that is whole, and of the row that it stands in; damaged pages hold anything. */
const isWhole = ({ id, body }: Row) => {
  if (id === undefined) return true
  try {
    const read: unknown = JSON.parse(String(body))
    return isRecord(read) && read['id'] === id
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

/** The columns that both files have of a table; none where the damaged one cannot say. */
const sharedColumns = (damaged: DatabaseSync, database: DatabaseSync, table: string) => {
  try {
    const there = new Set(columnsOf(damaged, table))
    return columnsOf(database, table).filter((column) => there.has(column))
  } catch {
    return []
  }
}

/** Whether all that a file says of stopped outboxes can be read. */
const saysWhatIsPaused = (database: DatabaseSync) => {
  try {
    database.prepare('select archive from paused not indexed').all()
    return true
  } catch {
    return false
  }
}

/** An outbox that may have been stopped since the backup was made does not go on by itself. */
const pauseUnsent = ({ database }: DeskStore) =>
  database.exec(`
    insert or ignore into paused select archive from job
      where kind = 'creation' and removed is null and state <> 'delivered';
    insert or ignore into paused select archive from job
      where kind = 'transfer' and removed is null and (isWaiting = 1 or state = 'sending');`)

/**
 * Takes over what can still be read of a damaged file: it is newer than the backup, which was made of it.
 * @returns how many rows the backup did not have, or had otherwise, and whether it is known which outboxes
 * were stopped
 */
const salvage = (file: string, database: DatabaseSync) => {
  let saved = 0
  let damaged: DatabaseSync
  try {
    damaged = new DatabaseSync(file, { readOnly: true })
  } catch {
    return { saved, isPausedKnown: false }
  }
  const take = (table: string, isWanted: (row: Row) => boolean) => {
    const columns = sharedColumns(damaged, database, table)
    if (columns.length === 0) return
    const same = database.prepare(
      `select 1 from ${table} where ${columns.map((column) => `${column} is ?`).join(' and ')}`,
    )
    const put = database.prepare(
      `insert or replace into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    for (const row of readable(damaged, table, columns)) {
      const values = columns.map((column) => row[column] ?? null)
      try {
        if (!isWanted(row) || same.get(...values)) continue
        put.run(...values)
        saved += 1
      } catch (error) {
        if (!isUnfit(error)) throw error
      }
    }
  }
  try {
    transaction(database, () => {
      for (const table of tables) take(table, isWhole)
      let last = prepare<Pick<JournalRow, 'number' | 'digest'>>(
        database,
        'select number, digest from journal order by number desc limit 1',
      ).get()
      take('journal', (row) => {
        // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- continues() looks at its digest
        const line = row as unknown as JournalRow
        if (!continues(last, line)) return false
        last = line
        return true
      })
    })
    return { saved, isPausedKnown: saysWhatIsPaused(damaged) }
  } finally {
    damaged.close()
  }
}

/**
 * Everything that is to be sent may have been sent since the backup was made: that is looked up before
 * anything is done with it.
 */
const markUnsure = ({ database }: DeskStore) =>
  database.exec(`
    update job set wasRestored = 1, nextAt = null
      where kind = 'creation' and state in ('held', 'waiting', 'sending', 'refused');
    update job set wasRestored = 1, nextAt = null
      where kind = 'transfer' and state in ('draft', 'packing', 'prepared', 'sending', 'refused');
    update job set body = json_remove(body, '$.doubt')
      where json_valid(body) and (wasRestored = 1 or state = 'unanswered');
    update job set wasRestored = 1 where kind = 'batch';
    update orderDraft set body = json_set(body, '$.wasRestored', json('true'))
      where body ->> '$.placed' is null;`)

/** Does what needs the desk's file. @throws Failed disk, with the file, where the disk does not let it */
const namingFile = <T>(file: string, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    const trouble = error instanceof Failed ? undefined : diskTroubleOf(error)
    if (trouble === undefined) throw error
    throw new Failed({ kind: 'disk', trouble, path: file }, { cause: error })
  }
}

/**
 * Marks what is to be sent as what may have been sent, where the database is in another file than it was: it
 * may be a copy that somebody brought back, and is as old as that.
 * @returns whether it is
 * @throws Failed disk where that cannot be noted
 */
export const markIfCopied = (store: DeskStore, file: string): boolean =>
  namingFile(file, () =>
    store.transaction(() => {
      const isCopied = wasInOtherFile(store.database, file)
      if (isCopied) markUnsure(store)
      return isCopied
    }),
  )

/**
 * Puts a damaged file, with what SQLite keeps beside it, under another name. The file goes first: without its
 * log it may look sound to a start after this one was killed.
 * @returns the path that it has now, or where it is gone, that of its log
 */
const setAside = (file: string, now: Date) => {
  const name = `${file}.damaged-${now.toISOString().replace(/[:.]/g, '-')}`
  const ends = ['', '-wal', '-shm'].filter((end) => existsSync(file + end))
  for (const end of ends) renameSync(file + end, name + end)
  return name + (ends[0] ?? '')
}

/** In bytes; 0 where there is no such file. */
const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Makes the file that takes the place of a damaged one; it has its name once it is whole. */
const rebuild = (file: string, isGone: boolean, good: string | undefined, ready: string): number => {
  const making = `${file}.restoring`
  const clear = () => {
    rmSync(making, { force: true })
    removeBeside(making)
  }
  clear()
  try {
    if (good !== undefined) copyFileSync(good, making)
    const saved = filled(making, isGone ? undefined : file)
    syncFile(making)
    renameSync(making, ready)
    return saved
  } catch (error) {
    // A disk that is full has no space for half a file.
    clear()
    throw error
  }
}

/** How many migrations a file has seen; none where it cannot say. */
const versionOf = (file: string): number => {
  if (!existsSync(file)) return 0
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      return Number(database.prepare('pragma user_version').get()?.['user_version'])
    } finally {
      database.close()
    }
  } catch {
    return 0
  }
}

/**
 * Reads a damaged file into one that has the same tables; those of an earlier version are brought up to date
 * after that.
 */
const salvaged = (making: string, damaged: string) => {
  const said = versionOf(damaged)
  const version = said > 0 ? Math.max(said, versionOf(making)) : migrations.length
  const database = openDatabase(making, migrations.slice(0, version))
  try {
    return salvage(damaged, database)
  } finally {
    database.close()
  }
}

/** Brings what can still be read of a damaged file into the one that is to take its place. */
const filled = (making: string, damaged: string | undefined): number => {
  const { saved, isPausedKnown } =
    damaged === undefined ? { saved: 0, isPausedKnown: false } : salvaged(making, damaged)
  const store = openDeskStore(making)
  try {
    markUnsure(store)
    if (!isPausedKnown) pauseUnsent(store)
    return saved
  } finally {
    store.close()
  }
}

/**
 * Sees to it that the desk's own file, which is nowhere else, can be opened: a damaged one is set aside,
 * never removed. The newest sound backup takes its place, with what can still be read of the damaged file; so
 * does a backup where the file is gone.
 * @returns what was done, for the person to know; null where all is well
 * @throws Failed disk where the file cannot be looked at (another program holds it, or it may not be read),
 * or there is no space for the one that is to take its place. Nothing is replaced then
 */
export const recover = (file: string, now: Date): Recovered | null =>
  namingFile(file, () => recovered(file, now))

const recovered = (file: string, now: Date): Recovered | null => {
  const ready = `${file}.restored`
  const isGone = sizeOf(file) === 0
  if (!isGone && isSound(file, deskTables)) {
    rmSync(ready, { force: true })
    return null
  }
  const good = backupsOf(file).find((backup) => existsSync(backup) && isSound(backup, deskTables))
  if (!isGone && good === undefined && isSound(file)) return null
  // One that is ready was left by a start that was killed between the last two steps.
  const isReady = isGone && existsSync(ready)
  // SQLite removes a log without its file; it may be all that is left of what was written last.
  const hasLog = sizeOf(`${file}-wal`) > 0
  if (isGone && !isReady && good === undefined && !hasLog) return null
  const saved = isReady ? 0 : rebuild(file, isGone, good, ready)
  const damaged = isGone && !hasLog ? null : setAside(file, now)
  removeBeside(file)
  renameSync(ready, file)
  return { setAside: damaged, from: good === undefined ? null : statSync(good).mtime.toISOString(), saved }
}
