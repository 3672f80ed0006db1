import * as v from 'valibot'
import type { FileEntry } from '../../contract/files.ts'
import type { Client } from '../../archive-client/http.ts'
import { inSlices, sortedInSlices } from '../../common/slices.ts'
import { Failed } from '../../contract/failure.ts'
import type { PreservedFile } from '../models.ts'
import * as wire from '../wire.ts'
import { readFileSection } from './mets.ts'

const Entry = v.looseObject({
  name: v.pipe(v.string(), v.minLength(1)),
  type: wire.text,
  size: wire.maybeNumber,
  modified: wire.maybeText,
})

/**
 * So many entries of a folder ESSArch gives at most, and counts no further: those of a preserved package come
 * from its index (Elasticsearch, `max_result_window`).
 */
const mostListed = 10_000

/** Where the bytes of a file are, or what lies in a folder. */
export const pathOf = (packageId: string, path: string) =>
  `information-packages/${encodeURIComponent(packageId)}/files/?${new URLSearchParams({ path }).toString()}`

/** What the archive looks into. */
const container = /\.tar$/i

/** Whether the archive looks into a file of this name. */
export const isContainer = (path: string) => container.test(path)

const toEntry = (entry: unknown): FileEntry | undefined => {
  const read = v.safeParse(Entry, entry)
  if (!read.success) return undefined
  const { name, type, size, modified } = read.output
  const isFolder = type === 'dir'
  return {
    name,
    isFolder,
    isContainer: !isFolder && container.test(name),
    bytes: isFolder && size === 0 ? null : size,
    modified,
  }
}

/** A folder may have a hundred thousand: others are answered while they are read. */
const toEntries = async (told: readonly unknown[]): Promise<FileEntry[]> => {
  const entries: FileEntry[] = []
  await inSlices(told, (one) => {
    const entry = toEntry(one)
    if (entry) entries.push(entry)
  })
  return entries
}

/** A path that leads into a container: the container, and the folder in it; undefined for any other. */
const intoContainer = (path: string) => {
  const parts = path.split('/')
  const at = parts.findIndex((part) => container.test(part))
  return at < 0
    ? undefined
    : { file: parts.slice(0, at + 1).join('/'), folder: parts.slice(at + 1).join('/') }
}

/** The files and folders of one folder, of files that are told with their whole paths. */
const inFolder = async (members: FileEntry[], folder: string): Promise<FileEntry[]> => {
  const found = new Map<string, FileEntry>()
  await inSlices(members, (member) => {
    if (folder !== '' && !member.name.startsWith(`${folder}/`)) return
    const [name = '', ...below] = member.name.slice(folder === '' ? 0 : folder.length + 1).split('/')
    if (name === '' || found.has(name)) return
    const isFolder = below.length > 0
    // The archive does not look into a container that lies in another.
    found.set(name, {
      name,
      isFolder,
      isContainer: false,
      bytes: isFolder ? null : member.bytes,
      modified: isFolder ? null : member.modified,
    })
  })
  return [...found.values()]
}

/** All files in a container, as the archive tells them: flat, by their whole paths. */
export const listMembers = async (
  { list }: Pick<Client, 'list'>,
  packageId: string,
  path: string,
): Promise<FileEntry[]> => {
  const members = await list(`${pathOf(packageId, path)}&expand_container=true`)
  return (await toEntries(members)).filter(({ isFolder }) => !isFolder)
}

/**
 * Shows each file that the METS names which the archive wrote when it preserved a package.
 * @throws Failed server-broke where it is none, or is cut off
 */
export const readPreservedFiles = async (
  { bytes, url }: Pick<Client, 'bytes' | 'url'>,
  packageId: string,
  see: (file: PreservedFile) => void,
  stop?: AbortSignal,
): Promise<void> => {
  const { body } = await bytes(pathOf(packageId, 'mets.xml'), undefined, stop)
  if (await readFileSection(body, see)) return
  const detail = 'unexpected'
  throw new Failed({ kind: 'server-broke', address: url, status: 200, detail, excerpt: 'mets.xml' })
}

/** What lies in a folder, by the METS of the package: of a folder it says no more than that it is there. */
const entriesInMets = async (
  archive: Pick<Client, 'bytes' | 'url'>,
  packageId: string,
  folder: string,
): Promise<FileEntry[]> => {
  const named: FileEntry[] = []
  await readPreservedFiles(archive, packageId, ({ path: name, bytes }) => {
    if (folder === '' || name.startsWith(`${folder}/`))
      named.push({
        name,
        isFolder: false,
        isContainer: false,
        bytes: Number.isNaN(bytes) ? null : bytes,
        modified: null,
      })
  })
  return (await inFolder(named, folder)).map((entry) => ({
    ...entry,
    isContainer: !entry.isFolder && isContainer(entry.name),
  }))
}

/**
 * What lies in a folder; what the archive leaves out of its list is taken from the METS of the package.
 * @throws Failed server-broke where there is none, and the list is not all
 */
const entriesOf = async (
  archive: Pick<Client, 'listed' | 'bytes' | 'url'>,
  packageId: string,
  path: string,
): Promise<FileEntry[]> => {
  const { records, wholeness } = await archive.listed(pathOf(packageId, path))
  const entries = await toEntries(records)
  // One plain array is all there is.
  const isCapped = wholeness.pass !== 0 && wholeness.count === mostListed
  if (wholeness.isSure && !isCapped) return entries
  try {
    const known = new Set(entries.map(({ name }) => name))
    const named = await entriesInMets(archive, packageId, path)
    return [...entries, ...named.filter(({ name }) => !known.has(name))]
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.kind !== 'not-found') throw error
    // A package that is not preserved has none, and is listed from the disk, however much it holds.
    if (!isCapped) return entries
    const [address, detail] = [archive.url, 'cut-off' as const]
    throw new Failed({ kind: 'server-broke', address, status: 200, detail, excerpt: path }, { cause: error })
  }
}

/**
 * What lies in a folder of a package (ESSArch: /api/information-packages/{id}/files/), folders first; also
 * in a tar, which the archive tells as one flat list. What has no name is left out.
 */
export const listFiles = async (
  archive: Pick<Client, 'list' | 'listed' | 'bytes' | 'url'>,
  packageId: string,
  path: string,
): Promise<FileEntry[]> => {
  const into = intoContainer(path)
  const entries = into
    ? await inFolder(
        await toEntries(await archive.list(`${pathOf(packageId, into.file)}&expand_container=true`)),
        into.folder,
      )
    : await entriesOf(archive, packageId, path)
  const collator = new Intl.Collator('sv', { numeric: true })
  return sortedInSlices(
    entries,
    (a, b) => Number(b.isFolder) - Number(a.isFolder) || collator.compare(a.name, b.name),
  )
}
