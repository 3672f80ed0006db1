import { entryIn } from '../../common/records.ts'
import type { Label } from '../format.ts'
import type { SchemaLocation } from './schemas.ts'
import { declaration, element, escaped } from '../../common/xml.ts'

/** The elements of simple Dublin Core (ISO 15836-1). */
export const dublinCoreElements: ReadonlySet<string> = new Set([
  'contributor',
  'coverage',
  'creator',
  'date',
  'description',
  'format',
  'identifier',
  'language',
  'publisher',
  'relation',
  'rights',
  'source',
  'subject',
  'title',
  'type',
])

const namespaces = {
  xmlns: 'http://purl.org/dc/elements/1.1/',
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
}

/**
 * Simple Dublin Core (ISO 15836) of what a package says of itself.
 * @param folder that it lies in
 */
export const dublinCore = (labels: Label[], folder: string, schemaLocation: SchemaLocation): string => {
  const valuesOf = (label: string) => labels.filter(([name]) => name === label).map(([, value]) => value)
  const line = (name: string, value: string) => element(name, {}, escaped(value))
  const creators = [...valuesOf('dc:creator'), ...valuesOf('ARCHIVIST ORGANIZATION')]
  const named = new Set(['dc:creator', 'dc:identifier', 'dc:description'])
  return [
    declaration,
    element(
      'simpledc',
      { ...namespaces, 'xsi:schemaLocation': schemaLocation(folder, [namespaces.xmlns]) },
      ...valuesOf('LABEL').map((value) => line('title', value)),
      ...(creators.length > 0 ? creators : valuesOf('CREATOR ORGANIZATION')).map((value) =>
        line('creator', value),
      ),
      ...valuesOf('dc:description').map((value) => line('description', value)),
      ...[...valuesOf('OBJID'), ...valuesOf('REFERENCECODE'), ...valuesOf('dc:identifier')].map((value) =>
        line('identifier', value),
      ),
      ...labels
        .filter(([label]) => label.startsWith('dc:') && !named.has(label))
        .map(([label, value]) => ({ name: label.slice('dc:'.length), value }))
        .filter(({ name }) => dublinCoreElements.has(name))
        .map(({ name, value }) => line(name, value)),
    ),
    '\n',
  ].join('')
}

/** What the root element of a descriptive file makes it in METS (MDTYPE). */
const metadataTypes: Readonly<Record<string, string>> = {
  ead: 'EAD',
  mods: 'MODS',
  modsCollection: 'MODS',
  dc: 'DC',
  simpledc: 'DC',
}

/**
 * What METS calls a descriptive file (MDTYPE); where it has no word, its root element is OTHERMDTYPE.
 * @returns undefined where the text does not begin as XML
 */
export const metadataTypeOf = (text: string): { MDTYPE: string; OTHERMDTYPE: string } | undefined => {
  const [, root] =
    // Instructions, comments and a document type declaration may stand before the root; none is read.
    /^\uFEFF?\s*(?:(?:<\?(?:(?!\?>)[^])*\?>|<!--(?:(?!-->)[^])*-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>)\s*)*<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)/.exec(
      text,
    ) ?? []
  if (root === undefined) return undefined
  const known = entryIn(metadataTypes, root)
  return known === undefined ? { MDTYPE: 'OTHER', OTHERMDTYPE: root } : { MDTYPE: known, OTHERMDTYPE: '' }
}
