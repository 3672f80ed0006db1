import { entryIn } from '../../../common/records.ts'
import type { IdentifiedKind } from './identifiers.ts'
import { csipNamespace, csipOf, listed, valueOf, type MetsContext } from './mets-context.ts'
import type { MetsProfile } from './profiles.ts'
import type { XmlElement } from './read-xml.ts'
import type { RuleId } from './rules.ts'
import { divisionIdRule } from './division-rules.ts'
import {
  agentRoles,
  agentTypes,
  contentCategories,
  isContentInformationType,
  metadataTypes,
  noteTypes,
} from './vocabularies.ts'

const idRules: Readonly<Record<string, RuleId>> = {
  dmdSec: 'CSIP18',
  digiprovMD: 'CSIP33',
  rightsMD: 'CSIP46',
  fileSec: 'CSIP59',
  fileGrp: 'CSIP65',
  file: 'CSIP67',
}
const idKinds: Readonly<Record<string, IdentifiedKind>> = {
  dmdSec: 'dmdSec',
  techMD: 'amdSec',
  rightsMD: 'amdSec',
  sourceMD: 'amdSec',
  digiprovMD: 'amdSec',
  fileGrp: 'fileGrp',
  file: 'file',
}
const identifierName = /^[\p{L}_][\p{L}\p{N}\p{M}._·-]*$/u

/** The rule of an element's identifier, where it must have one. */
export const idRuleOf = (
  element: XmlElement,
  path: readonly string[],
  isInCsipMap: boolean,
): RuleId | undefined => {
  if (element.name === 'structMap') return valueOf(element, 'LABEL') === 'CSIP' ? 'CSIP83' : undefined
  if (element.name === 'div')
    return isInCsipMap ? divisionIdRule(valueOf(element, 'LABEL'), path.length - 1) : undefined
  return entryIn(idRules, element.name)
}

/** Tests an identifier: where one is asked for, that it is there; everywhere, that it is one, and unique. */
export const testIdentifier = (element: XmlElement, rule: RuleId | undefined, context: MetsContext) => {
  const id = valueOf(element, 'ID')
  const isMissing = id === '' && element.attributes['ID'] === undefined
  if (isMissing && rule === undefined) return
  const isGood =
    identifierName.test(id) && context.identifiers.add(id, entryIn(idKinds, element.name) ?? 'other')
  if (isGood) return
  if (rule) context.breaks(rule, id)
  else context.found('mets-schema', `${element.name}/@ID: ${id}`)
}

/** Names of attributes that CSIP adds; in another namespace they say nothing. */
const csipAttributes = new Set([
  'OAISPACKAGETYPE',
  'NOTETYPE',
  'CONTENTINFORMATIONTYPE',
  'OTHERCONTENTINFORMATIONTYPE',
])

/** Values of attributes that METS has a list for, and no rule of CSIP. */
const lists: Readonly<
  Record<string, { attribute: string; isNeeded: boolean; values: ReadonlySet<string> }[]>
> = {
  agent: [
    { attribute: 'ROLE', isNeeded: true, values: agentRoles },
    { attribute: 'TYPE', isNeeded: false, values: agentTypes },
  ],
  mdWrap: [{ attribute: 'MDTYPE', isNeeded: true, values: metadataTypes }],
}

/** Identifiers that an element of a structMap names; everything else came before it. */
const references: Readonly<Record<string, string[]>> = { div: ['DMDID', 'ADMID'], fptr: ['FILEID'] }

/** Tests that values are such as METS has, where no rule of CSIP does. */
export const testValues = (element: XmlElement, { found, identifiers }: MetsContext) => {
  const { name } = element
  const say = (attribute: string, value: string) => found('mets-schema', `${name}/@${attribute}: ${value}`)
  for (const { attribute, isNeeded, values } of entryIn(lists, name) ?? []) {
    const value = valueOf(element, attribute)
    if ((isNeeded || value !== '') && !values.has(value)) say(attribute, value)
  }
  const noteType = name === 'note' ? csipOf(element, 'NOTETYPE') : ''
  if (noteType !== '' && !noteTypes.has(noteType)) say('csip:NOTETYPE', noteType)
  const contentType = csipOf(element, 'CONTENTINFORMATIONTYPE')
  if (contentType !== '' && !isContentInformationType(contentType))
    say('csip:CONTENTINFORMATIONTYPE', contentType)
  for (const attribute of entryIn(references, name) ?? []) {
    const lost = listed(valueOf(element, attribute)).find((id) => !identifiers.has(id))
    if (lost !== undefined) say(attribute, lost)
  }
}

/** Tests that what CSIP adds is in its namespace. */
export const testNamespaces = (element: XmlElement, { found }: MetsContext) => {
  for (const key in element.attributes) {
    const attribute = element.attributes[key]
    if (attribute && csipAttributes.has(attribute.local) && attribute.uri !== csipNamespace)
      found('mets-schema', `{${attribute.uri}}${attribute.local}`)
  }
}

/** Tests the root element. */
export const testRoot = (
  element: XmlElement,
  { isSip, breaks }: MetsContext,
  name: string | undefined,
  profile: MetsProfile,
) => {
  const identifier = valueOf(element, 'OBJID')
  if (identifier.trim() === '') breaks('CSIP1')
  else if (name !== undefined && identifier.normalize() !== name.normalize())
    breaks('CSIP1', `${identifier} ≠ ${name}`)
  const type = valueOf(element, 'TYPE')
  if (!contentCategories.has(type)) breaks('CSIP2', type)
  if (type.toLowerCase() === 'other' && csipOf(element, 'OTHERTYPE') === '') breaks('CSIP3')
  const content = csipOf(element, 'CONTENTINFORMATIONTYPE')
  if (!isContentInformationType(content)) breaks('CSIP4', content)
  if (content === 'OTHER' && csipOf(element, 'OTHERCONTENTINFORMATIONTYPE') === '') breaks('CSIP5')
  if (valueOf(element, 'PROFILE').trim() === '') breaks('CSIP6')
  if (isSip && !profile.isCanonical) breaks('SIP2', valueOf(element, 'PROFILE'))
}

/** Which section a child of mets begins, in the order that METS has them. */
const order = ['metsHdr', 'dmdSec', 'amdSec', 'fileSec', 'structMap', 'structLink', 'behaviorSec']
const single = new Set(['metsHdr', 'fileSec', 'structLink'])

/** Tests that sections follow each other as METS has them. */
export const orderTester = (found: MetsContext['found']) => {
  let last = -1
  return (name: string) => {
    const place = order.indexOf(name)
    if (place < last || (place === last && single.has(name))) found('mets-schema', `mets/${name}`)
    last = Math.max(last, place)
  }
}
