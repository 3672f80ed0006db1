import { entryIn } from '../../../common/records.ts'
import {
  contentOf,
  isDateTime,
  testContent,
  testLocator,
  testMetadataType,
  valueOf,
  xlinkOf,
  type ContentRules,
  type LocatorRules,
  type MetsContext,
  type SectionRules,
} from './mets-context.ts'
import type { XmlElement } from './read-xml.ts'
import type { RuleId } from './rules.ts'
import { sectionStatuses } from './vocabularies.ts'

/** The rules of one kind of metadata section. */
interface SectionIds extends LocatorRules, ContentRules {
  status: RuleId
  reference: RuleId
  metadataType: RuleId
}

const sections: Readonly<Record<string, SectionIds>> = {
  dmdSec: {
    status: 'CSIP20',
    reference: 'CSIP21',
    locator: 'CSIP22',
    type: 'CSIP23',
    href: 'CSIP24',
    metadataType: 'CSIP25',
    mimeType: 'CSIP26',
    size: 'CSIP27',
    created: 'CSIP28',
    checksum: 'CSIP29',
    checksumType: 'CSIP30',
  },
  digiprovMD: {
    status: 'CSIP34',
    reference: 'CSIP35',
    locator: 'CSIP36',
    type: 'CSIP37',
    href: 'CSIP38',
    metadataType: 'CSIP39',
    mimeType: 'CSIP40',
    size: 'CSIP41',
    created: 'CSIP42',
    checksum: 'CSIP43',
    checksumType: 'CSIP44',
  },
  rightsMD: {
    status: 'CSIP47',
    reference: 'CSIP48',
    locator: 'CSIP49',
    type: 'CSIP50',
    href: 'CSIP51',
    metadataType: 'CSIP52',
    mimeType: 'CSIP53',
    size: 'CSIP54',
    created: 'CSIP55',
    checksum: 'CSIP56',
    checksumType: 'CSIP57',
  },
}

/** Where CSIP wants the files of a section (CSIPSTR6 and 7); relative to the METS. */
const places: Readonly<Record<string, { rule: RuleId; folder: RegExp }>> = {
  dmdSec: { rule: 'CSIPSTR7', folder: /^(file:\/{0,3})?(\.\/)?metadata\/descriptive\// },
  digiprovMD: { rule: 'CSIPSTR6', folder: /^(file:\/{0,3})?(\.\/)?metadata\/preservation\// },
}

/** The rules of the sections of metadata. */
export const metadataRules = (context: MetsContext): SectionRules => {
  const { breaks, refer } = context
  let section = ''
  let references = 0
  const openReference = (element: XmlElement) => {
    references += 1
    const ids = entryIn(sections, section)
    const place = entryIn(places, section)
    // Those of other kinds name files as well; CSIP has no rules for them.
    const href = ids ? testLocator(element, ids, context) : xlinkOf(element, 'href')
    if (ids) {
      testMetadataType(element, ids.metadataType, context)
      testContent(element, ids, context)
    }
    if (place && href !== '' && !place.folder.test(href)) breaks(place.rule, href)
    refer({ ...contentOf(element), href, isMets: false })
  }
  const open = (element: XmlElement) => {
    const { name } = element
    if (name === 'mdRef') return openReference(element)
    const ids = entryIn(sections, name)
    if (name === 'dmdSec' || name.endsWith('MD')) {
      section = name
      references = 0
    }
    if (!ids) return
    const created = valueOf(element, 'CREATED')
    if (name === 'dmdSec' && !isDateTime(created)) breaks('CSIP19', created)
    const status = valueOf(element, 'STATUS')
    if (!sectionStatuses.has(status)) breaks(ids.status, status)
  }
  const close = (name: string) => {
    const ids = entryIn(sections, name)
    if (ids && references === 0) breaks(ids.reference)
  }
  return { open, close }
}
