import { entryIn } from '../../../electron/common/records.ts'
import { element } from '../element.ts'
import { firstIn, textAt, type XmlElement } from '../formats/xml-tree.ts'
import { described, nameOf } from '../parts/description.ts'
import { findInFlow } from '../parts/flow.ts'
import { drawDescription } from '../parts/records.ts'

const schemas: Record<string, string> = {
  mods: 'MODS',
  modsCollection: 'MODS',
  'eac-cpf': 'EAC-CPF',
  eac: 'EAC-CPF',
}
const mostRecords = 500

const titleOf = (record: XmlElement) =>
  textAt(firstIn(record, 'nameEntry') ?? firstIn(record, 'titleInfo') ?? record, 'part', 'title', 'unittitle')

/** One description, or a few, as a page: Dublin Core, MODS, and of authorities EAC-CPF. */
export const draw = drawDescription((tree, stage) => {
  const { say, root, addFacts, note } = stage
  const records = tree.name === 'modsCollection' ? tree.inside : [tree]
  if (records.length > mostRecords) note(say.cut)
  addFacts({ name: 'schema', value: entryIn(schemas, tree.name) ?? 'Dublin Core' })
  const article = element(
    'article',
    { class: 'record' },
    ...records
      .slice(0, mostRecords)
      .flatMap((record) => described(titleOf(record) || nameOf(record, say), record, say)),
  )
  root.append(article)
  return { find: findInFlow(article, stage, stage.signal), text: () => root.innerText }
})
