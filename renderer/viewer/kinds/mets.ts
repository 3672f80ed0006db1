import { element } from '../element.ts'
import type { Stage } from '../kind.ts'
import { allIn, firstIn, textAt, textIn, type XmlElement } from '../formats/xml-tree.ts'
import { codeIn, described } from '../parts/description.ts'
import { fieldList } from '../parts/field-list.ts'
import { divisionRows, fileRow, filesOf, pathOf } from '../parts/mets-rows.ts'
import { countIn, timeFormat } from '../parts/numbers.ts'
import { premisRows } from '../parts/premis-rows.ts'
import { drawDescription, drawRecords, type RecordRow } from '../parts/records.ts'

/** Descriptions and what was done with the files, where they are in the document itself. */
const metadataRows = (tree: XmlElement, stage: Stage): RecordRow[] =>
  ['dmdSec', 'amdSec'].flatMap((section) => {
    const wraps = allIn(tree, section).flatMap((part) => [...allIn(part, 'mdWrap'), ...allIn(part, 'mdRef')])
    if (wraps.length === 0) return []
    const heading = section === 'dmdSec' ? stage.say.records.description : stage.say.records.preservation
    const rows = wraps.flatMap((wrap): RecordRow[] => {
      const label = wrap.attributes['MDTYPE'] ?? wrap.attributes['OTHERMDTYPE'] ?? wrap.name
      const text = wrap.name === 'mdRef' ? pathOf(wrap) : ''
      const inner = firstIn(wrap, 'xmlData') ?? wrap
      const premis = premisRows(firstIn(wrap, 'premis') ?? inner, stage, 2)
      const files = wrap.name === 'mdRef' ? filesOf(wrap) : []
      const detail = () => described(text || label, inner, stage.say)
      return [{ depth: 1, label, text, files, detail, said: () => textIn(inner) }, ...premis]
    })
    return [
      {
        depth: 0,
        label: heading,
        text: countIn(stage.language, wraps.length),
        detail: () => [element('h2', {}, heading)],
      },
      ...rows,
    ]
  })

/** What wrote the document, as far as that is said. */
const programOf = (header: XmlElement | undefined) => {
  const agents = header ? allIn(header, 'agent') : []
  const program = agents.find(({ attributes }) => /software/i.test(attributes['OTHERTYPE'] ?? ''))
  return program ? textAt(program, 'name') : ''
}

/** What a package is made of (METS 1): its header, descriptions, files and structure. */
export const draw = drawDescription((tree, stage) => {
  const { say, language, addFacts } = stage
  const files = allIn(firstIn(tree, 'fileSec') ?? tree, 'file')
  const filesById = new Map(files.map((file) => [file.attributes['ID'] ?? '', file]))
  const title = tree.attributes['LABEL'] ?? tree.attributes['OBJID'] ?? say.kinds.mets
  const section = (label: string, text: string): RecordRow => ({
    depth: 0,
    label,
    text,
    detail: () => [element('h2', {}, label)],
  })
  const header = firstIn(tree, 'metsHdr')
  const written = header?.attributes['CREATEDATE'] ?? ''
  const made = timeFormat(language)(new Date(written)) || written
  const rows: RecordRow[] = [
    {
      depth: 0,
      label: title,
      text: tree.attributes['TYPE'] ?? '',
      said: () => (header ? textIn(header) : ''),
      detail: () => [
        ...described(title, header ?? { name: '', attributes: {}, text: '', inside: [] }, say),
        fieldList(
          [
            { name: say.elements.identifier, value: tree.attributes['OBJID'] ?? '' },
            { name: say.elements.type, value: tree.attributes['TYPE'] ?? '' },
            { name: say.records.made, value: made },
          ].filter(({ value }) => value !== ''),
        ),
      ],
    },
    ...metadataRows(tree, stage),
    ...(files.length > 0 ? [section(say.records.files, countIn(language, files.length))] : []),
    ...files.map((file) => fileRow(file, stage)),
    ...allIn(tree, 'structMap').flatMap((map) => [
      section(say.records.structure, map.attributes['LABEL'] ?? codeIn(map.attributes['TYPE'] ?? '', say)),
      ...divisionRows(map, 1, filesById),
    ]),
  ]
  addFacts(
    { name: 'files', value: countIn(language, files.length) },
    { name: 'made', value: made },
    { name: 'program', value: programOf(header) },
  )
  return drawRecords(rows, stage, {
    name: say.kinds.mets,
    heading: say.records.name,
    columns: [
      { label: say.folder.size, width: '90px', isNumber: true },
      { label: say.elements.format, width: '150px' },
    ],
  })
})
