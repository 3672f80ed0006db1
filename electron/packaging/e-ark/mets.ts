import type { Label } from '../format.ts'
import { alternativeIdentifiers } from './describe.ts'
import type { SchemaLocation } from './schemas.ts'
import { declaration, element, escaped, hrefOf, opening } from '../../common/xml.ts'

/** A file that METS names: its address from the folder of the METS, and what is known of it. */
export interface MetsFile {
  path: string
  mediaType: string
  bytes: number
  /** ISO 8601. */
  created: string
  /** In hexadecimal. */
  digest: string
}

/** A group of files; its files are asked for once, as there may be a million. */
export interface FileGroup {
  id: string
  use: string
  /** The content information type of a representation (CSIP62). */
  content?: string
  files: Iterable<MetsFile>
}

/** A division of the structural map "CSIP", with the files, METS or metadata that it stands for. */
export interface Division {
  label: string
  /** The identifier of a file group. */
  group?: string
  /** The path of a representation's METS, and the identifier of the group that names it. */
  mets?: { path: string; group: string }
  /** Identifiers of metadata sections. */
  descriptive?: string
  administrative?: string
}

interface MetsDocument {
  /** That it lies in; empty for the root folder. */
  folder: string
  schemaLocation: SchemaLocation
  objectId: string
  label: string
  /** Of the whole package; a representation has the agents of its package. */
  labels: Label[]
  isRoot: boolean
  /** How METS calls the algorithm of the digests (CHECKSUMTYPE). */
  checksumType: string
  descriptive: { file: MetsFile; MDTYPE: string; OTHERMDTYPE: string } | null
  preservation: MetsFile
  groups: FileGroup[]
  divisions: Division[]
}

const namespaces = {
  xmlns: 'http://www.loc.gov/METS/',
  'xmlns:csip': 'https://DILCIS.eu/XML/METS/CSIPExtensionMETS',
  'xmlns:sip': 'https://DILCIS.eu/XML/METS/SIPExtensionMETS',
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
}
/** Whose schemas a METS names. */
const described = [
  namespaces.xmlns,
  namespaces['xmlns:xlink'],
  namespaces['xmlns:csip'],
  namespaces['xmlns:sip'],
]

const link = (path: string) => ({ LOCTYPE: 'URL', 'xlink:type': 'simple', 'xlink:href': hrefOf(path) })

const agent = (attributes: Record<string, string>, name: string, ...notes: string[]) =>
  element('agent', attributes, element('name', {}, escaped(name)), ...notes)
const note = (text: string, type: string) => element('note', { 'csip:NOTETYPE': type }, escaped(text))

/** Who made, submits and answers for the package (CSIP10 to CSIP16, SIP9 to SIP31). */
const agents = (labels: Label[]): string[] => {
  const values = new Map(labels)
  const software = values.get('CREATOR SOFTWARE') ?? ''
  const version = /\S+$/.exec(software)?.[0] ?? ''
  const archivist = values.get('ARCHIVIST ORGANIZATION')
  const organization = values.get('CREATOR ORGANIZATION')
  const person = values.get('CREATOR INDIVIDUAL')
  const contact = [person, values.get('address'), values.get('email')].filter((part) => part !== undefined)
  return [
    agent(
      { ROLE: 'CREATOR', TYPE: 'OTHER', OTHERTYPE: 'SOFTWARE' },
      software,
      note(version, 'SOFTWARE VERSION'),
    ),
    ...(archivist === undefined ? [] : [agent({ ROLE: 'ARCHIVIST', TYPE: 'ORGANIZATION' }, archivist)]),
    // One alone submits (SIP15); notes of agents have a type, and none is for what one is reached by.
    organization === undefined
      ? agent({ ROLE: 'CREATOR', TYPE: 'INDIVIDUAL' }, person ?? '')
      : agent({ ROLE: 'CREATOR', TYPE: 'ORGANIZATION' }, organization),
    ...(contact.length === 0
      ? []
      : [agent({ ROLE: 'OTHER', OTHERROLE: 'CONTACT', TYPE: 'INDIVIDUAL' }, contact.join(', '))]),
  ]
}

const header = ({ labels, isRoot }: MetsDocument) => {
  const values = new Map(labels)
  const created = values.get('CREATEDATE') ?? ''
  return element(
    'metsHdr',
    {
      CREATEDATE: created,
      LASTMODDATE: created,
      RECORDSTATUS: 'NEW',
      'csip:OAISPACKAGETYPE': 'SIP',
    },
    ...(isRoot ? agents(labels) : []),
    ...(isRoot
      ? labels
          .filter(([label]) => (alternativeIdentifiers as readonly string[]).includes(label))
          .map(([label, value]) => element('altRecordID', { TYPE: label }, escaped(value)))
      : []),
  )
}

const fileAttributes = ({ mediaType, bytes, created, digest }: MetsFile, CHECKSUMTYPE: string) => ({
  MIMETYPE: mediaType,
  SIZE: bytes,
  CREATED: created,
  CHECKSUM: digest,
  CHECKSUMTYPE,
})

const descriptiveSection = ({ descriptive, checksumType }: MetsDocument) =>
  descriptive === null
    ? ''
    : `${element(
        'dmdSec',
        { ID: 'descriptive', CREATED: descriptive.file.created, STATUS: 'CURRENT' },
        element('mdRef', {
          ID: 'descriptive-file',
          MDTYPE: descriptive.MDTYPE,
          OTHERMDTYPE: descriptive.OTHERMDTYPE,
          ...link(descriptive.file.path),
          ...fileAttributes(descriptive.file, checksumType),
        }),
      )}\n`

const preservationSection = ({ preservation, checksumType }: MetsDocument) =>
  `${element(
    'amdSec',
    { ID: 'administrative' },
    element(
      'digiprovMD',
      { ID: 'preservation', CREATED: preservation.created, STATUS: 'CURRENT' },
      element('mdRef', {
        ID: 'preservation-file',
        MDTYPE: 'PREMIS',
        ...link(preservation.path),
        ...fileAttributes(preservation, checksumType),
      }),
    ),
  )}\n`

const structuralMap = ({ objectId, divisions }: MetsDocument) =>
  `${element(
    'structMap',
    { ID: 'structure', TYPE: 'PHYSICAL', LABEL: 'CSIP' },
    element(
      'div',
      { ID: 'package', LABEL: objectId },
      ...divisions.map(({ label, group, mets, descriptive, administrative }, index) =>
        element(
          'div',
          {
            ID: `division-${index + 1}`,
            LABEL: label,
            DMDID: descriptive ?? '',
            ADMID: administrative ?? '',
          },
          mets === undefined ? '' : element('mptr', { ...link(mets.path), 'xlink:title': mets.group }),
          group === undefined ? '' : element('fptr', { FILEID: group }),
        ),
      ),
    ),
  )}\n`

/** A METS as CSIP and SIP want it, part by part. */
export const metsOf = function* (document: MetsDocument): Generator<string> {
  const { objectId, label, labels, checksumType, groups } = document
  const values = new Map(labels)
  yield declaration
  yield `${opening('mets', {
    ...namespaces,
    'xsi:schemaLocation': document.schemaLocation(document.folder, described),
    OBJID: objectId,
    LABEL: label,
    TYPE: values.get('TYPE') ?? 'Mixed',
    'csip:CONTENTINFORMATIONTYPE': values.get('CONTENTINFORMATIONTYPE') ?? 'MIXED',
    PROFILE: values.get('PROFILE') ?? '',
  })}\n`
  yield `${header(document)}\n`
  yield descriptiveSection(document)
  yield preservationSection(document)
  if (groups.length > 0) yield `${opening('fileSec', { ID: 'files' })}\n`
  for (const { id, use, content = '', files } of groups) {
    yield `${opening('fileGrp', { ID: id, USE: use, 'csip:CONTENTINFORMATIONTYPE': content })}\n`
    let number = 0
    for (const { path, mediaType, bytes, created, digest } of files) {
      number += 1
      yield (
        `<file ID="${id}-${number}" MIMETYPE="${escaped(mediaType)}" SIZE="${bytes}" ` +
        `CREATED="${created}" CHECKSUM="${digest}" CHECKSUMTYPE="${checksumType}">` +
        `<FLocat LOCTYPE="URL" xlink:type="simple" xlink:href="${escaped(hrefOf(path))}"/></file>\n`
      )
    }
    yield '</fileGrp>\n'
  }
  if (groups.length > 0) yield '</fileSec>\n'
  yield structuralMap(document)
  yield '</mets>\n'
}
