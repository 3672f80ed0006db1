import type { Counts } from '../../../contract/counts.ts'
import { Failed } from '../../../contract/failure.ts'
import type { Profile } from '../profile.ts'
import { readDeclaration, type Declaration, type Tag } from '../tag-files.ts'
import type { PackageFiles, OpenFile } from '../../entries/package-files.ts'
import { ContainerError, reasonOf } from '../../entries/container-error.ts'
import { notingUnread, type Found } from '../../findings.ts'
import { partsOf } from '../../entries/file-parts.ts'
import { mostNames, nameTable, newNameTable, TooManyNames, type NameTable } from '../../entries/name-table.ts'
import { NotText, type TextOddity } from './plain-lines.ts'
import { readFetchFile, readInfoFile } from './tag-texts.ts'

/** A declaration has two short lines. */
const longestDeclaration = 4_096
const mostInfo = { labels: 1_000, characters: 1_000_000 }
const once = ['bagging-date', 'bag-size', 'bag-group-identifier', 'bag-count']

/**
 * Opens a file that the walk found for what reads it, and says what comes between: that it is gone or cannot
 * be opened, or is no text of its encoding.
 */
export const readTagFile = async (
  found: Found,
  files: PackageFiles,
  name: string,
  encoding: string,
  read: (file: OpenFile) => Promise<void>,
): Promise<void> => {
  let file: ReturnType<PackageFiles['open']>
  try {
    file = files.open(name)
  } catch (error) {
    found('error', error instanceof ContainerError ? error.code : 'unreadable', name, reasonOf(error))
    return
  }
  if (file === undefined || typeof file === 'string') {
    found('error', 'vanished', name, name)
    return
  }
  try {
    await read(file)
  } catch (error) {
    if (error instanceof Failed) throw error
    if (error instanceof NotText) found('error', 'tag-encoding', name, encoding)
    else found('error', error instanceof ContainerError ? error.code : 'unreadable', name, reasonOf(error))
  } finally {
    file.close()
  }
}

/**
 * Tag files in UTF-8 must not begin with a mark since 1.0 (RFC 8493 2.3); what else is odd is allowed and
 * told.
 */
export const oddityReporter =
  (found: Found, name: string, { version }: Declaration, isTold: boolean) =>
  (oddity: TextOddity) => {
    if (oddity === 'BOM' && version === '1.0') found('error', 'tag-mark', name)
    else if (oddity === 'BOM' || isTold) found('warning', 'unusual-line', name, oddity)
  }

/** @returns undefined where nobody could read what it says; what it should say, where it is none */
export const readBagDeclaration = async (
  found: Found,
  files: PackageFiles,
): Promise<Declaration | undefined> => {
  const assumed: Declaration = { version: '1.0', encoding: 'UTF-8' }
  const known: { declared: ReturnType<typeof readDeclaration> } = { declared: assumed }
  const noting = notingUnread(found)
  await readTagFile(noting.found, files, 'bagit.txt', 'UTF-8', async (file) => {
    const parts: Buffer[] = []
    if (file.bytes <= longestDeclaration)
      for await (const part of partsOf(file)) parts.push(Buffer.from(part))
    known.declared = readDeclaration(Buffer.concat(parts))
  })
  if (noting.hasUnread()) return undefined
  if (typeof known.declared !== 'string') return known.declared
  found('error', `declaration-${known.declared}`, 'bagit.txt')
  return assumed
}

/**
 * Reads bag-info.txt, compares its Payload-Oxum with what is there and tells what is wrong.
 * @param counts undefined where not all that is there could be counted
 * @returns its first labels; those that do not fit are missed only where a profile speaks of them
 */
export const readInfo = async (
  found: Found,
  files: PackageFiles,
  declaration: Declaration,
  special: ReadonlySet<string>,
  counts: Counts | undefined,
  profile: Profile | null,
): Promise<Tag[]> => {
  const info: Tag[] = []
  const name = ['bag-info.txt', 'package-info.txt'].find((file) => special.has(file))
  if (name === undefined) return info
  const times = new Map<string, number>()
  /** Labels that a profile speaks of. */
  const asked = new Set(
    profile
      ? ['BagIt-Profile-Identifier', ...Object.keys(profile['Bag-Info'])].map((label) => label.toLowerCase())
      : [],
  )
  let characters = 0
  let isCut = false
  const oxum = counts && `${counts.bytes}.${counts.files}`
  const take = ([label, value]: Tag) => {
    const key = label.toLowerCase()
    if (key === 'payload-oxum' && oxum !== undefined && value !== oxum)
      found('error', 'oxum', name, `${value} ≠ ${oxum}`)
    if (key === 'payload-oxum' || once.includes(key)) times.set(key, (times.get(key) ?? 0) + 1)
    characters += label.length + value.length
    if (info.length < mostInfo.labels && characters < mostInfo.characters) info.push([label, value])
    else isCut ||= asked.has(key)
  }
  await readTagFile(found, files, name, declaration.encoding, (file) =>
    readInfoFile(
      file,
      declaration,
      take,
      (code, line, detail) => found('error', code, name, detail, line),
      oddityReporter(found, name, declaration, false),
    ),
  )
  for (const [label, count] of times)
    if (count > 1 && label === 'payload-oxum') found('error', 'oxum-repeated', name)
    else if (count > 1) found('warning', 'info-repeated', name, label)
  if (isCut) found('error', 'memory', name)
  return info
}

/** Goes through fetch.txt once more; what is wrong with its lines was told the first time. */
export const eachToFetch = async (
  found: Found,
  files: PackageFiles,
  declaration: Declaration,
  take: (name: string) => void,
) => {
  const nothing = () => undefined
  await readTagFile(found, files, 'fetch.txt', declaration.encoding, (file) =>
    readFetchFile(file, declaration, take, nothing, nothing),
  )
}

/** A line of fetch.txt has at least an address, a length and a name in the payload. */
const shortestPromise = 13

/** Reads fetch.txt: the names that it promises. */
export const readFetch = async (
  found: Found,
  files: PackageFiles,
  declaration: Declaration,
  special: Set<string>,
): Promise<NameTable> => {
  let table = newNameTable(0)
  if (!special.has('fetch.txt')) return table
  await readTagFile(found, files, 'fetch.txt', declaration.encoding, (file) => {
    table = newNameTable(Math.ceil(file.bytes / shortestPromise))
    const { put } = nameTable(table)
    let isFull = false
    const take = (name: string) => {
      try {
        if (!isFull) put(name)
      } catch (error) {
        if (!(error instanceof TooManyNames)) throw error
        isFull = true
        found('error', 'too-many-names', 'fetch.txt', `${mostNames}`)
      }
    }
    return readFetchFile(
      file,
      declaration,
      take,
      (code, line, detail) => found('error', code, 'fetch.txt', detail, line),
      oddityReporter(found, 'fetch.txt', declaration, false),
    )
  })
  return table
}
