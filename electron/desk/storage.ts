import path from 'node:path'
import { backups } from '../store/backups.ts'
import { findCacheFile } from '../store/cache-file.ts'
import { openCache } from '../store/cache.ts'
import { openDeskStore } from '../store/desk.ts'
import { openPackages } from '../store/package-rows.ts'
import { recover } from '../store/recover.ts'

interface Parts {
  /** Where everything of this desk lies. */
  folder: string
  now: () => Date
  warn: (room: string, what: string, detail: unknown) => void
}

/**
 * Opens what the desk keeps: its own data, recovered where the file was damaged, and the local copy of archives.
 * @throws Failed disk where there is no room to recover
 */
export const openStorage = ({ folder, now, warn }: Parts) => {
  const deskFile = path.join(folder, 'desk.sqlite')
  const recovered = recover(deskFile, now())
  if (recovered) warn('store', 'The desk was damaged or gone', recovered)
  const store = openDeskStore(deskFile, now)
  const { file: cacheFile, inTheWay } = findCacheFile(path.join(folder, 'cache.sqlite'), now())
  if (inTheWay) warn('store', 'Something was in the way of the local copy', inTheWay)
  const cache = openCache(cacheFile)
  const saveBackup = backups(store.database, deskFile)
  return {
    recovered,
    store,
    deskFile,
    cache,
    cacheFile,
    packages: openPackages(cache),
    /** Where bags lie. */
    bags: path.join(folder, 'bags'),
    /** Saves the desk's data beside; where that fails, the data stays as it is. */
    save: () => saveBackup().catch((error: unknown) => warn('store', 'No backup could be made', error)),
  }
}
