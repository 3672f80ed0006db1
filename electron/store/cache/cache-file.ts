import { existsSync, lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { diskTroubleOf, Failed } from '../../contract/failure.ts'
import { isOfEarlierVersion, openCacheFile } from './cache.ts'
import { messageOf, sqliteCodeOf } from '../../common/errors.ts'
import { connect } from '../open-database.ts'

const suffixes = ['', '-wal', '-shm', '-journal']
const aside = '.set-aside-'

const foundDamaged = (file: string) => `${file}.damaged`

/** SQLITE_CORRUPT, SQLITE_NOTADB; what lies in a damaged page may still be a row, of text that is none. */
const isOfDamage = (error: unknown) =>
  [11, 26].includes(sqliteCodeOf(error) & 0xff) || messageOf(error).includes('malformed')

/** Remembers that a file was found damaged while it was used, so that the next start sets it aside. */
export const noteDamage = (file: string, error: unknown) => {
  if (!isOfDamage(error)) return
  try {
    writeFileSync(foundDamaged(file), '')
  } catch {
    // It is found again when it is used again.
  }
}

/** Why a file cannot be the local copy; undefined where it can be opened and written. */
const troubleOf = (file: string): unknown => {
  if (existsSync(foundDamaged(file))) return new Error('It was found damaged while it was used.')
  try {
    const database = isOfEarlierVersion(file) ? connect(file) : openCacheFile(file)
    try {
      // What is open for reading alone shows it when something is to be written.
      database.exec('delete from refreshed where false')
    } finally {
      database.close()
    }
    return undefined
  } catch (error) {
    return error
  }
}

const stands = (file: string) => lstatSync(file, { throwIfNoEntry: false })

/** Puts whatever has this name, with what SQLite keeps beside it, under another one. */
const setAside = (file: string, now: Date): string => {
  const name = `${file}${aside}${now.toISOString().replace(/[:.]/g, '-')}`
  for (const end of suffixes) if (stands(file + end)) renameSync(file + end, name + end)
  rmSync(foundDamaged(file), { force: true })
  return name
}

const remove = (file: string) => {
  for (const end of suffixes) if (stands(file + end)?.isFile()) rmSync(file + end, { force: true })
}

const otherName = (file: string) => file.replace(/(\.\w+)?$/, '-2$1')

/**
 * Takes a local copy away that nobody has open, with what was set aside of it; what is no file is somebody's
 * and stays.
 * @throws Failed disk where it cannot be removed
 */
export const removeCacheFile = (file: string) => {
  const folder = path.dirname(file)
  if (!stands(folder)?.isDirectory()) return
  try {
    remove(file)
    remove(otherName(file))
    rmSync(foundDamaged(file), { force: true })
    forgetOlder(file)
  } catch (error) {
    throw new Failed({ kind: 'disk', trouble: diskTroubleOf(error) ?? 'other', path: file }, { cause: error })
  }
}

/** The same once an earlier file of this name is gone. */
const afresh = (file: string): unknown => {
  try {
    remove(file)
    return troubleOf(file)
  } catch (error) {
    return error
  }
}

/** Of local copies that were set aside the last one is enough; what else was in the way is somebody's. */
const forgetOlder = (file: string, last?: string) => {
  const folder = path.dirname(file)
  for (const name of readdirSync(folder)) {
    const found = path.join(folder, name)
    if (!found.startsWith(file + aside) || (last !== undefined && found.startsWith(last))) continue
    if (stands(found)?.isFile()) rmSync(found, { force: true })
  }
}

/** What stood in the way of the local copy. */
export interface InTheWay {
  file: string
  /** Its new name; null where it could not be moved, and another file is used. */
  setAside: string | null
  why: unknown
}

/**
 * Finds a file that the local copy can be kept in. It may be made anew at any time, so that nothing in its
 * place ends the start: a folder, a file that cannot be read or written, is damaged, was written by a newer
 * version or is held by another program is set aside. Where that is refused as well (Windows moves no file
 * that is in use), another name does for this time.
 * @throws Failed where the disk is full, or takes no file of ours at all
 */
export const findCacheFile = (file: string, now: Date): { file: string; inTheWay: InTheWay | undefined } => {
  const other = otherName(file)
  const why = troubleOf(file)
  if (why === undefined) {
    remove(other)
    return { file, inTheWay: undefined }
  }
  if (diskTroubleOf(why) === 'full') throw new Failed({ kind: 'disk', trouble: 'full', path: file })
  try {
    const moved = setAside(file, now)
    forgetOlder(file, moved)
    if (troubleOf(file) === undefined) return { file, inTheWay: { file, setAside: moved, why } }
  } catch {
    // What cannot be moved stays where it is.
  }
  const still = troubleOf(other) === undefined ? undefined : afresh(other)
  if (still === undefined) return { file: other, inTheWay: { file, setAside: null, why } }
  throw new Failed({ kind: 'disk', trouble: diskTroubleOf(still) ?? 'other', path: file }, { cause: still })
}
