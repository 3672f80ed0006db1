import path from 'node:path'
import { entryIn } from '../../common/records.ts'
import type { SchemaFile } from '../format.ts'
import { schemasFolder } from './layout.ts'
import { hrefOf } from '../../common/xml.ts'

/**
 * Schemas that go with every package, unless others are given: that of METS, which anybody may hand on (CC0).
 * Those of XLink, PREMIS and the E-ARK extensions do not say that, so their addresses are named.
 */
export const usualSchemas = async (): Promise<SchemaFile[]> => {
  // Large, and of no use to threads that only copy or check.
  const { default: mets } = await import('../../../resources/mets-schema.json', { with: { type: 'json' } })
  return [{ name: mets.file, text: mets.text }]
}

/** Where the schemas of what is written are published. */
const published: Readonly<Record<string, string>> = {
  'http://www.loc.gov/METS/': 'http://www.loc.gov/standards/mets/mets.xsd',
  'http://www.w3.org/1999/xlink': 'http://www.loc.gov/standards/xlink/xlink.xsd',
  'https://DILCIS.eu/XML/METS/CSIPExtensionMETS': 'https://earkcsip.dilcis.eu/schema/DILCISExtensionMETS.xsd',
  'https://DILCIS.eu/XML/METS/SIPExtensionMETS':
    'https://earksip.dilcis.eu/schema/DILCISExtensionSIPMETS.xsd',
  'http://www.loc.gov/premis/v3': 'https://www.loc.gov/standards/premis/premis.xsd',
}

/** The namespace that an XML Schema is of (XML Schema 1.0, 4.2); undefined where it says none. */
const targetNamespaceOf = (text: string): string | undefined => {
  const [, root = ''] = /<(?:[\w.-]+:)?schema(\s[^<>]*)>/.exec(text.replaceAll(/<!--[^]*?-->/g, '')) ?? []
  return /\stargetNamespace\s*=\s*(["'])(.*?)\1/.exec(root)?.[2]
}

/** Says which schemas a document of a package is of (xsi:schemaLocation). @param folder that it lies in */
export type SchemaLocation = (folder: string, namespaces: readonly string[]) => string

/**
 * Schemas that lie in the package stand for their namespaces; of the others the published address is named,
 * and nothing where there is none. Of two for one namespace the last by name is the newest, as most are named
 * with their version.
 */
export const schemaLocationOf = (schemas: SchemaFile[]): SchemaLocation => {
  const places = new Map<string, string>()
  for (const { name, text } of [...schemas].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const namespace = targetNamespaceOf(text)
    if (namespace !== undefined) places.set(namespace, `${schemasFolder}/${name}`)
  }
  const addressOf = (folder: string, namespace: string) => {
    const place = places.get(namespace)
    return place === undefined ? entryIn(published, namespace) : hrefOf(path.posix.relative(folder, place))
  }
  return (folder, namespaces) =>
    namespaces
      .flatMap((namespace) => {
        const address = addressOf(folder, namespace)
        return address === undefined ? [] : [`${namespace} ${address}`]
      })
      .join(' ')
}
