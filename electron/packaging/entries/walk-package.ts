import { statSync } from 'node:fs'
import type { FindingCode, PackageReport } from '../../contract/findings.ts'
import type { Found } from '../findings.ts'
import { escapeOf } from '../names.ts'
import { entriesOf, serializationOf } from './entries.ts'
import { entryIndexer } from './entry-index.ts'
import type { FoundEntry } from './found-entry.ts'
import type { PackagePlace } from './package-files.ts'

export interface WalkListener {
  /** What the package itself is called where it is at fault. */
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

/** Finds the folder in which the package of a tar or zip lies: that of the first entry. */
const baseFolder = (form: PackageReport['form'], { label, found }: WalkListener) => {
  let top = form === 'folder' ? '' : undefined
  let hasMacFolder = false
  return {
    top: () => top ?? '',
    /** The name in the package; undefined where it lies beside it. */
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
const reportTroubles = (
  entry: FoundEntry,
  name: string,
  form: PackageReport['form'],
  { label, found }: WalkListener,
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
 * Walks everything that is there, and gathers where things lie in a tar or zip.
 * @param visit is shown each entry once, with its name in the package
 * @returns undefined where it is none of the serializations, or the gate was closed
 * @throws ContainerError, TooManyNames
 */
export const walkPackage = (
  file: string,
  listener: WalkListener,
  visit: (name: string, entry: FoundEntry) => void,
): PackagePlace | undefined => {
  const { label, found } = listener
  const form = serializationOf(file)
  if (form === 'none') return undefined
  const [, ending] = /\.(tar|zip)$/i.exec(label) ?? []
  if (form !== 'folder' && ending !== undefined && ending.toLowerCase() !== form)
    found('error', 'form-name', label, form)
  const indexer = form === 'folder' ? undefined : entryIndexer(statSync(file).size, form)
  const base = baseFolder(form, listener)
  for (const entry of entriesOf(file, form)) {
    if (!listener.gate()) return undefined
    const name = plain(entry.name)
    if (!reportTroubles(entry, name, form, listener)) continue
    const { notes, isNew } = indexer?.add(name, entry) ?? { notes: [], isNew: true }
    for (const { level, code, detail } of notes) found(level, code, label, detail)
    const below = base.below(name, entry.kind)
    if (below !== undefined && isNew) visit(below, entry)
  }
  return { path: file, form, top: base.top(), index: indexer?.index }
}

/**
 * Names of the files of a package, in the order in which they lie there.
 * @param unread hears of what cannot be read by now
 */
export function* fileNames(
  { path: file, form, top }: PackagePlace,
  unread: (name: string) => void = () => undefined,
): Generator<string> {
  for (const { name, kind, trouble } of entriesOf(file, form)) {
    // What lies beside the package is none of its files.
    const whole = plain(name)
    if (trouble === 'unreadable') unread(whole)
    if (!trouble && kind === 'file' && whole.startsWith(top)) yield whole.slice(top.length)
  }
}
