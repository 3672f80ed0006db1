import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Opens a database file and brings it up to date: each migration runs once, in order, in a transaction of its own, and
 * `user_version` says how many have run.
 * @throws where the file was written by a newer version of Lectern
 */
export const openDatabase = (file: string, migrations: string[]): DatabaseSync => {
  mkdirSync(path.dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 5000')
  const { user_version: done } = database.prepare('pragma user_version').get() as { user_version: number }
  if (done > migrations.length) {
    database.close()
    throw new Error(`${path.basename(file)} was written by a newer version of Lectern.`)
  }
  migrations
    .slice(done)
    .forEach((step, index) =>
      database.exec(`begin; ${step}; pragma user_version = ${done + index + 1}; commit`),
    )
  return database
}

/** All or nothing. */
export const together = <T>(database: DatabaseSync, work: () => T): T => {
  database.exec('begin immediate')
  try {
    const result = work()
    database.exec('commit')
    return result
  } catch (error) {
    database.exec('rollback')
    throw error
  }
}
