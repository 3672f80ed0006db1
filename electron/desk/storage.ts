import path from 'node:path'
import { backups } from '../store/backups.ts'
import { removeCacheFile } from '../store/cache-file.ts'
import { openCaches } from '../store/caches.ts'
import { openDeskStore } from '../store/desk.ts'
import { recover } from '../store/recover.ts'

interface Parts {
  /** Where everything of this desk lies. */
  folder: string
  now: () => Date
  warn: (room: string, what: string, detail: unknown) => void
}

/** Where something has files of archives open. */
interface Holder {
  letGo: (archive: string) => Promise<void>
}

/** Until 0.1 all archives had one file; what was in it is read anew. */
const formerCache = 'cache.sqlite'

/**
 * Opens what the desk keeps: its own data, recovered where the file was damaged, and the local copies of archives.
 * @throws Failed disk where there is no room to recover
 */
export const openStorage = ({ folder, now, warn }: Parts) => {
  const deskFile = path.join(folder, 'desk.sqlite')
  const recovered = recover(deskFile, now())
  if (recovered) warn('store', 'The desk was damaged or gone', recovered)
  const store = openDeskStore(deskFile, now)
  try {
    removeCacheFile(path.join(folder, formerCache))
  } catch (error) {
    warn('store', 'The local copy of an earlier version could not be removed', error)
  }
  const caches = openCaches({
    folder,
    now,
    inTheWay: (archive, what) =>
      warn('store', 'Something was in the way of the local copy', { archive, ...what }),
  })
  const saveBackup = backups(store.database, deskFile)
  return {
    recovered,
    store,
    deskFile,
    cacheOf: caches.cacheOf,
    fileOf: caches.fileOf,
    /**
     * Deletes what is held of an archive; what the desk itself keeps of it stays.
     * @param readers who reads it in another thread
     * @param writer who writes it
     * @throws Failed disk where the file cannot be removed
     */
    forget: (archive: string, readers: Holder, writer: Holder): Promise<void> =>
      caches.forget(archive, async () => {
        await readers.letGo(archive)
        await writer.letGo(archive)
      }),
    /** Where bags lie. */
    bags: path.join(folder, 'bags'),
    /** Saves the desk's data beside; where that fails, the data stays as it is. */
    save: () => saveBackup().catch((error: unknown) => warn('store', 'No backup could be made', error)),
  }
}
