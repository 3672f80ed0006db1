import { serializationOf } from '../../entries/entries.ts'
import { entryFlag } from '../../entries/entry-index.ts'
import type { FoundEntry } from '../../entries/found-entry.ts'
import { mostNames, nameTable, newNameTable } from '../../entries/name-table.ts'
import type { PackagePlace } from '../../entries/package-files.ts'
import { walkPackage, type WalkListener } from '../../entries/walk-package.ts'
import { notingUnread } from '../../findings.ts'

/** Representations whose folders are looked at; a package with more is checked by its METS alone. */
const mostRepresentations = 10_000
const mostFolders = 1_000
/** However many files lie in the root folder, what describes the package is among those that are known. */
const isDescription = (name: string) => /^(mets|sip|aip|info)\.xml$/i.test(name)

/** What lies in the folder of a representation. */
export interface RepresentationFolder {
  hasMets: boolean
  hasData: boolean
  hasMetadata: boolean
  hasSchemas: boolean
  hasDocumentation: boolean
}

/** What lies in the folders that E-ARK CSIP has names for. */
export interface PackageFolders {
  /** Files that lie in the root folder: the first thousand, and those that may describe the package. */
  rootFiles: Set<string>
  /** Folders that lie in the root folder, the first thousand. */
  rootFolders: Set<string>
  /** Folders that lie in metadata. */
  metadataFolders: Set<string>
  representations: Map<string, RepresentationFolder>
  /** How many files lie in representations, and not in a folder there. */
  strayFiles: number
}

const folderReader = () => {
  const folders: PackageFolders = {
    rootFiles: new Set(),
    rootFolders: new Set(),
    metadataFolders: new Set(),
    representations: new Map(),
    strayFiles: 0,
  }
  const put = (into: Set<string>, name: string) => {
    if (into.size < mostFolders || isDescription(name)) into.add(name)
  }
  const representation = (name: string): RepresentationFolder | undefined => {
    const known = folders.representations.get(name)
    if (known || folders.representations.size >= mostRepresentations) return known
    const fresh = {
      hasMets: false,
      hasData: false,
      hasMetadata: false,
      hasSchemas: false,
      hasDocumentation: false,
    }
    folders.representations.set(name, fresh)
    return fresh
  }
  const see = (name: string, isFile: boolean) => {
    const [first = '', second, third, fourth] = name.split('/', 4)
    if (second === undefined) return put(isFile ? folders.rootFiles : folders.rootFolders, first)
    put(folders.rootFolders, first)
    const isFolder = third !== undefined || !isFile
    if (first === 'metadata' && isFolder) put(folders.metadataFolders, second)
    if (first !== 'representations') return
    if (!isFolder) {
      folders.strayFiles += 1
      return
    }
    const within = representation(second)
    if (!within || third === undefined) return
    const isInner = fourth !== undefined || !isFile
    within.hasMets ||= third === 'METS.xml' && !isInner
    within.hasData ||= third === 'data' && isInner
    within.hasMetadata ||= third === 'metadata' && isInner
    within.hasSchemas ||= third === 'schemas' && isInner
    within.hasDocumentation ||= third === 'documentation' && isInner
  }
  return { folders, see }
}

interface Counts {
  files: number
  folders: number
  bytes: number
}
const noCounts = (): Counts => ({ files: 0, folders: 0, bytes: 0 })

/**
 * Where the payload of a package lies: the data of representations, or what ESSArch and FGS 1 call content.
 */
const payloads = { representations: /^representations\/[^/]+\/data\//, content: /^content\// } as const
export type Payload = keyof typeof payloads

/** The files of a package, each by a number. */
export interface PackageContents {
  place: PackagePlace
  folders: PackageFolders
  /** Whether all of it could be read: else what was not seen may be there. */
  isWhole: boolean
  /** Everything, whatever it is. */
  all: Counts
  payload: Record<Payload, Counts>
  /** How many numbers there are. */
  size: number
  /** The number of a file, or -1. */
  find: (name: string) => number
  bytesOf: (file: number) => number
}

/**
 * Walks everything that is there.
 * @returns undefined where it is none of the serializations, or the gate was closed
 * @throws ContainerError, TooManyNames
 */
export const contentsOf = (path: string, listener: WalkListener): PackageContents | undefined => {
  const reader = folderReader()
  const all = noCounts()
  const payload = { representations: noCounts(), content: noCounts() }
  // A tar or zip has an index already.
  const most = serializationOf(path) === 'folder' ? mostNames : 0
  const ofFolder = nameTable(newNameTable(most))
  const bytes = new Float64Array(most)
  const names: Payload[] = ['representations', 'content']
  const visit = (name: string, entry: FoundEntry) => {
    const isFile = entry.kind === 'file'
    const counted = [all, ...names.filter((key) => payloads[key].test(name)).map((key) => payload[key])]
    for (const counts of counted) {
      if (isFile) counts.files += 1
      else counts.folders += 1
      counts.bytes += isFile ? entry.bytes : 0
    }
    if (entry.kind === 'other' || entry.trouble) return
    reader.see(name, isFile)
    if (isFile && most > 0) bytes[ofFolder.put(name)] = entry.bytes
  }
  const { found, hasUnread } = notingUnread(listener.found)
  const place = walkPackage(path, { ...listener, found }, visit)
  if (!place) return undefined
  const { index, top } = place
  const inArchive = index && nameTable(index.names)
  const find = (name: string): number => {
    if (!inArchive) return ofFolder.find(name)
    const found = inArchive.find(top + name)
    return found >= 0 && ((index.facts[found] ?? 0) & entryFlag.file) !== 0 ? found : -1
  }
  return {
    place,
    folders: reader.folders,
    isWhole: !hasUnread(),
    all,
    payload,
    size: (inArchive ?? ofFolder).size(),
    find,
    bytesOf: (file) => (index ? index.bytes : bytes)[file] ?? 0,
  }
}
