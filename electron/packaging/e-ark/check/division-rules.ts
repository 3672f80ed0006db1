import { useOf, uses, type FileGroups, type Use } from './file-rules.ts'
import { listed, valueOf, xlinkOf, type MetsContext } from './mets-context.ts'
import type { XmlElement } from './read-xml.ts'
import type { RuleId } from './rules.ts'

/** The rules of the divisions that CSIP has names for. */
const useRules: Readonly<Record<Use, { id: RuleId; label: RuleId; is: RuleId; all: RuleId; one: RuleId }>> = {
  Documentation: { id: 'CSIP94', label: 'CSIP95', is: 'CSIP93', all: 'CSIP96', one: 'CSIP116' },
  Schemas: { id: 'CSIP98', label: 'CSIP99', is: 'CSIP97', all: 'CSIP100', one: 'CSIP118' },
  Representations: { id: 'CSIP102', label: 'CSIP103', is: 'CSIP101', all: 'CSIP104', one: 'CSIP119' },
}

/** What else of a METS and its package the rules of its divisions ask for. */
export interface DivisionContext {
  groups: FileGroups
  hasMetadata: () => boolean
  /** Whether the package has a representation of this name. */
  hasRepresentation: (name: string) => boolean
}

const isUse = (label: string): label is Use => (uses as readonly string[]).includes(label)

/** The rule of a division's identifier, by its label and how deep it lies in the map. */
export const divisionIdRule = (label: string, depth: number): RuleId | undefined => {
  if (depth === 1) return 'CSIP85'
  if (depth !== 2) return undefined
  if (label === 'Metadata') return 'CSIP89'
  return isUse(label) ? useRules[label].id : 'CSIP106'
}

/** The label of CSIP that one means, however it is written. */
const meantBy = (label: string) =>
  (['Metadata', ...uses] as const).find((known) => known.toLowerCase() === label.trim().toLowerCase())

interface Division {
  label: string
  pointers: number
  metsPointers: number
}

/** The rules of the divisions of the structMap that CSIP describes, those right below its only one. */
export const divisionRules = (context: MetsContext, divisionContext: DivisionContext) => {
  const { isRoot, breaks, identifiers } = context
  const { groups, hasMetadata, hasRepresentation } = divisionContext
  const counts = { Metadata: 0, Documentation: 0, Schemas: 0, Representations: 0 }
  /** Divisions of one representation each. */
  let representations = 0
  let division: Division | undefined

  const testSections = (element: XmlElement) => {
    for (const [attribute, kind, rule] of [
      ['ADMID', 'amdSec', 'CSIP91'],
      ['DMDID', 'dmdSec', 'CSIP92'],
    ] as const) {
      const named = listed(valueOf(element, attribute))
      for (const id of named) identifiers.name(id, kind)
      const lost = named.find((id) => !identifiers.isA(id, kind))
      if (lost !== undefined || !identifiers.areAllNamed(kind)) breaks(rule, lost ?? '')
    }
  }
  const testLabel = (label: string) => {
    const known = meantBy(label)
    if (known !== undefined) {
      counts[known] += 1
      if (known !== label) breaks(isUse(known) ? useRules[known].label : 'CSIP90', label)
      return
    }
    if (!isRoot) return
    const [, name] = /^Representations\/([^/]+)/.exec(label) ?? []
    if (name !== undefined) representations += 1
    if (name === undefined || !hasRepresentation(name)) breaks('CSIP107', label)
  }
  return {
    open: (element: XmlElement) => {
      const label = valueOf(element, 'LABEL')
      division = { label, pointers: 0, metsPointers: 0 }
      testLabel(label)
      if (label === 'Metadata') testSections(element)
    },
    /** An fptr. */
    point: (element: XmlElement) => {
      if (!division || !isUse(division.label)) return
      division.pointers += 1
      const id = valueOf(element, 'FILEID')
      if (useOf(groups.uses.get(id) ?? '') !== division.label) breaks(useRules[division.label].one, id)
    },
    /** An mptr. */
    pointToMets: (element: XmlElement) => {
      if (!division) return
      division.metsPointers += 1
      const title = xlinkOf(element, 'title')
      if (!identifiers.isA(title, 'fileGrp')) breaks('CSIP108', title)
    },
    close: () => {
      if (!division) return
      const { label, pointers, metsPointers } = division
      if (isUse(label) && metsPointers === 0 && pointers !== groups.counts[label])
        breaks(useRules[label].all, `${pointers} ≠ ${groups.counts[label]}`)
      if (isRoot && label.startsWith('Representations/') && metsPointers !== 1)
        breaks('CSIP109', `${label}: ${metsPointers}`)
      division = undefined
    },
    /** When all of them came. */
    end: () => {
      if (hasMetadata() && counts.Metadata !== 1) breaks('CSIP88', `${counts.Metadata}`)
      for (const use of uses) {
        const divisions = counts[use] + (use === 'Representations' ? representations : 0)
        if (counts[use] > 1 || (groups.counts[use] > 0 && divisions === 0))
          breaks(useRules[use].is, `${divisions}`)
      }
    },
  }
}
