import { entryIn } from '../../common/records.ts'
import { ContainerError, type EntryNote } from './container-error.ts'
import { tarName } from './entry-names.ts'
import type { FoundEntry } from './found-entry.ts'
import { block, paxRecords, tarHeader, type TarHeader } from './tar-header.ts'
import { windowOn, type ReadAt } from './window.ts'

const windowBytes = 64 * 1024
const longestRecord = 1024 * 1024
const kinds: Record<string, FoundEntry['kind']> = { '0': 'file', '\0': 'file', '7': 'file', '5': 'folder' }
/** What an extended header for all that follows may say; programs differ in whether they apply the rest. */
const globalKeys = new Set(['comment', 'mtime', 'atime', 'ctime', 'uid', 'gid', 'uname', 'gname'])
/**
 * What an extended header may say of a file or folder: its name and length (POSIX pax), and what programs
 * keep beside its content (tar(5) of libarchive). Whatever else stands there may make another content of the
 * same bytes, in the one program that knows it.
 */
const entryKeys = new Set([
  ...globalKeys,
  'path',
  'size',
  'LIBARCHIVE.creationtime',
  'RHT.security.selinux',
  'SCHILY.acl.access',
  'SCHILY.acl.ace',
  'SCHILY.acl.default',
  'SCHILY.dev',
  'SCHILY.fflags',
  'SCHILY.ino',
  'SCHILY.nlink',
])
/** Extended attributes of a file, by their names. */
const isAttribute = (key: string) => key.startsWith('SCHILY.xattr.') || key.startsWith('LIBARCHIVE.xattr.')
const isEntryKey = (key: string) => entryKeys.has(key) || isAttribute(key)

/** What came before an entry and speaks of it. */
interface Extension {
  pax: Map<string, Buffer> | undefined
  longName: Buffer | undefined
  longLink: boolean
  isDoubtful: boolean
  /** Whether there is any, one for all that follow among them. */
  isBegun: boolean
}
const noExtension = (): Extension => ({
  pax: undefined,
  longName: undefined,
  longLink: false,
  isDoubtful: false,
  isBegun: false,
})

const isEmpty = (bytes: Buffer) => bytes.every((byte) => byte === 0)

const digits = (value: Buffer, position: number) => {
  const text = value.toString('latin1')
  const bytes = /^\d{1,16}$/.test(text) ? Number(text) : NaN
  if (!Number.isSafeInteger(bytes)) throw new ContainerError('archive-damaged', position)
  return bytes
}

/** Takes what an extended header says of the next entry; one header of a kind is enough for that. */
const extend = (extension: Extension, type: string, inside: Buffer, position: number) => {
  extension.isBegun = true
  if (type === 'g' || type === 'x') {
    const { records, isDoubtful } = paxRecords(inside, position)
    const mayStand = type === 'x' ? isEntryKey : (key: string) => globalKeys.has(key)
    const isOther = [...records.keys()].some((key) => !mayStand(key))
    extension.isDoubtful ||= isDoubtful || isOther || (type === 'x' && extension.pax !== undefined)
    if (type === 'x') extension.pax = records
    return
  }
  const end = inside.indexOf(0)
  extension.isDoubtful ||= end < 0 || !isEmpty(inside.subarray(end))
  if (type === 'K') {
    extension.isDoubtful ||= extension.longLink
    extension.longLink = true
    return
  }
  extension.isDoubtful ||= extension.longName !== undefined
  extension.longName = Buffer.from(inside.subarray(0, end < 0 ? inside.length : end))
}

const entryOf = (header: TarHeader, bytes: number, position: number, extension: Extension): FoundEntry => {
  const path = extension.pax?.get('path')
  const names = [path, extension.longName]
  // Some programs take an empty name for none and go on to that of the header, others do not.
  const hasEmptyName = names.some((name) => name?.length === 0)
  const { name, trouble, notes } = tarName(names.find((name) => name && name.length > 0) ?? header.name)
  // Before POSIX a folder was a file whose name ends with a slash.
  const isOldFolder = header.type === '\0' && name.endsWith('/')
  const kind = isOldFolder ? 'folder' : (entryIn(kinds, header.type) ?? 'other')
  const isDoubtful =
    header.isDoubtful ||
    extension.isDoubtful ||
    extension.longLink ||
    hasEmptyName ||
    (path !== undefined && (extension.longName !== undefined || path.includes(0))) ||
    (kind === 'folder' ? bytes > 0 : name.endsWith('/'))
  const note: EntryNote[] =
    isDoubtful && kind !== 'other' ? [{ level: 'error', code: 'entry-doubtful', detail: name }] : []
  return {
    name: kind === 'folder' ? name.replace(/\/$/, '') : name,
    kind,
    bytes,
    stored: bytes,
    position,
    isStored: true,
    modifiedMs: header.modifiedMs,
    ...(trouble ? { trouble } : {}),
    ...(notes.length + note.length > 0 ? { notes: [...notes, ...note] } : {}),
  }
}

/** Behind the empty block that ends a tar there is nothing. */
const ensureEmpty = (read: ReadAt, from: number, size: number) => {
  for (let position = from; position < size; position += windowBytes)
    if (!isEmpty(read(position, Math.min(windowBytes, size - position))))
      throw new ContainerError('archive-gap', position)
}

/**
 * Walks the entries of a tar: ustar, pax and GNU's long names. Nothing is unpacked; content is skipped, what
 * fills the last block of a file must be empty.
 * @param size bytes of the tar
 * @param start where in the file it begins; positions of entries count from there
 * @throws ContainerError with the position of what cannot be read
 */
export function* tarEntries(handle: number, size: number, start = 0): Generator<FoundEntry> {
  // A tar is made of whole blocks; one that is not was cut or grew.
  if (size % block !== 0) throw new ContainerError('archive-cut', size)
  const read = windowOn(handle, size, windowBytes, start)
  let extension = noExtension()
  for (let position = 0; position < size;) {
    const bytesOfHeader = read(position, block)
    if (isEmpty(bytesOfHeader)) {
      if (extension.isBegun) throw new ContainerError('archive-cut', position)
      ensureEmpty(read, position, size)
      return
    }
    const header = tarHeader(bytesOfHeader, position)
    const isExtension = 'xgLK'.includes(header.type)
    const paxSize = isExtension ? undefined : extension.pax?.get('size')
    const bytes = paxSize === undefined ? header.bytes : digits(paxSize, position)
    const content = position + block
    const end = content + bytes
    const padding = (block - (bytes % block)) % block
    if (end + padding > size) throw new ContainerError('archive-cut', size)
    if (isExtension) {
      if (bytes > longestRecord) throw new ContainerError('archive-damaged', position)
      extend(extension, header.type, read(content, bytes), position)
    } else {
      yield entryOf(header, bytes, content, extension)
      extension = noExtension()
    }
    if (padding > 0 && !isEmpty(read(end, padding))) throw new ContainerError('archive-gap', end)
    position = end + padding
  }
  throw new ContainerError('archive-cut', size)
}
