import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { openAccounts } from '../../electron/local-archive/accounts/accounts.ts'
import { openDatabase } from '../../electron/local-archive/database.ts'

/** What a new archive takes packages in with, in an empty folder: its folders, its database, an archivist. */
export const openIngestWorkplace = (data: string) => {
  const folders = {
    ingest: path.join(data, 'ingest'),
    working: path.join(data, 'working'),
    setAside: path.join(data, 'set-aside'),
  }
  for (const folder of Object.values(folders)) mkdirSync(folder)
  const now = () => new Date()
  const database = openDatabase(data)
  const accounts = openAccounts(database, now)
  const names = { first: 'Reading', last: 'Room', email: 'archivist@localhost' }
  accounts.keep('archivist', 'x', names, 'archivist')
  return { folders, now, database, accounts }
}
