import {
  contentOf,
  csipOf,
  listed,
  testContent,
  testLocator,
  valueOf,
  type MetsContext,
  type SectionRules,
} from './mets-context.ts'
import type { XmlElement } from './read-xml.ts'
import type { RuleId } from './rules.ts'
import { isContentInformationType } from './vocabularies.ts'

/** What groups of files are for, by the beginning of their use. */
export const uses = ['Documentation', 'Schemas', 'Representations'] as const
export type Use = (typeof uses)[number]

export const useOf = (value: string): Use | undefined =>
  uses.find((use) => value === use || value.startsWith(`${use}/`))

/** In which group the files of a folder belong. */
const folders: readonly { folder: RegExp; use: Use; rule: RuleId }[] = [
  { folder: /^(\.\/)?documentation\//, use: 'Documentation', rule: 'CSIP60' },
  { folder: /^(\.\/)?schemas\//, use: 'Schemas', rule: 'CSIP113' },
  { folder: /^(\.\/)?representations\//, use: 'Representations', rule: 'CSIP114' },
]

/** The groups of files of a METS with their uses; groups that are named here hold files. */
export interface FileGroups {
  /** By identifier, the first hundred thousand. */
  uses: Map<string, string>
  /** Of representations those alone whose files this METS describes, and not another that it names. */
  counts: Record<Use, number>
}
const mostGroups = 100_000

export const noGroups = (): FileGroups => ({
  uses: new Map(),
  counts: { Documentation: 0, Schemas: 0, Representations: 0 },
})

const locatorRules = { locator: 'CSIP77', type: 'CSIP78', href: 'CSIP79' } as const
const contentRules = {
  mimeType: 'CSIP68',
  size: 'CSIP69',
  created: 'CSIP70',
  checksum: 'CSIP71',
  checksumType: 'CSIP72',
} as const

interface Group {
  id: string
  use: string
  files: number
  /** Files that are no METS. */
  content: number
}

const isMetsName = (href: string) => /(^|\/)METS\.xml$/i.test(href)

const testGroup = (element: XmlElement, { isRoot, breaks }: MetsContext) => {
  const use = valueOf(element, 'USE')
  if (use === '') breaks('CSIP64')
  const type = csipOf(element, 'CONTENTINFORMATIONTYPE')
  const isOfRepresentation = isRoot && useOf(use) === 'Representations'
  if (isOfRepresentation && !isContentInformationType(type)) breaks('CSIP62', type)
  if (type === 'OTHER' && csipOf(element, 'OTHERCONTENTINFORMATIONTYPE') === '') breaks('CSIP63')
}

/** The rules of fileSec. */
export const fileRules = (context: MetsContext, groups: FileGroups): SectionRules => {
  const { isRoot, breaks, refer, identifiers } = context
  const open: Group[] = []
  let file: XmlElement | undefined
  let locators = 0
  /** Lists of identifiers that were good; most files have the same. */
  const good = { amdSec: '', dmdSec: '' }
  const testNames = (value: string, kind: 'amdSec' | 'dmdSec', rule: RuleId) => {
    if (value === '' || value === good[kind]) return
    const lost = listed(value).find((id) => !identifiers.isA(id, kind))
    if (lost === undefined) good[kind] = value
    else breaks(rule, lost)
  }
  const openGroup = (element: XmlElement) => {
    testGroup(element, context)
    testNames(valueOf(element, 'ADMID'), 'amdSec', 'CSIP61')
    const group = {
      id: valueOf(element, 'ID'),
      use: valueOf(element, 'USE') || (open.at(-1)?.use ?? ''),
      files: 0,
      content: 0,
    }
    for (const above of open) above.files += 1
    open.push(group)
    if (groups.uses.size < mostGroups) groups.uses.set(group.id, group.use)
  }
  const openFile = (element: XmlElement) => {
    file = element
    locators = 0
    const group = open.at(-1)
    if (group) group.files += 1
    testContent(element, contentRules, context)
    testNames(valueOf(element, 'ADMID'), 'amdSec', 'CSIP74')
    testNames(valueOf(element, 'DMDID'), 'dmdSec', 'CSIP75')
  }
  const openLocator = (element: XmlElement) => {
    locators += 1
    const href = testLocator(element, locatorRules, context)
    if (!file) return
    const group = open.at(-1)
    const isMets = isRoot && isMetsName(href)
    if (group && !isMets) group.content += 1
    const place = folders.find(
      ({ folder, use }) => folder.test(href) && (isRoot || use !== 'Representations'),
    )
    if (place && useOf(group?.use ?? '') !== place.use) breaks(place.rule, `${group?.use ?? ''}: ${href}`)
    refer({ ...contentOf(file), href, isMets })
  }
  return {
    open: (element) => {
      if (element.name === 'fileGrp') openGroup(element)
      else if (element.name === 'file') openFile(element)
      else if (element.name === 'FLocat') openLocator(element)
    },
    close: (name) => {
      if (name === 'file') {
        if (locators !== 1) breaks('CSIP76', `${locators}`)
        file = undefined
      } else if (name === 'fileGrp') {
        const group = open.pop()
        if (!group) return
        if (group.files === 0) breaks('CSIP66', group.use)
        const use = useOf(group.use)
        if (use && group.content > 0) groups.counts[use] += 1
      }
    },
  }
}
