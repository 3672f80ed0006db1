import { entryIn } from '../../../electron/common/records.ts'
import type { Stage } from '../kind.ts'
import { allIn, firstIn, pathIn, textAt, textIn, type XmlElement } from '../formats/xml-tree.ts'
import { described } from '../parts/description.ts'
import { countIn } from '../parts/numbers.ts'
import { drawDescription, drawRecords, type RecordRow } from '../parts/records.ts'

const isComponent = ({ name }: XmlElement) => /^c(0[1-9]|1[0-2])?$/.test(name)
/** What belongs to a unit itself, and not to those below. */
const notItself = new Set([
  'dsc',
  'c',
  ...Array.from({ length: 12 }, (_, at) => `c${String(at + 1).padStart(2, '0')}`),
])

/** When what is described was made; EAD 3 may have the two ends of it apart. */
const datesOf = (did: XmlElement): string => {
  const range = firstIn(did, 'daterange')
  const ends = range ? [textAt(range, 'fromdate'), textAt(range, 'todate')].join('–') : ''
  return textAt(did, 'unitdate') || ends || textAt(did, 'unitdatestructured')
}

const rowsIn = (unit: XmlElement, depth: number, { say }: Stage): RecordRow => {
  const did = unit.inside.find(({ name }) => name === 'did') ?? unit
  const title = textAt(did, 'unittitle') || textAt(did, 'unitid') || (unit.attributes['level'] ?? unit.name)
  const level = unit.attributes['otherlevel'] ?? unit.attributes['level'] ?? ''
  return {
    depth,
    label: title,
    text: textAt(did, 'unitid'),
    values: [entryIn(say.levels, level) ?? level, datesOf(did)],
    isFolded: depth > 1,
    files: unit.inside
      .filter(({ name }) => !notItself.has(name))
      .flatMap((inner) => [inner, ...allIn(inner, 'dao'), ...allIn(inner, 'daoloc')])
      .filter(({ name }) => name === 'dao' || name === 'daoloc')
      .map(({ attributes }) => pathIn(attributes['href'] ?? ''))
      .filter(Boolean),
    detail: () => described(title, unit, say, notItself),
    said: () => textIn({ ...unit, inside: unit.inside.filter(({ name }) => !notItself.has(name)) }),
  }
}

/** A finding aid (EAD 2002 and 3): what an archive holds, unit below unit. */
export const draw = drawDescription((tree, stage) => {
  const { say, language, addFacts } = stage
  const rows: RecordRow[] = []
  const walk = (unit: XmlElement, depth: number) => {
    for (const inner of unit.inside)
      if (isComponent(inner)) {
        rows.push(rowsIn(inner, depth, stage))
        walk(inner, depth + 1)
      } else if (inner.name === 'dsc') walk(inner, depth)
  }
  const archive = firstIn(tree, 'archdesc') ?? tree
  rows.push(rowsIn(archive, 0, stage))
  walk(archive, 1)
  const header = firstIn(tree, 'eadheader', 'control')
  if (header)
    rows.push({
      depth: 0,
      label: say.records.findingAid,
      text: textAt(header, 'titleproper'),
      detail: () => described(say.records.findingAid, header, say),
      said: () => textIn(header),
    })
  addFacts({ name: 'units', value: countIn(language, rows.length - (header ? 1 : 0)) })
  return drawRecords(rows, stage, {
    name: say.kinds.ead,
    heading: say.elements.unittitle,
    columns: [
      { label: say.records.level, width: '110px' },
      { label: say.elements.unitdate, width: '120px' },
    ],
  })
})
