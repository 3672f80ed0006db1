import type { FileRole } from '../../contract/files.ts'
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

/** The parts of the path that a reference leads to, from a folder; undefined where it lies elsewhere. */
const placeIn = (href: string, folder: string): string[] | undefined => {
  const target = targetOf(href, '')
  if (!('path' in target)) return undefined
  const path = target.path.normalize()
  const before = folder === '' ? '' : `${folder.normalize()}/`
  return path.startsWith(before) && path !== before ? path.slice(before.length).split('/') : undefined
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
 * What a METS says that the entries of a folder are: those that it names or that hold what it names, in NFC;
 * null where it says several things of what is in one.
 * @param folder relative to that of the METS
 * @returns undefined where it is no XML that could be read to its end
 */
export const rolesInMets = async (
  parts: AsyncIterable<Buffer>,
  folder: string,
): Promise<Map<string, FileRole | null> | undefined> => {
  const roles = new Map<string, FileRole | null>()
  const uses: string[] = []
  let section: FileRole | undefined
  const note = (element: XmlElement, role: FileRole | undefined) => {
    const place = placeIn(xlinkOf(element, 'href'), folder)
    const [name] = place ?? []
    if (place === undefined || name === undefined) return
    const said = role === 'representation' ? roleOfRepresentation(place) : (role ?? null)
    const before = roles.get(name)
    roles.set(name, before === undefined || before === said ? said : null)
  }
  const reader = {
    open: (element: XmlElement) => {
      if (element.namespace !== metsNamespace) return
      const { name } = element
      section = ofSections[name] ?? section
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
  return roles
}
