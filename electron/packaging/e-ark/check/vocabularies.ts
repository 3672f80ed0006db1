import { entryIn } from '../../../common/records.ts'

/**
 * Words that METS (1.12, http://www.loc.gov/METS/) and the vocabularies of the DILCIS Board
 * (https://dilcis.eu/content-types/csip) allow as values.
 */

export const contentCategories: ReadonlySet<string> = new Set([
  'Textual works – Print',
  'Textual works – Digital',
  'Textual works – Electronic Serials',
  'Digital Musical Composition (score-based representations)',
  'Photographs – Print',
  'Photographs – Digital',
  'Other Graphic Images – Print',
  'Other Graphic Images – Digital',
  'Microforms',
  'Audio – On Tangible Medium (digital or analog)',
  'Audio – Media-independent (digital)',
  'Motion Pictures – Digital and Physical Media',
  'Video – File-based and Physical Media',
  'Software',
  'Datasets',
  'Dataset',
  'Geospatial Data',
  'Databases',
  'Websites',
  'Collection',
  'Event',
  'Interactive resource',
  'Physical object',
  'Service',
  'Mixed',
  'Other',
  // The text of CSIP2 spells it so.
  'OTHER',
])

/** The names of specifications carry a version that goes up: citssiard_v2_2_0 and the like. */
const versionedType = /^cit[cs][a-z0-9]+_v\d+(_\d+)*$/
const contentTypes = new Set(['ERMS', 'SIARD1', 'SIARD2', 'SIARDDK', 'GeoData', 'Geodata', 'MIXED', 'OTHER'])

export const isContentInformationType = (value: string) =>
  contentTypes.has(value) || versionedType.test(value)

export const packageTypes: ReadonlySet<string> = new Set(['SIP', 'AIP', 'DIP', 'AIU', 'AIC'])

export const recordStatuses: ReadonlySet<string> = new Set([
  'NEW',
  'SUPPLEMENT',
  'REPLACEMENT',
  // So it is spelled in the vocabulary that was published.
  'REPLEACEMENT',
  'TEST',
  'VERSION',
  'DELETE',
  'OTHER',
])

/** Values that a METS may have where no rule of CSIP asks for one (METS 1.12, and the schema of CSIP). */
export const agentRoles: ReadonlySet<string> = new Set([
  'CREATOR',
  'EDITOR',
  'ARCHIVIST',
  'PRESERVATION',
  'DISSEMINATOR',
  'CUSTODIAN',
  'IPOWNER',
  'OTHER',
])
export const agentTypes: ReadonlySet<string> = new Set(['INDIVIDUAL', 'ORGANIZATION', 'OTHER'])
export const noteTypes: ReadonlySet<string> = new Set(['SOFTWARE VERSION', 'IDENTIFICATIONCODE'])

export const sectionStatuses: ReadonlySet<string> = new Set(['CURRENT', 'SUPERSEDED'])

export const metadataTypes: ReadonlySet<string> = new Set([
  'MARC',
  'MODS',
  'EAD',
  'DC',
  'NISOIMG',
  'LC-AV',
  'VRA',
  'TEIHDR',
  'DDI',
  'FGDC',
  'LOM',
  'PREMIS',
  'PREMIS:OBJECT',
  'PREMIS:AGENT',
  'PREMIS:RIGHTS',
  'PREMIS:EVENT',
  'TEXTMD',
  'METSRIGHTS',
  'ISO 19115:2003 NAP',
  'EAC-CPF',
  'LIDO',
  'OTHER',
])

/** By which digests may be made (METS 1.12): those of a set length of hexadecimal digits by their names. */
export const checksumTypes: ReadonlyMap<string, 'sha512' | 'sha384' | 'sha256' | 'sha1' | 'md5' | null> =
  new Map([
    ['SHA-512', 'sha512'],
    ['SHA-384', 'sha384'],
    ['SHA-256', 'sha256'],
    ['SHA-1', 'sha1'],
    ['MD5', 'md5'],
    ['Adler-32', null],
    ['CRC32', null],
    ['HAVAL', null],
    ['MNP', null],
    ['TIGER', null],
    ['WHIRLPOOL', null],
  ])

const children: Readonly<Record<string, readonly string[]>> = {
  mets: ['metsHdr', 'dmdSec', 'amdSec', 'fileSec', 'structMap', 'structLink', 'behaviorSec'],
  metsHdr: ['agent', 'altRecordID', 'metsDocumentID'],
  agent: ['name', 'note'],
  dmdSec: ['mdRef', 'mdWrap'],
  amdSec: ['techMD', 'rightsMD', 'sourceMD', 'digiprovMD'],
  techMD: ['mdRef', 'mdWrap'],
  rightsMD: ['mdRef', 'mdWrap'],
  sourceMD: ['mdRef', 'mdWrap'],
  digiprovMD: ['mdRef', 'mdWrap'],
  mdWrap: ['binData', 'xmlData'],
  fileSec: ['fileGrp'],
  fileGrp: ['fileGrp', 'file'],
  file: ['FLocat', 'FContent', 'stream', 'transformFile', 'file'],
  FContent: ['binData', 'xmlData'],
  structMap: ['div'],
  div: ['mptr', 'fptr', 'div'],
  fptr: ['par', 'seq', 'area'],
  par: ['area', 'seq'],
  seq: ['area', 'par'],
  structLink: ['smLink', 'smLinkGrp'],
  smLinkGrp: ['smLocatorLink', 'smArcLink'],
  behaviorSec: ['behaviorSec', 'behavior'],
  behavior: ['interfaceDef', 'mechanism'],
}

/** Whether METS has such an element in such another (METS 1.12). */
export const isChild = (parent: string, name: string): boolean =>
  entryIn(children, parent)?.includes(name) === true
