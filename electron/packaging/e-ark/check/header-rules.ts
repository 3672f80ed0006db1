import { csipOf, isDateTime, valueOf, type MetsContext, type SectionRules } from './mets-context.ts'
import type { XmlElement } from './read-xml.ts'
import type { RuleId } from './rules.ts'
import { packageTypes, recordStatuses } from './vocabularies.ts'

/** What stands in an element is kept so far; nothing that rules ask for is longer. */
const longestText = 4_096
/** So much is kept of what the header says; what is more is told. */
export const mostLabels = 1_000

interface Agent {
  role: string
  type: string
  otherType: string
  name: string
  hasName: boolean
  /** The types of its notes, the first hundred; and whether one of them is empty. */
  noteTypes: string[]
  notes: number
  hasEmptyNote: boolean
}

const isOrganizationOrPerson = (type: string) => type === 'ORGANIZATION' || type === 'INDIVIDUAL'

/** What the agents of a METS were, as far as rules ask for it. */
const agentCounts = () => ({
  all: 0,
  software: 0,
  /** Agents that are software but for their role, type or other type. */
  almost: { role: 0, type: 0, otherType: 0 },
  archivists: 0,
  submitters: { organizations: 0, persons: 0 },
  /** Agents that would submit but for their role or type. */
  nearly: { role: 0, type: 0 },
})
type AgentCounts = ReturnType<typeof agentCounts>

/** Tests the note of a kind of agent: an identification code. */
const testCode = (agent: Agent, rule: RuleId, { breaks }: MetsContext) => {
  const other = agent.noteTypes.find((type) => type !== 'IDENTIFICATIONCODE')
  if (other !== undefined) breaks(rule, other)
}

const testSoftware = (agent: Agent, { breaks }: MetsContext) => {
  if (agent.name === '') breaks('CSIP14')
  if (agent.notes !== 1 || agent.hasEmptyNote) breaks('CSIP15', `${agent.notes}`)
  const other = agent.noteTypes.find((type) => type !== 'SOFTWARE VERSION')
  if (other !== undefined) breaks('CSIP16', other)
}

/** Counts an agent that makes or submits, and tests what rules ask of it. */
const countCreator = (agent: Agent, counts: AgentCounts, context: MetsContext) => {
  const { type, otherType, name } = agent
  if (type === 'OTHER' && otherType === 'SOFTWARE') {
    counts.software += 1
    testSoftware(agent, context)
    return
  }
  if (otherType === 'SOFTWARE') counts.almost.type += 1
  if (!isOrganizationOrPerson(type)) {
    if (otherType !== 'SOFTWARE') counts.almost.otherType += type === 'OTHER' ? 1 : 0
    counts.nearly.type += 1
    return
  }
  if (!context.isSip || otherType === 'SOFTWARE') return
  if (type === 'ORGANIZATION') {
    counts.submitters.organizations += 1
    if (name === '') context.breaks('SIP18')
    testCode(agent, 'SIP20', context)
  } else {
    counts.submitters.persons += 1
    if (name === '') context.breaks('SIP24')
  }
}

const countAgent = (agent: Agent, counts: AgentCounts, context: MetsContext) => {
  const { role, type, otherType, name } = agent
  counts.all += 1
  if (role === 'CREATOR') return countCreator(agent, counts, context)
  if (type === 'OTHER' && otherType === 'SOFTWARE') counts.almost.role += 1
  if (!context.isSip) return
  if (role === 'ARCHIVIST') {
    counts.archivists += 1
    if (!isOrganizationOrPerson(type)) context.breaks('SIP11', type)
    if (name === '') context.breaks('SIP12')
    testCode(agent, 'SIP14', context)
  } else if (role === 'PRESERVATION') {
    if (type !== 'ORGANIZATION') context.breaks('SIP28', type)
    if (name === '') context.breaks('SIP29')
    testCode(agent, 'SIP31', context)
  } else if (isOrganizationOrPerson(type)) counts.nearly.role += 1
}

/** Tests what all agents together must be. */
const testAgents = (counts: AgentCounts, { isRoot, isSip, breaks }: MetsContext) => {
  // A representation may leave them to the package.
  if (!isRoot && counts.all === 0) return
  if (counts.software === 0) {
    if (counts.almost.role > 0) breaks('CSIP11')
    else if (counts.almost.type > 0) breaks('CSIP12')
    else if (counts.almost.otherType > 0) breaks('CSIP13')
    else breaks('CSIP10')
  }
  if (!isSip) return
  const { organizations, persons } = counts.submitters
  if (organizations > 1) breaks('SIP15', `${organizations}`)
  if (organizations + persons === 0) {
    if (counts.nearly.role > 0) breaks('SIP16')
    else if (counts.nearly.type > 0) breaks('SIP17')
    else breaks('SIP15', '0')
  }
  if (counts.archivists > 1) breaks('SIP9', `${counts.archivists}`)
}

const testHeader = (element: XmlElement, { isSip, breaks }: MetsContext) => {
  const created = valueOf(element, 'CREATEDATE')
  if (!isDateTime(created)) breaks('CSIP7', created)
  const type = csipOf(element, 'OAISPACKAGETYPE')
  if (!packageTypes.has(type)) breaks('CSIP9', type)
  if (isSip && type !== 'SIP') breaks('SIP4', type)
  const status = valueOf(element, 'RECORDSTATUS')
  if (isSip && status !== '' && !recordStatuses.has(status)) breaks('SIP3', status)
}

/** What a METS says of its package, for people. */
export type Labels = [label: string, value: string][]

/**
 * The rules of metsHdr.
 * @param labels takes what the header says
 */
export const headerRules = (context: MetsContext, labels: Labels): SectionRules => {
  const counts = agentCounts()
  const alternatives = { SUBMISSIONAGREEMENT: 0, REFERENCECODE: 0 }
  let agent: Agent | undefined
  let label = ''
  let text = ''
  const say = (name: string, value: string) => {
    if (value !== '' && labels.length < mostLabels) labels.push([name, value])
  }
  const open = (element: XmlElement) => {
    text = ''
    if (element.name === 'metsHdr') {
      testHeader(element, context)
      for (const name of ['CREATEDATE', 'RECORDSTATUS']) say(name, valueOf(element, name))
      say('OAISPACKAGETYPE', csipOf(element, 'OAISPACKAGETYPE'))
    } else if (element.name === 'agent') {
      const [role, type, otherType] = ['ROLE', 'TYPE', 'OTHERTYPE'].map((name) => valueOf(element, name))
      agent = {
        role: role ?? '',
        type: type ?? '',
        otherType: otherType ?? '',
        name: '',
        hasName: false,
        noteTypes: [],
        notes: 0,
        hasEmptyNote: false,
      }
    } else if (element.name === 'note' && agent) {
      agent.notes += 1
      if (agent.noteTypes.length < 100) agent.noteTypes.push(csipOf(element, 'NOTETYPE'))
    } else if (element.name === 'altRecordID') {
      label = valueOf(element, 'TYPE')
      if (label === 'SUBMISSIONAGREEMENT' || label === 'REFERENCECODE') alternatives[label] += 1
    }
  }
  const close = (name: string) => {
    const value = text.trim()
    if (name === 'name' && agent) {
      agent.name = value
      agent.hasName = true
    }
    if (name === 'note' && agent) agent.hasEmptyNote ||= value === ''
    else if (name === 'altRecordID') say(label, value)
    else if (name === 'agent' && agent) {
      if (!agent.hasName) context.found('mets-schema', 'agent: name')
      countAgent(agent, counts, context)
      say([agent.role, agent.otherType || agent.type].join(' ').trim(), agent.name)
      agent = undefined
    } else if (name === 'metsHdr') {
      testAgents(counts, context)
      if (context.isSip && alternatives.SUBMISSIONAGREEMENT > 1) context.breaks('SIP5')
      if (context.isSip && alternatives.REFERENCECODE > 1) context.breaks('SIP7')
    }
    text = ''
  }
  return {
    open,
    text: (part) => {
      if (text.length < longestText) text += part.slice(0, longestText - text.length)
    },
    close,
  }
}
