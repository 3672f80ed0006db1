import path from 'node:path'
import { Failed } from '../../contract/failure.ts'
import { findCacheFile, noteDamage, removeCacheFile, type InTheWay } from './cache-file.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { isOfEarlierVersion, openCache, openCacheFile, type Cache } from './cache.ts'
import { holdsFormerRows } from './former-rows.ts'

/** The local copy of an archive. @throws Failed disk where there is none, and none can be made */
export type CacheOf = (archive: string) => Cache

/**
 * An archive's id is the name of its file: what would lead elsewhere, or is one name in two ways, is none.
 */
const nameOf = (archive: string) => {
  if (!/^[a-z0-9]{1,64}$/.test(archive)) throw new Error(`"${archive}" is no id of an archive.`)
  return `${archive}.sqlite`
}

/** Whatever finds a file damaged leaves word of it, so that the next start begins it anew. */
const notingDamage = <Methods extends object>(file: string, methods: Methods): Methods => {
  const noting = Object.entries(methods).map(([name, method]: [string, unknown]) => [
    name,
    typeof method !== 'function'
      ? method
      : (...input: unknown[]): unknown => {
          try {
            return Reflect.apply(method, undefined, input)
          } catch (error) {
            noteDamage(file, error)
            throw error
          }
        },
  ])
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- name by name the same methods
  return Object.fromEntries(noting) as Methods
}

const openNoting = (file: string): Cache => {
  const cache = openCache(file)
  return notingDamage(file, Object.assign(cache, { packages: notingDamage(file, cache.packages) }))
}

/**
 * Where the local copy of an archive lies, in the folder of the desk. Where file names are the same in
 * whatever case, Chromium's "Cache" would be its folder if that were called "cache".
 */
export const cacheFileOf = (folder: string, archive: string) =>
  path.join(folder, 'archive-cache', nameOf(archive))

/** Whether a file holds what another definition read, or an earlier version wrote. */
const isFormer = (file: string, dialect: Dialect): boolean => {
  if (isOfEarlierVersion(file)) return true
  const database = openCacheFile(file)
  try {
    return holdsFormerRows(database, dialect)
  } finally {
    database.close()
  }
}

interface Parts {
  /** Of the desk. */
  folder: string
  now: () => Date
  /** What an archive speaks. */
  dialectOf: (archive: string) => Dialect
  /** Something stood in the way of an archive's file. */
  inTheWay: (archive: string, what: InTheWay) => void
}

/**
 * The local copies of archives, each in a file of its own: it is found, or made, when it is first asked for.
 * Trouble with the file of one archive is that archive's alone.
 */
export const openCaches = ({ folder, now, dialectOf, inTheWay }: Parts) => {
  const files = new Map<string, string>()
  const open = new Map<string, Cache>()
  const forgotten = new Set<string>()
  /** Archives whose rows are as their dialect reads them. */
  const readable = new Set<string>()

  const fileOf = (archive: string): string => {
    if (forgotten.has(archive)) throw new Failed({ kind: 'signed-out' })
    const known = files.get(archive)
    if (known !== undefined) return known
    const found = findCacheFile(cacheFileOf(folder, archive), now())
    if (found.inTheWay) inTheWay(archive, found.inTheWay)
    files.set(archive, found.file)
    return found.file
  }
  const fileToRead = (archive: string): string => {
    const file = fileOf(archive)
    if (readable.has(archive)) return file
    if (isFormer(file, dialectOf(archive))) throw new Failed({ kind: 'disk', trouble: 'held', path: file })
    readable.add(archive)
    return file
  }
  const cacheOf: CacheOf = (archive) => {
    const file = fileToRead(archive)
    const cache = open.get(archive) ?? openNoting(file)
    open.set(archive, cache)
    return cache
  }

  return {
    /**
     * The file of an archive, which can be opened and written. @throws Failed disk where there is none, and
     * none can be made
     */
    fileOf,
    /** The same for whoever reads it. @throws Failed disk also while it holds what another definition read */
    fileToRead,
    cacheOf,
    /**
     * Sees to that what is held of an archive is as a dialect reads it.
     * @param readAnew reads what another definition read anew
     * @throws Failed disk where that cannot be written: nobody reads the copy then
     */
    prepare: async (archive: string, dialect: Dialect, readAnew: () => Promise<unknown>): Promise<void> => {
      if (!isFormer(fileOf(archive), dialect)) return
      readable.delete(archive)
      await readAnew()
      readable.add(archive)
    },
    /**
     * Deletes what is held of an archive. It is asked for nothing meanwhile, and begins anew when it is asked
     * for again.
     * @param release closes the file wherever else it is open, its readers before its writer
     * @throws Failed disk where the file cannot be removed
     */
    forget: async (archive: string, release: () => Promise<void>): Promise<void> => {
      const file = cacheFileOf(folder, archive)
      forgotten.add(archive)
      try {
        open.get(archive)?.close()
        open.delete(archive)
        await release()
        removeCacheFile(file)
        files.delete(archive)
        readable.delete(archive)
      } finally {
        forgotten.delete(archive)
      }
    },
    close: () => {
      for (const cache of open.values()) cache.close()
      open.clear()
    },
  }
}
