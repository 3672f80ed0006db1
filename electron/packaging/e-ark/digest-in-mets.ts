import { isReadable, normalized } from '../digests.ts'
import type { NamedDigest } from '../format.ts'
import { metsNamespace, valueOf, xlinkOf } from './check/mets-context.ts'
import { readXml, XmlTrouble, type XmlElement } from './check/read-xml.ts'
import { targetOf } from './check/references.ts'

/** Whether a reference of a METS names a path, in one of the spellings that tools use. */
const names = (element: XmlElement, wanted: string): boolean => {
  const target = targetOf(xlinkOf(element, 'href'), '')
  return (
    'path' in target && [target.path, ...target.spellings].some((path) => path.normalize('NFC') === wanted)
  )
}

/**
 * The digest that a METS names for a file (METS 1.12, file and mdRef).
 * @param path relative to the folder of the METS
 * @returns undefined where it names none that is summed here, or is no XML
 */
export const digestInMets = async (
  parts: AsyncIterable<Buffer>,
  path: string,
): Promise<NamedDigest | undefined> => {
  const wanted = path.normalize('NFC')
  let file: XmlElement | undefined
  let found: NamedDigest | undefined
  const note = (element: XmlElement) => {
    const algorithm = normalized(valueOf(element, 'CHECKSUMTYPE'))
    const digest = valueOf(element, 'CHECKSUM').toLowerCase()
    if (isReadable(algorithm) && digest !== '') found = { algorithm, digest }
  }
  const reader = {
    open: (element: XmlElement) => {
      if (element.namespace !== metsNamespace) return
      if (element.name === 'file') file = element
      else if (element.name === 'mdRef' && names(element, wanted)) note(element)
      else if (element.name === 'FLocat' && file && names(element, wanted)) note(file)
    },
    text: () => undefined,
    close: (name: string) => {
      if (name === 'file') file = undefined
    },
  }
  try {
    await readXml(parts, reader, () => found === undefined)
  } catch (error) {
    if (!(error instanceof XmlTrouble)) throw error
  }
  return found
}
