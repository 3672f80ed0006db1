import { createReadStream, createWriteStream, lstatSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar-stream'
import yauzl, { type Entry } from 'yauzl'
import { entryIn } from '../common/records.ts'
import { zipName } from '../packaging/entries/entry-names.ts'
import type { PackageFormat } from '../packaging/format.ts'
import { InvalidPackage } from './payload.ts'
import type { CheckedPackage, StrictCheck } from './strict-check.ts'
import { ensureSpace } from './disk-space.ts'
import { isSystemError } from './system-error.ts'
import { messageOf } from '../common/errors.ts'

/** Where an entry goes, or a refusal when its name would lead out of the folder. */
const inside = (folder: string, name: string) => {
  const parts = name.replace(/\/$/, '').split('/')
  if (name.startsWith('/') || name.includes('\\') || parts.some((part) => part === '..' || part === '~'))
    throw new InvalidPackage(`The entry “${name}” points outside the package.`)
  return path.join(folder, ...parts.filter((part) => part !== '' && part !== '.'))
}

/** What the names of entries cannot be, by what the file system says of them. */
const troubleOfNames: Record<string, string> = {
  EEXIST: 'is there twice',
  EISDIR: 'is a file and a folder',
  ENOTDIR: 'is a file and a folder',
  ENAMETOOLONG: 'has a name that is too long for this computer',
  EINVAL: 'has a name that this computer does not take',
  EILSEQ: 'has a name that this computer does not take',
}

/** What is wrong with the archive file; a trouble of the computer is no word on it, and goes on as it is. */
const verdict = (kind: string, error: unknown): Error => {
  if (error instanceof InvalidPackage || isSystemError(error)) return error
  return new InvalidPackage(`The ${kind} cannot be read: ${messageOf(error)}`)
}

const write = async (name: string, writing: () => Promise<unknown>) => {
  try {
    await writing()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const trouble = entryIn(troubleOfNames, code)
    if (trouble !== undefined) throw new InvalidPackage(`The entry “${name}” ${trouble}.`)
    throw error
  }
}

const makeFolder = (name: string, target: string) => write(name, () => mkdir(target, { recursive: true }))

const keep = (name: string, source: Readable, target: string) =>
  write(name, async () => {
    await mkdir(path.dirname(target), { recursive: true })
    await pipeline(source, createWriteStream(target, { flags: 'wx' }))
  })

const unpackTar = async (file: string, folder: string) => {
  ensureSpace([{ folder, bytes: (await stat(file)).size }], 'to unpack it')
  const entries = extract()
  const reading = pipeline(createReadStream(file), entries)
  // Whatever stops the unpacking also stops the reading; the first reason is the one that counts.
  reading.catch(() => undefined)
  try {
    for await (const entry of entries) {
      const { name, type } = entry.header
      const target = inside(folder, name)
      if (type === 'directory') {
        await makeFolder(name, target)
        entry.resume()
      } else if (type === 'file' || type === 'contiguous-file') await keep(name, Readable.from(entry), target)
      else throw new InvalidPackage(`The entry “${name}” is a ${type}; only files and folders are accepted.`)
    }
    await reading
  } catch (error) {
    throw verdict('tar', error)
  }
}

const openZip = (file: string) =>
  yauzl
    .openPromise(file, { lazyEntries: true, decodeStrings: false, validateEntrySizes: true })
    .catch((error: unknown) => {
      throw verdict('zip', error)
    })

/** How many bytes a zip says that it unpacks to; no entry gives more than it says. */
const unpackedSize = async (file: string) => {
  const zip = await openZip(file)
  let bytes = 0
  try {
    for await (const { uncompressedSize } of zip.eachEntry()) bytes += uncompressedSize
    return bytes
  } catch (error) {
    throw verdict('zip', error)
  } finally {
    zip.close()
  }
}

const marksUtf8 = 0x0800
const unicodePathField = 0x7075

/** The name as the check reads it; the names that many programs write are not what yauzl makes of them. */
const nameOf = ({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry) =>
  zipName(
    fileNameRaw,
    (generalPurposeBitFlag & marksUtf8) !== 0,
    extraFields.find(({ id }) => id === unicodePathField)?.data,
  ).name

const unpackZip = async (file: string, folder: string) => {
  ensureSpace([{ folder, bytes: await unpackedSize(file) }], 'to unpack it')
  const zip = await openZip(file)
  try {
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry)
      const target = inside(folder, name)
      const isLink = ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000
      if (isLink)
        throw new InvalidPackage(`The entry “${name}” is a link; only files and folders are accepted.`)
      if (name.endsWith('/')) await makeFolder(name, target)
      else await keep(name, await zip.openReadStreamPromise(entry), target)
    }
  } catch (error) {
    throw verdict('zip', error)
  } finally {
    zip.close()
  }
}

/** Unpacks a tar or zip into `scratch`; gives the folder that holds the package. */
const unpack = async (
  form: 'tar' | 'zip',
  received: string,
  { isPackage }: PackageFormat,
  scratch: string,
): Promise<string> => {
  await rm(scratch, { recursive: true, force: true })
  await mkdir(scratch, { recursive: true })
  await (form === 'tar' ? unpackTar : unpackZip)(received, scratch)
  const top = await readdir(scratch)
  const [only] = top
  if (isPackage(top) || top.length !== 1 || only === undefined) return scratch
  return path.join(scratch, only)
}

/**
 * Checks what was unpacked again: what this computer made of the entries may differ from what the check read
 * of them.
 */
const checkUnpacked = async (folder: string, check: StrictCheck) => {
  try {
    await check(folder)
  } catch (error) {
    if (!(error instanceof InvalidPackage)) throw error
    throw new Error(`It is valid, but could not be unpacked as it is: ${error.message}`, { cause: error })
  }
}

/** A valid package, and the folder that holds it. */
export interface OpenedPackage {
  folder: string
  /** Taken before it was checked: whoever still writes to it changes it. */
  fingerprint: string
  checked: CheckedPackage
}

/**
 * Opens the package that was received: as it is, or what a tar or zip unpacks to in `scratch`. Nothing is
 * unpacked that did not pass the check: other programs would read it differently, or not at all.
 * @param check throws where what was received is not sound
 * @param fingerprintOf says what changes with a folder
 * @returns the folder that holds the package, and what the check says of it
 * @throws InvalidPackage where the file is neither, is damaged, or would write outside its folder; NoSpace
 * before anything is unpacked; Error where a package that is valid became another one when it was unpacked
 */
export const openReceived = async (
  received: string,
  scratch: string,
  check: StrictCheck,
  fingerprintOf: (folder: string) => string | Promise<string>,
): Promise<OpenedPackage> => {
  // A plain call: one that waits for a thread would wait for the syncs of other packages.
  const found = lstatSync(received, { throwIfNoEntry: false })
  if (!found) throw new InvalidPackage('It is no longer there.')
  if (found.isDirectory()) {
    const fingerprint = await fingerprintOf(received)
    return { folder: received, fingerprint, checked: await check(received) }
  }
  if (!found.isFile()) throw new InvalidPackage('This is neither a file nor a folder.')
  const form = /\.(?:tar|zip)$/i.exec(received)?.[0].toLowerCase()
  if (form === undefined)
    throw new InvalidPackage('This is neither a folder nor a file that ends in .tar or .zip.')
  const checked = await check(received)
  const folder = await unpack(form === '.tar' ? 'tar' : 'zip', received, checked.format, scratch)
  const fingerprint = await fingerprintOf(folder)
  await checkUnpacked(folder, check)
  return { folder, fingerprint, checked }
}
