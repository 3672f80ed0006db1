import { partsOf } from '../../entries/file-parts.ts'
import { packageFiles, type PackageFiles, type PackagePlace } from '../../entries/package-files.ts'
import { dublinCoreElements } from '../dublin-core.ts'
import type { Labels } from './header-rules.ts'
import { attributeOf, readXml, type XmlReader } from './read-xml.ts'

const mostFiles = 20
const mostBytes = 1024 ** 2
/** A sign more than a form holds, so that it marks what it leaves out. */
const longestValue = 20_001
const mostLabels = 200

const dublinCoreNamespaces: ReadonlySet<string> = new Set([
  'http://purl.org/dc/elements/1.1/',
  'http://purl.org/dc/terms/',
])

/** What stands in these describes a part of the package, or something else than the package. */
const others = ['dsc', 'relatedItem']

/** A title of this type is an alternative one, a part of a name its date. */
const typed = new Set(['titleInfo', 'namePart'])

/** Elements of EAD (2002 and 3) that describe the whole, by the elements of Dublin Core that say the same. */
const ead: ReadonlyMap<string, string> = new Map([
  ['unittitle', 'title'],
  ['unitid', 'identifier'],
  ['unitdate', 'date'],
  ['unitdatestructured', 'date'],
  ['origination', 'creator'],
  ['abstract', 'description'],
  ['scopecontent', 'description'],
  ['langmaterial', 'language'],
  ['accessrestrict', 'rights'],
])

/** The same of MODS 3, by their paths below its root; of another type, they say something else. */
const mods: ReadonlyMap<string, string> = new Map([
  ['titleInfo/title', 'title'],
  ['identifier', 'identifier'],
  ['originInfo/dateIssued', 'date'],
  ['originInfo/dateCreated', 'date'],
  ['name/namePart', 'creator'],
  ['abstract', 'description'],
  ['subject/topic', 'subject'],
  ['language/languageTerm', 'language'],
  ['accessCondition', 'rights'],
])

/** Elements of EAD within a text that begin and end a word; others may stand in the middle of one. */
const blocks: ReadonlySet<string> = new Set(['p', 'item', 'lb', 'part', 'persname', 'corpname', 'famname'])

/** The element of Dublin Core that an element says the same as; undefined for all others. */
const elementOf = (path: readonly string[], namespace: string): string | undefined => {
  const [root] = path
  const name = path.at(-1) ?? ''
  if (others.some((above) => path.includes(above))) return undefined
  if (root === 'ead') return path.includes('archdesc') ? ead.get(name) : undefined
  if (root === 'mods' || root === 'modsCollection')
    return mods.get(path.slice(path.indexOf('mods') + 1).join('/'))
  return dublinCoreNamespaces.has(namespace) && dublinCoreElements.has(name) ? name : undefined
}

/** Gathers what a descriptive file says, as labels "dc:title". */
const descriptiveReader = (labels: Labels): XmlReader => {
  const path: string[] = []
  let begun: { label: string; depth: number; text: string } | undefined
  return {
    open: (element) => {
      const { name, namespace } = element
      path.push(typed.has(name) && attributeOf(element, 'type') !== undefined ? `${name}[type]` : name)
      if (begun && blocks.has(name)) begun.text += ' '
      const label = begun ? undefined : elementOf(path, namespace)
      if (label !== undefined) begun = { label, depth: path.length, text: '' }
    },
    text: (part) => {
      // The head of a text of EAD names the field alone.
      if (begun && path.at(-1) !== 'head' && begun.text.length < longestValue) begun.text += part
    },
    close: (name) => {
      if (begun && blocks.has(name)) begun.text += ' '
      if (begun?.depth === path.length) {
        const value = begun.text.replaceAll(/\s+/g, ' ').trim().slice(0, longestValue)
        if (value !== '' && labels.length < mostLabels) labels.push([`dc:${begun.label}`, value])
        begun = undefined
      }
      path.pop()
    },
  }
}

const readInto = async (labels: Labels, files: PackageFiles, name: string, gate: () => boolean) => {
  try {
    const file = files.open(name)
    if (file === undefined || typeof file === 'string') return
    try {
      if (file.bytes <= mostBytes) await readXml(partsOf(file), descriptiveReader(labels), gate)
    } finally {
      file.close()
    }
  } catch (error) {
    // No XML, a damaged entry, a disk that fails: each has a code, and a mistake of ours has none.
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}

/**
 * What the descriptive files of a package say of it (Dublin Core, EAD 2002 and 3, MODS 3) in the elements of
 * Dublin Core: of each the first value, and none that METS says already. Files above 1 MiB, and what is none
 * of these, are left out. What is wrong with a file is not said: everything was read before.
 * @param names of the files in the package
 * @param said what METS says
 */
export const descriptiveLabels = async (
  place: PackagePlace,
  names: readonly string[],
  said: Labels,
  gate: () => boolean,
): Promise<Labels> => {
  const labels: Labels = []
  const files = packageFiles(place)
  try {
    for (const name of names.slice(0, mostFiles)) await readInto(labels, files, name, gate)
  } finally {
    files.close()
  }
  const known = new Set(said.map(([, value]) => value))
  const firsts = new Map<string, string>()
  for (const [label, value] of labels) if (!known.has(value) && !firsts.has(label)) firsts.set(label, value)
  return [...firsts]
}
