import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { backups } from '../../electron/store/desk/backups.ts'
import { recover } from '../../electron/store/desk/recover.ts'

/** What the desk said was kept, by ids: its records, how far each draft was typed; and what was let go. */
export interface Ledger {
  records: Map<string, string>
  typed: Map<string, number>
  forgotten: Set<string>
}

/** Makes a backup as the desk does every two minutes. */
export const makeBackup = async (file: string) => {
  const database = new DatabaseSync(file)
  await backups(database, file)()
  database.close()
}

interface Held extends Omit<Ledger, 'forgotten'> {
  downloads: string[]
}

const held = (file: string): Held => {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = (sql: string) => database.prepare(sql).all() as { id: string; value: string }[]
  const records = rows(
    `select id, body ->> '$.title' as value from job where kind = 'creation' and removed is null`,
  )
  const typed = rows(
    `select id, body ->> '$.form.description' as value from job where kind = 'transfer' and removed is null`,
  )
  const downloads = database.prepare(`select id from job where kind = 'download'`).all()
  database.close()
  return {
    downloads: downloads.map(({ id }) => String(id)),
    records: new Map(records.map(({ id, value }) => [id, value])),
    typed: new Map(typed.map(({ id, value }) => [id, Number(value || '0')])),
  }
}

/** What a file can no longer tell is no fault of the desk; it still answers for all that its backup held. */
const agreeTo = (ledger: Ledger, backup: Held, now: Held): string[] => {
  const lost = [...backup.records].filter(([id]) => !now.records.has(id)).map(([, title]) => title)
  for (const id of ledger.records.keys()) if (!now.records.has(id)) ledger.records.delete(id)
  for (const [id, last] of ledger.typed) {
    const typed = now.typed.get(id)
    if (typed === undefined) ledger.typed.delete(id)
    else ledger.typed.set(id, Math.min(last, typed))
  }
  for (const id of now.downloads) ledger.forgotten.delete(id)
  return lost
}

/**
 * Takes the desk's file away, or spoils a page in its middle, and lets the desk recover it.
 * @returns what the backup held and the recovered file does not
 */
export const spoil = (
  file: string,
  how: 'gone' | 'damaged',
  random: () => number,
  ledger: Ledger,
): string[] => {
  const backup = `${file}.backup-1`
  if (!existsSync(backup) || !existsSync(file)) return []
  const before = held(backup)
  // What is in the log comes into the file first, so that the page that is spoilt counts.
  new DatabaseSync(file).close()
  if (how === 'gone') for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  else {
    const bytes = readFileSync(file)
    const page = 1 + Math.floor(random() * (bytes.length / 4096 - 1))
    bytes.fill(0x55, page * 4096, (page + 1) * 4096)
    writeFileSync(file, bytes)
  }
  recover(file, new Date())
  return agreeTo(ledger, before, held(file))
}

/** Holds the desk's data as another program would, for some time. */
export const hold = async (file: string, ms: number) => {
  if (!existsSync(file)) return
  const other = new DatabaseSync(file, { timeout: 1_000 })
  try {
    other.exec('begin immediate')
    await new Promise((done) => setTimeout(done, ms))
    other.exec('rollback')
  } catch {
    // The desk was quicker.
  } finally {
    other.close()
  }
}
