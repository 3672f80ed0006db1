import { textAt } from '../formats/xml-tree.ts'
import { drawDescription, drawRecords } from '../parts/records.ts'
import { premisRows } from '../parts/premis-rows.ts'

/** What was done with files for their preservation (PREMIS 2 and 3). */
export const draw = drawDescription((tree, stage) => {
  const { say, addFacts } = stage
  addFacts({ name: 'version', value: tree.attributes['version'] ?? '' })
  addFacts({ name: 'format', value: textAt(tree, 'formatName') })
  return drawRecords(premisRows(tree, stage), stage, {
    name: say.kinds.premis,
    heading: say.records.name,
    columns: [{ label: say.elements.date, width: '190px' }],
  })
})
