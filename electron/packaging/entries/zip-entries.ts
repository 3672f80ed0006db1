import { ContainerError, type EntryNote } from './container-error.ts'
import { unicodePath, zipName } from './entry-names.ts'
import type { FoundEntry } from './found-entry.ts'
import { mostNames, TooManyNames } from './name-table.ts'
import { windowOn, type ReadAt } from './window.ts'
import {
  centralHeader,
  directoryOf,
  knownVersion,
  localHeader,
  placeOf,
  type CentralHeader,
  type Header,
} from './zip-directory.ts'

const windowBytes = 64 * 1024
const shortestHeader = 46

const isStoredMethod = 0
const isDeflatedMethod = 8
const flag = {
  encrypted: 0x0001,
  described: 0x0008,
  patched: 0x0020,
  strong: 0x0040,
  utf8: 0x0800,
  masked: 0x2000,
}
/**
 * Type of a file in the upper half of the attributes, as Unix has it, and attributes of MS-DOS in the lower.
 */
const unix = { type: 0o170000, file: 0o100000, folder: 0o040000 }
const dos = { label: 0x08, folder: 0x10 }
const unicodePathField = 0x7075
/**
 * libarchive's experimental field, which says again what an entry is: it alone makes a link of a file where
 * the field says so.
 */
const attributesField = 0x6c78
/**
 * A folder has no content, but some compress this nothing (RFC 1951: a last block with fixed codes that ends
 * at once).
 */
const compressedNothing = Buffer.from([0x03, 0x00])

/** Where local headers begin, from the first to the last; the next one ends what an entry may use. */
const beginningsOf = (read: ReadAt, directory: { position: number; end: number; entries: number }) => {
  if (directory.entries * shortestHeader > directory.end - directory.position)
    throw new ContainerError('archive-damaged', directory.position)
  if (directory.entries > mostNames) throw new TooManyNames()
  const beginnings = new Float64Array(directory.entries)
  let position = directory.position
  for (let index = 0; index < directory.entries; index += 1) {
    const place = placeOf(read, position, directory.end)
    beginnings[index] = place.position
    position += place.length
  }
  if (position !== directory.end) throw new ContainerError('archive-damaged', position)
  return beginnings.sort()
}

/** The first number of a sorted list that is larger. */
const after = (sorted: Float64Array, value: number): number => {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((sorted[middle] ?? Infinity) <= value) from = middle + 1
    else to = middle
  }
  return from
}

/**
 * The lengths that a description behind the content may have: with or without its mark, of four or eight
 * bytes a number (APPNOTE.TXT 4.3.9).
 */
const descriptions = [
  { length: 16, mark: 4, isLong: false },
  { length: 12, mark: 0, isLong: false },
  { length: 24, mark: 4, isLong: true },
  { length: 20, mark: 0, isLong: true },
]

/** Whether the bytes behind the content describe it, and are all that lies there. */
const isDescribed = (
  read: ReadAt,
  position: number,
  length: number,
  { crc, stored, bytes }: Header,
): boolean => {
  const form = descriptions.find((known) => known.length === length)
  if (!form) return false
  const found = read(position, length)
  const number = (index: number) =>
    form.isLong
      ? Number(found.readBigUInt64LE(form.mark + 4 + index * 8))
      : found.readUInt32LE(form.mark + 4 + index * 4)
  return (
    (form.mark === 0 || found.readUInt32LE(0) === 0x08074b50) &&
    found.readUInt32LE(form.mark) === crc &&
    number(0) === stored &&
    number(1) === bytes
  )
}

/** The name that a header gives, with that of its field where it has one. */
const nameOf = ({ name, extra }: Header) => unicodePath(name, extra?.get(unicodePathField)) ?? name

/**
 * Whether both headers of an entry say the same. What was not known when the local one was written is 0
 * there, and follows the content.
 */
const agree = (central: CentralHeader, local: Header): boolean => {
  const isDescribedLater = (central.flags & flag.described) !== 0
  const same = (value: number, other: number) => value === other || (isDescribedLater && other === 0)
  return (
    central.flags === local.flags &&
    central.method === local.method &&
    central.name.equals(local.name) &&
    nameOf(central).equals(nameOf(local)) &&
    same(central.crc, local.crc) &&
    // In a stream the places of the lengths may be full although nothing is in the field of zip64.
    (same(central.stored, local.stored) || (isDescribedLater && local.isShort)) &&
    (same(central.bytes, local.bytes) || (isDescribedLater && local.isShort)) &&
    (isDescribedLater || !local.isShort)
  )
}

/**
 * How an entry fills the place between its local header and the next: where its content begins, and what is
 * wrong.
 */
const laidOut = (
  read: ReadAt,
  central: CentralHeader,
  next: number,
): { position: number; notes: { code: EntryNote['code']; detail?: string }[]; isSound: boolean } => {
  const local = localHeader(read, central.position, next)
  if (!local) return { position: 0, notes: [{ code: 'entry-overlap' }], isSound: false }
  const position = central.position + local.length
  const end = position + central.stored
  const notes: { code: EntryNote['code']; detail?: string }[] = []
  if (!central.extra || !local.extra || central.isShort || !agree(central, local))
    notes.push({ code: 'entry-differs' })
  if (central.extra?.has(attributesField) || local.extra?.has(attributesField))
    notes.push({ code: 'entry-doubtful' })
  if (end > next) return { position, notes: [...notes, { code: 'entry-overlap' }], isSound: false }
  const rest = next - end
  const isDescribedLater = (central.flags & flag.described) !== 0
  if (isDescribedLater ? !isDescribed(read, end, rest, central) : rest !== 0)
    notes.push(isDescribedLater ? { code: 'entry-differs' } : { code: 'archive-gap', detail: String(end) })
  return { position, notes, isSound: true }
}

/** Why an entry cannot be read at all; undefined where it can. */
const methodTrouble = ({ flags, method, needed }: Header): string | undefined => {
  if ((flags & (flag.encrypted | flag.strong | flag.masked)) !== 0) return 'encrypted'
  if ((flags & flag.patched) !== 0) return 'patched'
  if (method !== isStoredMethod && method !== isDeflatedMethod) return `method ${method}`
  return needed > knownVersion ? `version ${needed / 10}` : undefined
}

/** What an entry is: by the end of its name, and nothing that it says of itself may speak against it. */
const kindOf = (name: string, { attributes, bytes, stored, method, crc }: CentralHeader) => {
  const type = (attributes >>> 16) & unix.type
  const isFolder = name.endsWith('/')
  if (type !== 0 && type !== unix.file && type !== unix.folder)
    return { kind: 'other' as const, isDoubtful: false }
  const saysFolder = (attributes & dos.folder) !== 0 || type === unix.folder
  const isDoubtful =
    (attributes & dos.label) !== 0 ||
    (isFolder ? bytes > 0 || crc > 0 || (stored > 0 && method === isStoredMethod) : saysFolder)
  return { kind: isFolder ? ('folder' as const) : ('file' as const), isDoubtful }
}

const isNothing = (read: ReadAt, position: number, length: number) =>
  length === compressedNothing.length && read(position, length).equals(compressedNothing)

const entryOf = (read: ReadAt, central: CentralHeader, next: number, isTwice: boolean): FoundEntry => {
  const isMarked = (central.flags & flag.utf8) !== 0
  const { name, trouble, notes } = zipName(central.name, isMarked, central.extra?.get(unicodePathField))
  const note = (code: EntryNote['code'], detail = name) => notes.push({ level: 'error', code, detail })
  const { kind, isDoubtful } = kindOf(name, central)
  const place = laidOut(read, central, next)
  for (const found of place.notes) note(found.code, found.detail)
  if (isTwice) note('entry-overlap')
  if (central.disk !== 0) note('archive-parts', String(central.position))
  if (isDoubtful) note('entry-doubtful')
  const unread = methodTrouble(central)
  if (unread !== undefined) note('entry-method', `${name}: ${unread}`)
  else if (central.method === isStoredMethod && central.stored !== central.bytes) note('entry-differs')
  else if (kind === 'folder' && central.stored > 0 && !isNothing(read, place.position, central.stored))
    note('entry-damaged')
  const isReadable = place.isSound && unread === undefined && !isTwice
  return {
    name: kind === 'folder' ? name.slice(0, -1) : name,
    kind,
    bytes: central.bytes,
    stored: central.stored,
    position: isReadable ? place.position : -1,
    isStored: central.method === isStoredMethod,
    crc: central.crc,
    modifiedMs: central.modifiedMs,
    ...(trouble ? { trouble } : {}),
    ...(notes.length > 0 ? { notes } : {}),
  }
}

/**
 * Walks the entries of a zip as its directory lists them; nothing is unpacked. Every byte of the file must
 * belong to one entry or to the directory, and both headers of an entry must say the same: what is left open
 * there, programs read differently.
 * @param size bytes of the zip
 * @param start where in the file it begins; positions of entries count from there
 * @throws ContainerError where the directory cannot be read to its end
 * @throws TooManyNames
 */
export function* zipEntries(handle: number, size: number, start = 0): Generator<FoundEntry> {
  const directory = directoryOf(handle, size, start)
  const readDirectory = windowOn(handle, directory.end, windowBytes, start)
  const readLocal = windowOn(handle, directory.position, windowBytes, start)
  const beginnings = beginningsOf(readDirectory, directory)
  if (directory.position > 0 && beginnings[0] !== 0) throw new ContainerError('archive-gap', 0)
  let position = directory.position
  for (let index = 0; index < directory.entries; index += 1) {
    const central = centralHeader(readDirectory, position, directory.end)
    position += central.length
    const following = after(beginnings, central.position)
    const next = beginnings[following] ?? directory.position
    yield entryOf(readLocal, central, next, beginnings[following - 2] === central.position)
  }
}
