import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import type { Recovered } from '../contract/settings.ts'

const generations = [1, 2]
const backupOf = (file: string, generation: number) => `${file}.backup-${generation}`

/** Whether a database file can be opened and every page of it is as it should be. A file that is not there is sound: it is made. */
export const isSound = (file: string): boolean => {
  if (!existsSync(file)) return true
  try {
    const database = new DatabaseSync(file)
    try {
      const rows = database.prepare('pragma integrity_check(1)').all() as { integrity_check: string }[]
      return rows[0]?.integrity_check === 'ok'
    } finally {
      database.close()
    }
  } catch {
    return false
  }
}

const removeBeside = (file: string) => ['-wal', '-shm'].forEach((end) => rmSync(file + end, { force: true }))

/** Puts a damaged file, with what SQLite keeps beside it, under another name. */
const setAside = (file: string, now: Date) => {
  const name = `${file}.damaged-${now.toISOString().replace(/[:.]/g, '-')}`
  renameSync(file, name)
  for (const end of ['-wal', '-shm']) if (existsSync(file + end)) renameSync(file + end, name + end)
  return name
}

/**
 * Sees to it that a file that is nowhere else can be opened: a damaged one is set aside, never removed, and the newest sound
 * backup takes its place; so it does where the file is gone.
 * @returns what was done, for the person to know; null where all is well
 */
export const recover = (file: string, now: Date): Recovered | null => {
  const isGone = !existsSync(file)
  if (!isGone && isSound(file)) return null
  const good = generations
    .map((generation) => backupOf(file, generation))
    .find((it) => existsSync(it) && isSound(it))
  if (isGone && good === undefined) return null
  const damaged = isGone ? null : setAside(file, now)
  removeBeside(file)
  if (good !== undefined) copyFileSync(good, file)
  return { setAside: damaged, from: good === undefined ? null : statSync(good).mtime.toISOString() }
}

/**
 * Keeps two generations of backups of an open database, made by SQLite itself while the file is in use.
 * @returns makes a backup where anything was written since the last one
 */
export const backups = (database: DatabaseSync, file: string) => {
  const changes = database.prepare('select total_changes() as n')
  let saved = -1
  let running: Promise<void> | undefined
  const save = async () => {
    const { n } = changes.get() as { n: number }
    if (n === saved) return
    const making = `${file}.backup-making`
    rmSync(making, { force: true })
    await backup(database, making)
    if (!isSound(making)) throw new Error(`The backup of ${file} is not sound.`)
    removeBeside(making)
    if (existsSync(backupOf(file, 1))) renameSync(backupOf(file, 1), backupOf(file, 2))
    renameSync(making, backupOf(file, 1))
    saved = n
  }
  return () => (running ??= save().finally(() => (running = undefined)))
}
