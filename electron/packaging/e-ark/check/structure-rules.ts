import { divisionRules, type DivisionContext } from './division-rules.ts'
import { testLocator, valueOf, xlinkOf, type MetsContext, type SectionRules } from './mets-context.ts'
import type { XmlElement } from './read-xml.ts'

const locatorRules = { locator: 'CSIP112', type: 'CSIP111', href: 'CSIP110' } as const

/**
 * The rules of structMap: those of the one that CSIP describes; others are read for the METS that they name.
 */
export const structureRules = (context: MetsContext, divisionContext: DivisionContext) => {
  const { breaks, refer } = context
  const divisions = divisionRules(context, divisionContext)
  const maps = { all: 0, csip: 0 }
  let isOfCsip = false
  let topDivisions = 0

  const openMap = (element: XmlElement) => {
    maps.all += 1
    isOfCsip = valueOf(element, 'LABEL') === 'CSIP'
    if (!isOfCsip) return
    maps.csip += 1
    topDivisions = 0
    const type = valueOf(element, 'TYPE')
    if (type !== 'PHYSICAL') breaks('CSIP81', type)
  }
  const openMetsPointer = (element: XmlElement) => {
    const href = isOfCsip ? testLocator(element, locatorRules, context) : xlinkOf(element, 'href')
    refer({ href, size: '', checksum: '', checksumType: '', isMets: true })
    if (isOfCsip) divisions.pointToMets(element)
  }
  return {
    open: (element, path) => {
      const depth = path.length - 1
      if (element.name === 'structMap') openMap(element)
      else if (element.name === 'mptr') openMetsPointer(element)
      else if (!isOfCsip) return
      else if (element.name === 'div' && depth === 1) topDivisions += 1
      else if (element.name === 'div' && depth === 2) divisions.open(element)
      else if (element.name === 'fptr') divisions.point(element)
    },
    close: (name, path) => {
      if (!isOfCsip) return
      if (name === 'div' && path.length - 1 === 2) divisions.close()
      if (name !== 'structMap') return
      if (topDivisions !== 1) breaks('CSIP84', `${topDivisions}`)
      divisions.end()
    },
    /** When the METS is over. */
    end: () => {
      if (maps.all === 0 || maps.csip > 1) breaks('CSIP80', `${maps.csip}`)
      else if (maps.csip === 0) breaks('CSIP82')
    },
  } satisfies SectionRules & { end: () => void }
}
