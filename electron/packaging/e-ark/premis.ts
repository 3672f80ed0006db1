import { posix } from 'node:path'
import type { Label } from '../format.ts'
import type { CopiedFile } from '../pack/copied-payload.ts'
import { preservationFile } from './layout.ts'
import { mediaTypeOf } from './media-types.ts'
import type { SchemaLocation } from './schemas.ts'
import { declaration, element, escaped, hrefOf, opening } from '../../common/xml.ts'

const premisNamespace = 'http://www.loc.gov/premis/v3'
/** @param folder of the package or representation that it is the PREMIS of */
const beginIn = (folder: string, schemaLocation: SchemaLocation) =>
  `${declaration}${opening('premis', {
    xmlns: premisNamespace,
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xsi:schemaLocation': schemaLocation(posix.join(folder, posix.dirname(preservationFile)), [
      premisNamespace,
    ]),
    version: '3.0',
  })}\n`
const end = '</premis>\n'

const formatOf = ({ name, identified }: CopiedFile) => {
  const said = identified?.name ?? ''
  const format = `<formatName>${escaped(said || mediaTypeOf(name, identified?.mime ?? ''))}</formatName>`
  const registered =
    identified === undefined || identified.puid === ''
      ? ''
      : '<formatRegistry><formatRegistryName>PRONOM</formatRegistryName>' +
        `<formatRegistryKey>${escaped(identified.puid)}</formatRegistryKey></formatRegistry>`
  return `<format><formatDesignation>${format}</formatDesignation>${registered}</format>`
}

/**
 * PREMIS 3 objects of the files of a representation: fixity, size and format of each.
 * @param nameOf the path of a file below the folder of its representation
 * @param folder of the representation
 */
export const premisObjects = function* (
  files: Iterable<CopiedFile>,
  nameOf: (file: CopiedFile) => string,
  { algorithm, bytes }: { algorithm: string; bytes: number },
  folder: string,
  schemaLocation: SchemaLocation,
) {
  yield beginIn(folder, schemaLocation)
  for (const file of files) {
    const name = nameOf(file)
    yield (
      '<object xsi:type="file"><objectIdentifier><objectIdentifierType>local</objectIdentifierType>' +
      `<objectIdentifierValue>${escaped(hrefOf(name))}</objectIdentifierValue></objectIdentifier>` +
      `<objectCharacteristics><fixity><messageDigestAlgorithm>${algorithm}</messageDigestAlgorithm>` +
      `<messageDigest>${file.digests.toString('hex', 0, bytes)}</messageDigest></fixity>` +
      `<size>${file.bytes}</size>${formatOf(file)}</objectCharacteristics>` +
      `<originalName>${escaped(name)}</originalName></object>\n`
    )
  }
  yield end
}

const identifier = (of: string, value: string) =>
  element(
    `${of}Identifier`,
    {},
    element(`${of}IdentifierType`, {}, 'local'),
    element(`${of}IdentifierValue`, {}, escaped(value)),
  )
const linking = (of: string, value: string) =>
  element(
    `linking${of}Identifier`,
    {},
    element(`linking${of}IdentifierType`, {}, 'local'),
    element(`linking${of}IdentifierValue`, {}, escaped(value)),
  )

/** Words of the Library of Congress for what is done (vocabulary eventType). */
const events = [
  { name: 'packing', type: 'information package creation', detail: '' },
  {
    name: 'checking',
    type: 'fixity check',
    detail: 'Each copied file was read back and compared with the digest of its source.',
  },
] as const

/** PREMIS 3 of the package itself: that it was packed and checked, by which program, for whom. */
export const premisEvents = (labels: Label[], schemaLocation: SchemaLocation): string => {
  const values = new Map(labels)
  const [object, made, software] = ['OBJID', 'CREATEDATE', 'CREATOR SOFTWARE'].map(
    (label) => values.get(label) ?? '',
  )
  const organization = values.get('CREATOR ORGANIZATION') ?? values.get('CREATOR INDIVIDUAL')
  const agents: [name: string, type: string][] = [
    [software ?? '', 'software'],
    ...(organization === undefined ? [] : [[organization, 'organization'] satisfies [string, string]]),
  ]
  return [
    beginIn('', schemaLocation),
    element('object', { 'xsi:type': 'intellectualEntity' }, identifier('object', object ?? '')),
    '\n',
    ...events.map(
      ({ name, type, detail }) =>
        `${element(
          'event',
          {},
          identifier('event', name),
          element('eventType', {}, type),
          element('eventDateTime', {}, name === 'packing' ? (made ?? '') : new Date().toISOString()),
          detail === '' ? '' : element('eventDetailInformation', {}, element('eventDetail', {}, detail)),
          element('eventOutcomeInformation', {}, element('eventOutcome', {}, 'success')),
          ...agents.map(([agent]) => linking('Agent', agent)),
          linking('Object', object ?? ''),
        )}\n`,
    ),
    ...agents.map(
      ([name, type]) =>
        `${element(
          'agent',
          {},
          identifier('agent', name),
          element('agentName', {}, escaped(name)),
          element('agentType', {}, type),
        )}\n`,
    ),
    end,
  ].join('')
}
