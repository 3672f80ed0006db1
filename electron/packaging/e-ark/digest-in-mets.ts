import { openNameSearch } from '../../common/name-search.ts'
import { checksumBytes, isAlgorithm, normalized } from '../digests.ts'
import type { NamedDigest } from '../format.ts'
import { metsNamespace, valueOf, xlinkOf } from './check/mets-context.ts'
import { readXml, XmlTrouble, type XmlElement } from './check/read-xml.ts'
import { targetOf } from './check/references.ts'

/**
 * The digest that a METS names for a file (METS 1.12, file and mdRef).
 * @param path relative to the folder of the METS
 * @returns undefined where it names none that is computed here, or is no XML
 */
export const digestInMets = async (
  parts: AsyncIterable<Buffer>,
  path: string,
): Promise<NamedDigest | undefined> => {
  const byPath = openNameSearch<NamedDigest>(path)
  /** Some tools spell references in ways of their own; another file may be called what this one is then. */
  const bySpelling = openNameSearch<NamedDigest>(path)
  let file: XmlElement | undefined
  let isFound = false
  const note = (reference: XmlElement, described: XmlElement) => {
    const target = targetOf(xlinkOf(reference, 'href'), '')
    const algorithm = normalized(valueOf(described, 'CHECKSUMTYPE'))
    const digest = valueOf(described, 'CHECKSUM').toLowerCase()
    if (!('path' in target) || !isAlgorithm(algorithm)) return
    if (digest.length !== checksumBytes[algorithm] * 2 || !/^[0-9a-f]+$/.test(digest)) return
    isFound = byPath.see(target.path, { algorithm, digest })
    for (const spelling of target.spellings) bySpelling.see(spelling, { algorithm, digest })
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
    await readXml(parts, reader, () => !isFound)
  } catch (error) {
    if (!(error instanceof XmlTrouble)) throw error
  }
  return byPath.found() ?? bySpelling.found()
}
