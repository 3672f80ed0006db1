import { entryIn } from '../../common/records.ts'
import type { FileRole } from '../../contract/files.ts'
import type { NamedFile } from '../format.ts'
import { metsNamespace, valueOf, xlinkOf } from './check/mets-context.ts'
import { readXml, XmlTrouble, type XmlElement } from './check/read-xml.ts'
import { targetOf } from './check/references.ts'
import { metsFile } from './layout.ts'

/** What sections of a METS refer to. */
const ofSections: Readonly<Record<string, FileRole>> = {
  dmdSec: 'descriptive metadata',
  rightsMD: 'rights metadata',
  digiprovMD: 'preservation metadata',
  techMD: 'preservation metadata',
  sourceMD: 'preservation metadata',
}

/** What the use of a file group makes of its files (CSIP64). */
const roleOfUse = (use: string): FileRole => {
  if (/^documentation/i.test(use)) return 'documentation'
  if (/^schemas/i.test(use)) return 'schemas'
  return /^representations/i.test(use) ? 'representation' : 'content'
}

/**
 * What a file of a representation makes of the entry that holds it: its METS stands for the folder that it
 * lies in; where it has none, the METS of the package names its content (CSIP60, CSIP114).
 */
const roleOfRepresentation = (place: string[]): FileRole | null => {
  if (place.at(-1)?.toLowerCase() !== metsFile.toLowerCase()) return 'content'
  if (place.length === 1) return 'description'
  return place.length === 2 ? 'representation' : null
}

/**
 * What a METS says that the files are which it names.
 * @returns undefined where it is no XML that could be read to its end
 */
export const namedInMets = async (parts: AsyncIterable<Buffer>): Promise<NamedFile[] | undefined> => {
  const named: NamedFile[] = []
  const uses: string[] = []
  let section: FileRole | undefined
  const note = (element: XmlElement, role: FileRole | undefined) => {
    const target = targetOf(xlinkOf(element, 'href'), '')
    if ('path' in target) named.push({ path: target.path.normalize(), role: role ?? null })
  }
  const reader = {
    open: (element: XmlElement) => {
      if (element.namespace !== metsNamespace) return
      const { name } = element
      section = entryIn(ofSections, name) ?? section
      if (name === 'fileGrp') uses.push(valueOf(element, 'USE') || (uses.at(-1) ?? ''))
      else if (name === 'mdRef') note(element, section)
      else if (name === 'FLocat') note(element, roleOfUse(uses.at(-1) ?? ''))
      else if (name === 'mptr') note(element, 'representation')
    },
    text: () => undefined,
    close: (name: string) => {
      if (name === 'fileGrp') uses.pop()
    },
  }
  try {
    await readXml(parts, reader, () => true)
  } catch (error) {
    if (error instanceof XmlTrouble) return undefined
    throw error
  }
  return named
}

/** What named files make of the entries of a folder. @param folder relative to that of the METS */
export const rolesOfNamed = (named: readonly NamedFile[], folder: string): Map<string, FileRole | null> => {
  const roles = new Map<string, FileRole | null>()
  const before = folder === '' ? '' : `${folder.normalize()}/`
  for (const { path, role } of named) {
    if (!path.startsWith(before) || path === before) continue
    const place = path.slice(before.length).split('/')
    const [name = ''] = place
    const said = role === 'representation' ? roleOfRepresentation(place) : role
    const known = roles.get(name)
    roles.set(name, known === undefined || known === said ? said : null)
  }
  return roles
}
