import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { diskTroubleOf, Failed } from '../contract/failure.ts'
import { sqliteCodeOf } from '../common/errors.ts'
import { transaction } from '../common/transaction.ts'
import { prepareOne } from '../common/statements.ts'

/**
 * Opens a database file and brings it up to date: each migration runs once, in order, in a transaction of its
 * own, and `user_version` says how many have run.
 * @throws Failed disk where another program holds the file or there is no space; an error where a newer
 * version of Lectern wrote it
 */
export const openDatabase = (file: string, migrations: string[]): DatabaseSync => {
  mkdirSync(path.dirname(file), { recursive: true })
  try {
    return broughtUpToDate(connect(file), file, migrations)
  } catch (error) {
    const trouble = diskTroubleOf(error)
    if (trouble === undefined) throw error
    throw new Failed({ kind: 'disk', trouble, path: file }, { cause: error })
  }
}

/** So long a write waits for another one. */
const waitMs = 5_000

/** Opens a database file as it is, of whatever version. */
export const connect = (file: string): DatabaseSync => new DatabaseSync(file, { timeout: waitMs })

/** SQLITE_BUSY: another connection is at it. */
const busy = 5
const lookAgainMs = 5

/** A cell that nobody wakes: waiting for it is waiting for the time. */
const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

/**
 * Has a file written by a write-ahead log. Two programs that ask for that at once both read first, and SQLite
 * lets neither wait for the other, whatever the time that was given for that: one of them begins again.
 */
const enableWriteAheadLog = (database: DatabaseSync) => {
  for (const began = performance.now(); ;)
    try {
      return database.exec('pragma journal_mode = wal')
    } catch (error) {
      if ((sqliteCodeOf(error) & 0xff) !== busy || performance.now() - began > waitMs) throw error
      Atomics.wait(never, 0, 0, lookAgainMs)
    }
}

const migratedTo = (database: DatabaseSync) =>
  prepareOne<{ user_version: number }>(database, 'pragma user_version').get().user_version

/** Whether an earlier version of Lectern wrote a file. @throws where it is no database */
export const isEarlier = (file: string, migrations: string[]): boolean => {
  if (!existsSync(file)) return false
  const database = connect(file)
  try {
    const done = migratedTo(database)
    return done > 0 && done < migrations.length
  } finally {
    database.close()
  }
}

const broughtUpToDate = (database: DatabaseSync, file: string, migrations: string[]) => {
  try {
    enableWriteAheadLog(database)
    database.exec('pragma synchronous = full')
    const done = migratedTo(database)
    if (done > migrations.length)
      throw new Error(`${path.basename(file)} was written by a newer version of Lectern.`)
    for (const [number, step] of migrations.entries())
      if (number >= done)
        transaction(database, () => {
          // Another thread or process that opens the file too may have run it meanwhile.
          if (migratedTo(database) > number) return
          database.exec(`${step}; pragma user_version = ${number + 1}`)
        })
  } catch (error) {
    database.close()
    throw error
  }
  return database
}
