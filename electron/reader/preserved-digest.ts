import { setImmediate as afterOthers } from 'node:timers/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { Failed } from '../contract/failure.ts'
import { openNameSearch } from '../common/name-search.ts'
import { needed, type ArchiveClient, type FilesPart } from '../dialects/dialect.ts'
import { digestAlgorithms, isAlgorithm, normalized, type Algorithm } from '../packaging/digests.ts'
import type { PackageFormat } from '../packaging/format.ts'
import { formats } from '../packaging/formats.ts'
import { yieldingChunks } from './yielding-chunks.ts'

/** What a package says of a file of its own. */
export interface PreservedDigest {
  algorithm: Algorithm
  /** In hexadecimal, small letters. */
  digest: string
  /** The path of the file that says it. */
  source: string
}

interface Asked {
  archive: ArchiveClient
  package: string
  path: string
  signal: AbortSignal
}

/** Longer lines are of no manifest. */
const longestLine = 64 * 1024
const lineEnd = 0x0a
/** A manifest of a million files is read in parts, after each of which others have their turn. */
const linesInOneGo = 5_000

/** What comes until a line is longer than any of a manifest: what follows is none. */
async function* asLines(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0
  for await (const part of body) {
    const [first, last] = [part.indexOf(lineEnd), part.lastIndexOf(lineEnd)]
    if (length + (first < 0 ? part.length : first) > longestLine) return
    length = last < 0 ? length + part.length : part.length - last - 1
    yield part
  }
}

/** The digest of a path in a manifest; undefined where that does not name it. */
const lookUp = async (
  { archive, package: id, signal }: Asked,
  files: FilesPart,
  format: PackageFormat,
  manifest: string,
  path: string,
): Promise<string | undefined> => {
  const { body } = await archive.bytes(files.pathOf(id, manifest), undefined, signal)
  const search = openNameSearch<string>(path)
  const input = Readable.from(asLines(body))
  let lines = 0
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      lines += 1
      if (lines % linesInOneGo === 0) await afterOthers()
      const read = format.readManifestLine(line)
      if (read && search.see(read.path, read.digest)) break
    }
    return search.found()
  } finally {
    // What follows is not fetched.
    input.destroy()
  }
}

/** Folders above a path, the package itself first, each with the rest of the path. */
const above = (path: string) => {
  const parts = path.split('/')
  return parts.map((_, index) => ({
    folder: parts.slice(0, index).join('/'),
    rest: parts.slice(index).join('/'),
  }))
}

/** What is not there, or not for this account, says nothing; whatever else goes wrong is no answer. */
const isUnsaid = (error: unknown) =>
  error instanceof Failed && (error.failure.kind === 'not-found' || error.failure.kind === 'not-allowed')

/** The manifests among the entries of a folder that may name a path below it, the best first. */
const manifestsFor = (entries: readonly { name: string }[], path: string) =>
  formats
    .flatMap((format) =>
      entries.flatMap(({ name }) => {
        const algorithm = format.manifestOf(name, path)
        return algorithm === undefined ? [] : { format, name, algorithm }
      }),
    )
    .sort((a, b) => digestAlgorithms.indexOf(a.algorithm) - digestAlgorithms.indexOf(b.algorithm))

/**
 * What the manifest says that names the file and stands above all others that do: one further in is payload
 * of that, and may say whatever it did when it was handed over.
 */
const inManifest = async (
  asked: Asked,
  files: FilesPart,
  folders: ReturnType<typeof above>,
): Promise<PreservedDigest | undefined> => {
  for (const { folder, rest } of folders) {
    const entries = await files.list(asked.archive, asked.package, folder)
    for (const { format, name, algorithm } of manifestsFor(entries, rest)) {
      const source = folder === '' ? name : `${folder}/${name}`
      const digest = await lookUp(asked, files, format, source, rest)
      if (digest !== undefined) return { algorithm, digest, source }
    }
  }
  return undefined
}

/** What a description says that the package brought with it: the outermost that names the file. */
const inDescription = async (
  { archive, package: id, signal, path }: Asked,
  files: FilesPart,
  folders: ReturnType<typeof above>,
): Promise<PreservedDigest | undefined> => {
  for (const { folder, rest } of folders) {
    const entries = await files.list(archive, id, folder)
    for (const { description } of formats) {
      const entry = entries.find(({ name }) => name === description?.file)
      const source = entry && (folder === '' ? entry.name : `${folder}/${entry.name}`)
      if (!description || source === undefined || source === path) continue
      const { body } = await archive.bytes(files.pathOf(id, source), undefined, signal)
      const named = await description.digestOf(yieldingChunks(body), rest)
      if (named) return { ...named, source }
    }
  }
  return undefined
}

/** The path below the package itself, which an archive may give in a tar that has a folder of its name. */
const belowPackage = (path: string, files: FilesPart) => {
  const parts = path.split('/')
  const container = parts.findIndex((part) => files.isContainer(part))
  if (container < 0 || container === parts.length - 1) return path
  const [first = '', ...rest] = parts.slice(container + 1)
  const isNamedSo = parts[container]?.startsWith(`${first}.`) === true
  return (isNamedSo ? rest : [first, ...rest]).join('/')
}

/** What the METS of the package says. */
const inMets = async (asked: Asked, files: FilesPart): Promise<PreservedDigest | undefined> => {
  const { archive, package: id, path, signal } = asked
  const { submission } = archive.dialect
  if (!submission) return undefined
  const search = openNameSearch<PreservedDigest>(belowPackage(path, files))
  const found = new AbortController()
  try {
    await submission.contents(
      archive,
      id,
      (file) => {
        const algorithm = normalized(file.algorithm)
        if (!isAlgorithm(algorithm) || file.digest === '') return
        if (search.see(file.path, { algorithm, digest: file.digest, source: 'mets.xml' })) found.abort()
      },
      AbortSignal.any([signal, found.signal]),
    )
  } catch (error) {
    signal.throwIfAborted()
    if (!found.signal.aborted && !isUnsaid(error)) throw error
  }
  return search.found()
}

/**
 * The digest that a package names for one of its files: in the METS that the archive wrote when it preserved
 * the package, else in the outermost manifest that has the file as its payload, else in a manifest of what is
 * no payload, else in the METS of a package as it was handed over. What lies inside with a manifest was
 * handed over so, and that may be older than the METS of the archive.
 * @returns undefined where nothing in the package says it
 * @throws Failed what the archive says where it cannot be asked: that is no answer; the reason of the signal
 */
export const findPreservedDigest = async (asked: Asked): Promise<PreservedDigest | undefined> => {
  const files = needed(asked.archive.dialect.files)
  const folders = above(asked.path)
  const payload = folders.filter(({ rest }) => formats.some(({ payloadPaths }) => payloadPaths.test(rest)))
  // A folder with a hundred thousand files of a payload holds no manifest, and no description.
  const innermost = payload.at(-1)
  const around = innermost === undefined ? folders : folders.slice(0, folders.indexOf(innermost) + 1)
  return (
    (await inMets(asked, files)) ??
    (await inManifest(asked, files, payload)) ??
    (payload.length > 0 ? undefined : await inManifest(asked, files, folders)) ??
    (await inDescription(asked, files, around))
  )
}
