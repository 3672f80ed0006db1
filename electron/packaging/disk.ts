import { readFileSync, statSync } from 'node:fs'
import { mkdir, readFile, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import filenamify from 'filenamify'
import { entryIn } from '../common/records.ts'
import { diskTroubleOf, Failed, type DiskTrouble } from '../contract/failure.ts'
import { codeOf } from '../common/errors.ts'

const troubles: Record<string, DiskTrouble> = {
  EFBIG: 'full',
  EACCES: 'not-allowed',
  EPERM: 'not-allowed',
  ENOENT: 'gone',
  ENODEV: 'gone',
  EIO: 'gone',
}

/** What went wrong with a file that we write, as a failure that names it. */
export const diskFailure = (error: unknown, file: string): Failed =>
  error instanceof Failed
    ? error
    : new Failed(
        {
          kind: 'disk',
          trouble: diskTroubleOf(error) ?? entryIn(troubles, codeOf(error)) ?? 'other',
          path: file,
        },
        { cause: error },
      )

/** Wraps work on our own files, so that its errors name the place. */
export const onDisk = async <T>(file: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error
    throw diskFailure(error, file)
  }
}

const mostChosenBytes = 16 * 1024 * 1024

/**
 * Reads a file that a person chose, as one piece.
 * @param refuse gives what is thrown where it is too long, by how long it is
 * @throws Failed disk where it cannot be read, or is no file
 */
export const readChosen = (
  file: string,
  refuse: (why: string) => Failed,
  mostBytes = mostChosenBytes,
): Promise<Buffer> =>
  onDisk(file, async () => {
    const found = await stat(file)
    if (!found.isFile()) throw new Failed({ kind: 'disk', trouble: 'other', path: file })
    if (found.size > mostBytes) throw refuse(`${found.size} bytes; at most ${mostBytes} are read`)
    return readFile(file)
  })

/**
 * Makes a folder and those above it that are missing, one by one: Node's own way never ends where a system
 * has no folders to make (below /proc).
 */
export const makeFolders = async (folder: string): Promise<void> => {
  const missing: string[] = []
  const isThere = (file: string) =>
    stat(file).then(
      () => true,
      () => false,
    )
  for (let current = path.resolve(folder); !(await isThere(current)); current = path.dirname(current))
    missing.unshift(current)
  for (const parent of missing)
    await mkdir(parent).catch((error: unknown) => {
      // Somebody else may have made it meanwhile.
      if (codeOf(error) !== 'EEXIST') throw error
    })
}

/** What is left free on any disk, so that the computer goes on working. */
export const spareBytes = 64 * 1024 * 1024

/** Bytes that may be written below a folder, so that the computer goes on working. */
export const spaceIn = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await onDisk(folder, () => statfs(folder))
  return Math.max(0, bavail * bsize - spareBytes)
}

/** Refuses work that the disk has no space for, before it begins. */
export const ensureSpace = async (folder: string, bytes: number) => {
  if ((await spaceIn(folder)) < bytes)
    throw new Failed({ kind: 'disk', trouble: 'full', path: path.resolve(folder) })
}

/**
 * A time of change as the functions of Node take it: numbers below zero (before 1970) they take for now,
 * dates they do not.
 */
export const fileTime = (ms: number): number | Date => (ms < 0 ? new Date(ms) : ms / 1000)

/** What tells one run of the computer from the next (Linux); empty where nothing does. */
export const bootId = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

/**
 * Whether what a program wrote is there although it was killed: so it is on the computer's own disk while the
 * computer runs, not on a drive that may have been pulled out.
 */
export const outlivesKill = (file: string, boot: string): boolean => {
  try {
    return boot !== '' && boot === bootId() && statSync(file).dev === statSync('/').dev
  } catch {
    return false
  }
}

const mostNameBytes = 200
const mostExtensionBytes = 20

/** The beginning of a text that takes at most so many bytes in UTF-8; no letter is cut in two. */
const beginningOf = (text: string, mostBytes: number) => {
  let beginning = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (Buffer.byteLength(beginning + segment) > mostBytes) break
    beginning += segment
  }
  return beginning
}

/**
 * A name that every file system takes and every program shows as it is: no separators, control or formatting
 * characters (which turn `gpj.exe` around), no names of devices, at most 200 bytes of UTF-8 with the
 * extension kept.
 */
export const asFileName = (name: string) => {
  const { name: stem, ext } = path.parse(filenamify(name, { replacement: '-', maxLength: 10_000 }))
  const isExtension = Buffer.byteLength(ext) <= mostExtensionBytes
  const extension = isExtension ? ext : ''
  const beginning = beginningOf(isExtension ? stem : stem + ext, mostNameBytes - Buffer.byteLength(extension))
  return `${beginning.trimEnd()}${extension}`
}
