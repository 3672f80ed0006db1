import path from 'node:path'
import type { Dialect } from '../dialects/dialect.ts'
import type { Dialects } from '../dialects/dialects.ts'
import { packagesIn } from '../packaging/packages.ts'
import { backups } from '../store/desk/backups.ts'
import { removeCacheFile } from '../store/cache/cache-file.ts'
import { openCaches } from '../store/cache/caches.ts'
import { openDeskStore } from '../store/desk/desk-store.ts'
import { markIfCopied, recover } from '../store/desk/recover.ts'
import { openThumbnails } from '../store/thumbnails.ts'
import type { Thread } from '../sync/thread.ts'

interface Parts {
  /** Where everything of this desk lies. */
  folder: string
  /** What archives may speak. */
  dialects: Dialects
  now: () => Date
  warn: (source: string, message: string, detail: unknown) => void
}

/** Where something has files of archives open. */
interface Holder {
  release: (archive: string) => Promise<void>
}

/** Until 0.1 all archives had one file; what was in it is read anew. */
const formerCache = 'cache.sqlite'

export type DeskData = ReturnType<typeof openDeskData>

/**
 * Opens what the desk keeps: its own data, recovered where the file was damaged, and the local copies of
 * archives.
 * @throws Failed disk where there is no space to recover
 */
export const openDeskData = ({ folder, dialects, now, warn }: Parts) => {
  const deskFile = path.join(folder, 'desk.sqlite')
  const recovered = recover(deskFile, now())
  if (recovered) warn('store', 'The desk was damaged or gone', recovered)
  const store = openDeskStore(deskFile, now)
  if (markIfCopied(store, deskFile)) warn('store', 'The desk is another file than it was', { file: deskFile })
  try {
    removeCacheFile(path.join(folder, formerCache))
  } catch (error) {
    warn('store', 'The local copy of an earlier version could not be removed', error)
  }
  const dialectOf = (archive: string): Dialect =>
    dialects.named(store.archives().find(({ id }) => id === archive)?.dialect)
  const caches = openCaches({
    folder,
    now,
    dialectOf,
    inTheWay: (archive, what) =>
      warn('store', 'Something was in the way of the local copy', { archive, ...what }),
  })
  const thumbnails = openThumbnails(path.join(folder, 'thumbnails.sqlite'))
  const saveBackup = backups(store.database, deskFile)
  return {
    recovered,
    store,
    deskFile,
    cacheOf: caches.cacheOf,
    thumbnails,
    dialects,
    /** What an archive speaks, also one that nobody is signed in to. */
    dialectOf,
    fileOf: caches.fileOf,
    fileToRead: caches.fileToRead,
    /**
     * Sees to that what is held of an archive is as a dialect reads it, before anybody reads it.
     * @throws Failed disk where there is no space for it
     */
    prepare: (archive: string, dialect: Dialect, thread: Pick<Thread, 'open'>): Promise<void> =>
      caches.prepare(archive, dialect, () => thread.open(archive, dialect)),
    /**
     * Deletes what is held of an archive; what the desk itself keeps of it stays.
     * @param readers who reads it in another thread
     * @param writer who writes it
     * @throws Failed disk where the file cannot be removed
     */
    forget: (archive: string, readers: Holder, writer: Holder): Promise<void> =>
      caches.forget(archive, async () => {
        await readers.release(archive)
        await writer.release(archive)
        thumbnails.forget(archive)
      }),
    /** Closes the local copies that main reads, and the thumbnails. */
    closeCopies: () => {
      caches.close()
      thumbnails.close()
    },
    /** Where packages lie. */
    packagesFolder: packagesIn(folder),
    /** Saves the desk's data beside; where that fails, the data stays as it is. */
    save: () => saveBackup().catch((error: unknown) => warn('store', 'No backup could be made', error)),
  }
}
