import { existsSync, renameSync, rmSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { diskTroubleOf, Failed } from '../../contract/failure.ts'
import { sqliteCodeOf } from '../../common/errors.ts'
import { prepare, prepareOne } from '../../common/statements.ts'
import { syncFile } from '../../common/sync-file.ts'

const generations = [1, 2]
const backupOf = (file: string, generation: number) => `${file}.backup-${generation}`

/** The backups of a file, the newest first. */
export const backupsOf = (file: string) => generations.map((generation) => backupOf(file, generation))

/**
 * Result codes of SQLite that say that a file is damaged: SQLITE_CORRUPT, SQLITE_NOTADB. Any other says
 * nothing of what is in it.
 */
const damage = [11, 26]
const waitMs = 5_000

/**
 * Whether every page of a database file is as it should be, and it has the tables named. A file that is not
 * there is sound: it is made.
 * @throws Failed disk where it cannot be looked at: another program holds it, or it may not be read
 */
export const isSound = (file: string, tables: readonly string[] = []): boolean => {
  if (!existsSync(file)) return true
  try {
    const database = new DatabaseSync(file, { timeout: waitMs })
    try {
      const checked = prepare<{ integrity_check: string }>(database, 'pragma integrity_check(1)').get()
      const has = database.prepare(`select 1 from sqlite_schema where type = 'table' and name = ?`)
      return checked?.integrity_check === 'ok' && tables.every((table) => has.get(table) !== undefined)
    } finally {
      database.close()
    }
  } catch (error) {
    if (damage.includes(sqliteCodeOf(error) & 0xff)) return false
    throw new Failed({ kind: 'disk', trouble: diskTroubleOf(error) ?? 'other', path: file }, { cause: error })
  }
}

export const removeBeside = (file: string) =>
  ['-wal', '-shm'].forEach((end) => rmSync(file + end, { force: true }))

/**
 * Keeps two generations of backups of an open database, made by SQLite itself while the file is in use.
 * @returns makes a backup where anything was written since the last one
 */
export const backups = (database: DatabaseSync, file: string) => {
  const changes = prepareOne<{ n: number }>(database, 'select total_changes() as n')
  let saved = -1
  let running: Promise<void> | undefined
  const save = async () => {
    const { n } = changes.get()
    if (n === saved) return
    const making = `${file}.backup-making`
    rmSync(making, { force: true })
    await backup(database, making)
    if (!isSound(making)) throw new Error(`The backup of ${file} is not sound.`)
    removeBeside(making)
    syncFile(making)
    if (existsSync(backupOf(file, 1))) renameSync(backupOf(file, 1), backupOf(file, 2))
    renameSync(making, backupOf(file, 1))
    saved = n
  }
  return () => (running ??= save().finally(() => (running = undefined)))
}
