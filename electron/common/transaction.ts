import type { DatabaseSync } from 'node:sqlite'

/**
 * Takes back what was written since the transaction began; some errors (SQLITE_FULL, SQLITE_IOERR) have done
 * so by themselves.
 */
export const rollback = (database: DatabaseSync) => {
  if (database.isTransaction) database.exec('rollback')
}

/** All of the work is kept, or none of it; within another transaction it is a part of that one. */
export const transaction = <T>(database: DatabaseSync, work: () => T): T => {
  if (database.isTransaction) return work()
  database.exec('begin immediate')
  try {
    const result = work()
    database.exec('commit')
    return result
  } catch (error) {
    rollback(database)
    throw error
  }
}
