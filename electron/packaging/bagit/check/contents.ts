import { statSync } from 'node:fs'
import type { PackageReport, FindingCode } from '../../../contract/findings.ts'
import { escapeOf } from '../../names.ts'
import type { BagPlace } from './bag-files.ts'
import { entriesOf, serializationOf } from '../../entries/entries.ts'
import { entryIndexer } from '../../entries/entry-index.ts'
import type { FoundEntry } from '../../entries/found-entry.ts'
import type { Found } from '../../findings.ts'
import { nameSum, newSecret } from '../../entries/name-table.ts'
import { tagNames } from './tag-names.ts'

interface Hearing {
  /** What the bag itself is called where it is at fault. */
  label: string
  found: Found
  gate: () => boolean
}

const entryTroubles: Record<NonNullable<FoundEntry['trouble']>, FindingCode> = {
  'not-text': 'name-not-text',
  unreadable: 'unreadable',
  'too-deep': 'too-deep',
  'too-many': 'too-many-folders',
}

/** A name as GNU tar writes it of ".", without the beginning. */
const plain = (name: string) => name.replace(/^(\.\/)+/, '')

/** The folder that an archive was made in, which some programs list as the first entry ("./"). */
const isRoot = ({ name, kind }: FoundEntry) => kind === 'folder' && /^(\.\/)*\.$/.test(name)

/**
 * What macOS puts beside the folder that it compresses: what it keeps of files beside their content. Other
 * programs make files of it.
 */
const macFolder = '__MACOSX'

/** Finds the folder in which the bag of a tar or zip lies: that of the first entry. */
const baseFolder = (form: PackageReport['form'], { label, found }: Hearing) => {
  let top = form === 'folder' ? '' : undefined
  let hasMacFolder = false
  return {
    top: () => top ?? '',
    /** The name in the bag; undefined where it lies beside it. */
    below: (name: string, kind: FoundEntry['kind']): string | undefined => {
      if (form === 'folder') return name
      const [first = ''] = name.split('/', 1)
      if (first === macFolder) {
        if (!hasMacFolder) found('warning', 'mac-folder', label, macFolder)
        hasMacFolder = true
        return undefined
      }
      top ??= first !== name || kind === 'folder' ? `${first}/` : ''
      if (top !== '' && `${first}/` === top) return name.slice(top.length)
      if (top === '') return name
      found('error', 'entry-outside', label, name)
      return undefined
    },
  }
}

/**
 * What the entry itself and its place among the others have wrong; says whether the entry is to be looked at
 * further.
 */
const hearTroubles = (
  entry: FoundEntry,
  name: string,
  form: PackageReport['form'],
  { label, found }: Hearing,
): boolean => {
  for (const { level, code, detail } of entry.notes ?? []) found(level, code, label, detail)
  if (entry.trouble) found('error', entryTroubles[entry.trouble], name, name)
  if (entry.trouble && entry.trouble !== 'not-text') return false
  if (isRoot(entry)) return false
  if (name === '' || name === '.') {
    found('error', 'name-empty', label, entry.name)
    return false
  }
  const escape = form === 'folder' ? undefined : escapeOf(name)
  // Shells alone take "~" for the folder of a person; what unpacks does not.
  if (escape !== undefined && escape !== 'home') {
    found('error', 'escapes', label, entry.name)
    return false
  }
  if (entry.kind === 'other') found('error', 'link', name)
  return true
}

/**
 * Walks everything that is there: counts the payload, gathers the names of tag files, and where things lie in
 * a container.
 * @returns undefined where it is none of the serializations, or the gate was closed
 * @throws Broken, TooManyNames
 */
export const lookAround = (bag: string, hearing: Hearing) => {
  const { label, found } = hearing
  const form = serializationOf(bag)
  if (form === 'none') return undefined
  const [, ending] = /\.(tar|zip)$/i.exec(label) ?? []
  if (form !== 'folder' && ending !== undefined && ending.toLowerCase() !== form)
    found('error', 'form-name', label, form)
  const indexer = form === 'folder' ? undefined : entryIndexer(statSync(bag).size, form)
  const tags = tagNames(found)
  const base = baseFolder(form, hearing)
  const secret = newSecret()
  const names = form === 'folder' ? nameSum(secret) : undefined
  let hasPayload = false
  const counts = { files: 0, folders: 0, bytes: 0 }
  for (const entry of entriesOf(bag, form)) {
    if (!hearing.gate()) return undefined
    const name = plain(entry.name)
    if (!hearTroubles(entry, name, form, hearing)) continue
    const { notes, isNew } = indexer?.add(name, entry) ?? { notes: [], isNew: true }
    for (const { level, code, detail } of notes) found(level, code, label, detail)
    const inBag = base.below(name, entry.kind)
    if (inBag === undefined || !isNew) continue
    const isPayload = inBag.startsWith('data/')
    hasPayload ||= isPayload || (entry.kind === 'folder' && inBag === 'data')
    if (entry.kind !== 'file') {
      if (isPayload) counts.folders += 1
    } else if (isPayload) {
      counts.files += 1
      counts.bytes += entry.bytes
      if (!entry.trouble) names?.add(inBag)
    } else if (!entry.trouble) tags.add(inBag)
  }
  const place: BagPlace = { path: bag, form, top: base.top(), index: indexer?.index }
  const kept = tags.all()
  return {
    place,
    hasPayload,
    counts,
    secret,
    /** The names of the payload; undefined in a container, where no two names are one file. */
    names,
    /** The tag files that a check reads, and the names of all of them. */
    known: tags.known,
    tags: () => kept ?? tagsOf(place),
  }
}
export type Around = NonNullable<ReturnType<typeof lookAround>>

function* namesIn({ path: file, form, top }: BagPlace): Generator<string> {
  for (const { name, kind, trouble } of entriesOf(file, form))
    if (!trouble && kind === 'file') yield plain(name).slice(top.length)
}

/** Names of the files of the payload. */
export function* payloadOf(place: BagPlace): Generator<string> {
  for (const name of namesIn(place)) if (name.startsWith('data/')) yield name
}

function* tagsOf(place: BagPlace): Generator<string> {
  for (const name of namesIn(place)) if (!name.startsWith('data/')) yield name
}
