import type { FindingCode } from '../../../contract/findings.ts'
import type { Identifiers } from './identifiers.ts'
import { attributeOf, type XmlElement } from './read-xml.ts'
import type { RuleId } from './rules.ts'
import { checksumTypes, metadataTypes } from './vocabularies.ts'

export const metsNamespace = 'http://www.loc.gov/METS/'
const xlinkNamespace = 'http://www.w3.org/1999/xlink'
export const csipNamespace = 'https://DILCIS.eu/XML/METS/CSIPExtensionMETS'

/** What a METS says of a file: where it is, and how it is known again; empty where it does not say. */
export interface Reference {
  href: string
  size: string
  checksum: string
  checksumType: string
  /** Whether the METS that is named is to be read as well, as it describes a part of the package. */
  isMets: boolean
}

/** Whether it is a division's, which says nothing of the content: a group names the same file as well. */
export const isPointer = ({ isMets, checksumType }: Reference) => isMets && checksumType === ''

/** What the rules of a METS know of it, and whom they tell. */
export interface MetsContext {
  /** Whether it is that of the package, else of a representation. */
  isRoot: boolean
  /** Whether the rules of E-ARK SIP hold, beside those of CSIP. */
  isSip: boolean
  identifiers: Identifiers
  breaks: (rule: RuleId, detail?: string) => void
  found: (code: FindingCode, detail: string) => void
  refer: (reference: Reference) => void
}

/** The rules of one section of a METS; `path` are the names above an element, outermost first. */
export interface SectionRules {
  open: (element: XmlElement, path: readonly string[]) => void
  text?: (text: string) => void
  close: (name: string, path: readonly string[]) => void
}

export const valueOf = (element: XmlElement, name: string) => attributeOf(element, name) ?? ''
export const csipOf = (element: XmlElement, name: string) => attributeOf(element, name, csipNamespace) ?? ''
export const xlinkOf = (element: XmlElement, name: string) => attributeOf(element, name, xlinkNamespace) ?? ''

const dateTime = /^-?\d{4,}-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?$/

/** Whether a value is an xs:dateTime (XML Schema 1.0, 3.2.7), as far as its numbers can be so large. */
export const isDateTime = (value: string): boolean => {
  const [matched, ...numbers] = dateTime.exec(value.trim()) ?? []
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers.slice(0, 5).map(Number)
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= 31
  return matched !== undefined && isDay && hour <= 24 && minute <= 59 && second <= 59
}

const mediaType = /^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+(\s*;.*)?$/s
const digestLength = { sha512: 128, sha384: 96, sha256: 64, sha1: 40, md5: 32 } as const

const isChecksum = (checksum: string, type: string): boolean => {
  const algorithm = checksumTypes.get(type)
  if (!algorithm) return checksum.trim() !== ''
  return checksum.length === digestLength[algorithm] && /^[0-9a-f]*$/i.test(checksum)
}

/** The rules of what names a file's place. */
export interface LocatorRules {
  locator: RuleId
  type: RuleId
  href: RuleId
}

/** Tests what names a file's place (an mdRef, FLocat or mptr); gives the reference. */
export const testLocator = (
  element: XmlElement,
  { locator, type, href }: LocatorRules,
  { breaks }: MetsContext,
): string => {
  if (valueOf(element, 'LOCTYPE') !== 'URL') breaks(locator, valueOf(element, 'LOCTYPE'))
  if (xlinkOf(element, 'type') !== 'simple') breaks(type, xlinkOf(element, 'type'))
  const reference = xlinkOf(element, 'href')
  if (reference.trim() === '') breaks(href)
  return reference
}

/** The rules of what tells a file's content. */
export interface ContentRules {
  mimeType: RuleId
  size: RuleId
  created: RuleId
  checksum: RuleId
  checksumType: RuleId
}

/** Tests what tells a file's content (on an mdRef or file). */
export const testContent = (element: XmlElement, rules: ContentRules, { breaks }: MetsContext) => {
  const value = (name: string) => valueOf(element, name)
  if (!mediaType.test(value('MIMETYPE'))) breaks(rules.mimeType, value('MIMETYPE'))
  if (!/^\+?\d+$/.test(value('SIZE').trim())) breaks(rules.size, value('SIZE'))
  if (!isDateTime(value('CREATED'))) breaks(rules.created, value('CREATED'))
  if (!isChecksum(value('CHECKSUM'), value('CHECKSUMTYPE'))) breaks(rules.checksum, value('CHECKSUM'))
  if (!checksumTypes.has(value('CHECKSUMTYPE'))) breaks(rules.checksumType, value('CHECKSUMTYPE'))
}

/** What an element says of a file's content. */
export const contentOf = (element: XmlElement) => ({
  size: valueOf(element, 'SIZE').trim(),
  checksum: valueOf(element, 'CHECKSUM').trim().toLowerCase(),
  checksumType: valueOf(element, 'CHECKSUMTYPE'),
})

export const testMetadataType = (element: XmlElement, rule: RuleId, { breaks }: MetsContext) => {
  const type = valueOf(element, 'MDTYPE')
  if (!metadataTypes.has(type)) breaks(rule, type)
}

/** Identifiers of a list (xs:IDREFS). */
export const listed = (value: string): string[] => value.split(/\s+/).filter((id) => id !== '')
