import { checksumBytes, isAlgorithm, normalized } from '../digests.ts'
import type { NamedDigest } from '../format.ts'
import { metsNamespace, valueOf, xlinkOf } from './check/mets-context.ts'
import { readXml, XmlTrouble, type XmlElement } from './check/read-xml.ts'
import { targetOf } from './check/references.ts'

/** How a reference of a METS names a path: as it is, in a spelling that some tools use, or not at all. */
const naming = (element: XmlElement, wanted: string): 'exact' | 'spelling' | undefined => {
  const target = targetOf(xlinkOf(element, 'href'), '')
  if (!('path' in target)) return undefined
  const isWanted = (path: string) => path.normalize('NFC') === wanted
  return isWanted(target.path) ? 'exact' : target.spellings.some(isWanted) ? 'spelling' : undefined
}

/**
 * The digest that a METS names for a file (METS 1.12, file and mdRef).
 * @param path relative to the folder of the METS
 * @returns undefined where it names none that is computed here, or is no XML
 */
export const digestInMets = async (
  parts: AsyncIterable<Buffer>,
  path: string,
): Promise<NamedDigest | undefined> => {
  const wanted = path.normalize('NFC')
  let file: XmlElement | undefined
  /** Another file may be called what is a spelling of this one. */
  const found = new Map<'exact' | 'spelling', NamedDigest>()
  const note = (reference: XmlElement, described: XmlElement) => {
    const how = naming(reference, wanted)
    const algorithm = normalized(valueOf(described, 'CHECKSUMTYPE'))
    const digest = valueOf(described, 'CHECKSUM').toLowerCase()
    if (how === undefined || found.has(how) || !isAlgorithm(algorithm)) return
    if (digest.length === checksumBytes[algorithm] * 2 && /^[0-9a-f]+$/.test(digest))
      found.set(how, { algorithm, digest })
  }
  const reader = {
    open: (element: XmlElement) => {
      if (element.namespace !== metsNamespace) return
      if (element.name === 'file') file = element
      else if (element.name === 'mdRef') note(element, element)
      else if (element.name === 'FLocat' && file) note(element, file)
    },
    text: () => undefined,
    close: (name: string) => {
      if (name === 'file') file = undefined
    },
  }
  try {
    await readXml(parts, reader, () => !found.has('exact'))
  } catch (error) {
    if (!(error instanceof XmlTrouble)) throw error
  }
  return found.get('exact') ?? found.get('spelling')
}
