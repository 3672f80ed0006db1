import type { FindingCode } from '../../../contract/findings.ts'
import { partsOf } from '../../entries/file-parts.ts'
import type { OpenFile } from '../../entries/package-files.ts'
import {
  idRuleOf,
  orderTester,
  testIdentifier,
  testNamespaces,
  testRoot,
  testValues,
} from './element-rules.ts'
import { fileRules, noGroups, type FileGroups } from './file-rules.ts'
import { headerRules, type Labels } from './header-rules.ts'
import { identifiers } from './identifiers.ts'
import {
  metsNamespace,
  valueOf,
  type MetsContext,
  type Reference,
  type SectionRules,
} from './mets-context.ts'
import { profileOf, type MetsProfile } from './profiles.ts'
import { readXml, XmlTrouble, type XmlElement } from './read-xml.ts'
import type { RuleId } from './rules.ts'
import { metadataRules } from './section-rules.ts'
import { structureRules } from './structure-rules.ts'
import { isChild } from './vocabularies.ts'

/** Who hears of a METS as it is read. */
export interface MetsListener {
  /** Whether it is that of the package, else of a representation. */
  isRoot: boolean
  /** The name that CSIP1 wants as its identifier; undefined where none is asked for. */
  name: string | undefined
  /** Whether the package has a representation of this name. */
  hasRepresentation: (name: string) => boolean
  /** What the METS of the package follows, for those of its representations; undefined for that itself. */
  profile: MetsProfile | undefined
  breaks: (rule: RuleId, detail: string, line: number | null) => void
  found: (code: FindingCode, detail: string, line: number | null) => void
  refer: (reference: Reference, line: number) => void
  /** Hears what it follows, as soon as that is known. */
  isOf: (profile: MetsProfile) => void
  gate: () => boolean
}

/** What a METS is, once it was read. */
export interface MetsRead {
  labels: Labels
  identifier: string
  /** Whether it was read to its end. */
  isWhole: boolean
}

/** What is told of an element goes to the line that its tag begins in. */
const contextOf = (
  listener: MetsListener,
  bytes: number,
  state: { profile: MetsProfile | undefined; lines: number[] },
): MetsContext => {
  const line = () => state.lines.at(-1) ?? null
  return {
    isRoot: listener.isRoot,
    isSip: false,
    identifiers: identifiers(bytes),
    breaks: (rule, detail = '') => {
      if (state.profile?.isEArk === true) listener.breaks(rule, detail, line())
    },
    found: (code, detail) => listener.found(code, detail, line()),
    refer: (reference) => listener.refer(reference, line() ?? 1),
  }
}

/** How often elements came that rules ask for. */
const elementCounts = () =>
  new Map<string, number>(
    ['metsHdr', 'dmdSec', 'amdSec', 'digiprovMD', 'mdRef', 'mdWrap', 'fileSec'].map((name) => [name, 0]),
  )

/** Tests what a METS must have, when it is over. */
const testWhole = (counts: Map<string, number>, { isRoot, breaks }: MetsContext) => {
  const count = (name: string) => counts.get(name) ?? 0
  const sections = count('amdSec')
  if (count('metsHdr') === 0) breaks('CSIP117')
  if (isRoot && count('dmdSec') === 0) breaks('CSIP17')
  if (isRoot ? sections !== 1 : sections > 1) breaks('CSIP31', `${sections}`)
  if (isRoot && count('digiprovMD') === 0) breaks('CSIP32')
  if (count('fileSec') === 0) breaks('CSIP58')
}

const sectionRules = (
  context: MetsContext,
  labels: Labels,
  groups: FileGroups,
  structMap: SectionRules,
): Readonly<Record<string, SectionRules>> => {
  const metadata = metadataRules(context)
  return {
    metsHdr: headerRules(context, labels),
    dmdSec: metadata,
    amdSec: metadata,
    fileSec: fileRules(context, groups),
    structMap,
  }
}

const rootLabels = (element: XmlElement): Labels =>
  ['OBJID', 'LABEL', 'TYPE', 'PROFILE'].flatMap((name): Labels => {
    const value = valueOf(element, name)
    return value === '' ? [] : [[name, value]]
  })

/** The rules of a METS as it is read, element by element. */
const metsRules = (listener: MetsListener, bytes: number) => {
  const path: string[] = []
  const state: Parameters<typeof contextOf>[2] = { profile: undefined, lines: [] }
  const context = contextOf(listener, bytes, state)
  const labels: Labels = []
  const counts = elementCounts()
  let identifier = ''
  /** How deep in something is that METS says nothing of. */
  let foreign = 0
  let isInCsipMap = false
  const divisionContext = {
    groups: noGroups(),
    hasMetadata: () => counts.get('mdRef') !== 0 || counts.get('mdWrap') !== 0,
    hasRepresentation: listener.hasRepresentation,
  }
  const structure = structureRules(context, divisionContext)
  const sections = sectionRules(context, labels, divisionContext.groups, structure)
  const testOrder = orderTester(context.found)

  const openRoot = (element: XmlElement) => {
    // Of what is no METS, METS has no rules.
    if (element.namespace !== metsNamespace || element.name !== 'mets')
      throw new XmlTrouble('not-mets', `{${element.namespace}}${element.name}`, element.line)
    const profile = listener.profile ?? profileOf(element)
    state.profile = profile
    listener.isOf(profile)
    context.isSip = profile.isSip && listener.isRoot
    identifier = valueOf(element, 'OBJID')
    labels.push(...rootLabels(element))
    testRoot(element, context, listener.name, profile)
  }
  const openKnown = (element: XmlElement) => {
    const { name } = element
    const count = counts.get(name)
    if (count !== undefined) counts.set(name, count + 1)
    if (path.length === 1) testOrder(name)
    if (name === 'structMap') isInCsipMap = valueOf(element, 'LABEL') === 'CSIP'
    testIdentifier(element, idRuleOf(element, path, isInCsipMap), context)
    sections[path[1] ?? name]?.open(element, path)
  }
  const open = (element: XmlElement) => {
    const { name, namespace } = element
    const parent = path.at(-1)
    state.lines.push(element.line)
    if (foreign > 0) foreign += 1
    else if (parent !== undefined && (namespace !== metsNamespace || !isChild(parent, name))) {
      // What stands in xmlData is foreign, and may.
      if (parent !== 'xmlData') context.found('mets-schema', `${parent}/${name}`)
      foreign = 1
    } else {
      if (parent === undefined) openRoot(element)
      else openKnown(element)
      if (foreign === 0) {
        testValues(element, context)
        testNamespaces(element, context)
      }
    }
    path.push(name)
  }
  const close = (name: string) => {
    path.pop()
    if (foreign > 0) foreign -= 1
    else sections[path[1] ?? name]?.close(name, path)
    state.lines.pop()
  }
  const text = (part: string) => {
    if (foreign === 0) sections[path[1] ?? '']?.text?.(part)
  }
  return {
    reader: { open, close, text },
    end: () => {
      testWhole(counts, context)
      structure.end()
    },
    read: (isWhole: boolean): MetsRead => ({ labels, identifier, isWhole }),
  }
}

/**
 * Reads a METS and tests the rules of CSIP, and where it says so of SIP, on the way; of its files nothing is
 * kept.
 * @throws XmlTrouble, TooManyNames
 */
export const readMets = async (file: OpenFile, listener: MetsListener): Promise<MetsRead> => {
  const { reader, end, read } = metsRules(listener, file.bytes)
  const isWhole = await readXml(partsOf(file), reader, listener.gate)
  if (isWhole) end()
  return read(isWhole)
}
