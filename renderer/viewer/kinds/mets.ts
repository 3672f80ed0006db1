import { element } from '../element.ts'
import type { Stage } from '../kind.ts'
import { allIn, firstIn, pathIn, textAt, type XmlElement } from '../formats/xml-tree.ts'
import { described } from '../parts/description.ts'
import { fieldList } from '../parts/field-list.ts'
import { countIn, sizeIn } from '../parts/numbers.ts'
import { premisRows } from '../parts/premis-rows.ts'
import { drawDescription, drawRecords, type RecordRow } from '../parts/records.ts'

/** The path under which an element names a file; what else it is known by where that is none. */
const pathOf = (file: XmlElement) => {
  const { href = '' } = (firstIn(file, 'FLocat', 'mptr', 'mdRef') ?? file).attributes
  return pathIn(href) || href || (file.attributes['ID'] ?? '')
}
const filesOf = (file: XmlElement) => {
  const { href = '' } = (firstIn(file, 'FLocat', 'mptr', 'mdRef') ?? file).attributes
  return [pathIn(href)].filter(Boolean)
}

const fileRow = (file: XmlElement, { say, language }: Stage): RecordRow => {
  const { attributes } = file
  const path = pathOf(file)
  const bytes = Number(attributes['SIZE'])
  const size = attributes['SIZE'] === undefined || Number.isNaN(bytes) ? '' : sizeIn(language, bytes)
  return {
    depth: 1,
    label: path,
    values: [size, attributes['MIMETYPE'] ?? ''],
    sign: 'file',
    files: filesOf(file),
    detail: () => [
      element('h2', {}, path.split('/').at(-1) ?? path),
      fieldList(
        [
          { name: say.records.path, value: path },
          { name: say.folder.size, value: size },
          { name: say.elements.format, value: attributes['MIMETYPE'] ?? '' },
          { name: say.records.made, value: attributes['CREATED'] ?? '' },
          { name: attributes['CHECKSUMTYPE'] ?? say.records.digest, value: attributes['CHECKSUM'] ?? '' },
          { name: say.records.use, value: attributes['USE'] ?? '' },
        ].filter(({ value }) => value !== ''),
      ),
    ],
  }
}

/** The divisions of a package, with the files that lie in them. */
const divisionRows = (division: XmlElement, depth: number, filesById: Map<string, XmlElement>): RecordRow[] =>
  division.inside.flatMap((inner): RecordRow[] => {
    if (inner.name === 'div') {
      const { LABEL: label = '', TYPE: type = '' } = inner.attributes
      const row = {
        depth,
        label: label || type || inner.name,
        text: label === '' ? '' : type,
        isFolded: depth > 2,
        detail: () => [element('h2', {}, label || type)],
      }
      return [row, ...divisionRows(inner, depth + 1, filesById)]
    }
    const id = inner.attributes['FILEID']
    if (inner.name !== 'fptr' || id === undefined) return []
    const file = filesById.get(id)
    const path = file ? pathOf(file) : id
    return [
      {
        depth,
        label: path,
        sign: 'file',
        files: file ? filesOf(file) : [],
        detail: () => [element('h2', {}, path)],
      },
    ]
  })

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
      return [{ depth: 1, label, text, files, detail }, ...premis]
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
  const rows: RecordRow[] = [
    {
      depth: 0,
      label: title,
      text: tree.attributes['TYPE'] ?? '',
      detail: () => [
        ...described(title, header ?? { name: '', attributes: {}, text: '', inside: [] }, say),
        fieldList(
          [
            { name: say.elements.identifier, value: tree.attributes['OBJID'] ?? '' },
            { name: say.elements.type, value: tree.attributes['TYPE'] ?? '' },
            { name: say.records.made, value: header?.attributes['CREATEDATE'] ?? '' },
          ].filter(({ value }) => value !== ''),
        ),
      ],
    },
    ...metadataRows(tree, stage),
    ...(files.length > 0 ? [section(say.records.files, countIn(language, files.length))] : []),
    ...files.map((file) => fileRow(file, stage)),
    ...allIn(tree, 'structMap').flatMap((map) => [
      section(say.records.structure, map.attributes['LABEL'] ?? map.attributes['TYPE'] ?? ''),
      ...divisionRows(map, 1, filesById),
    ]),
  ]
  addFacts(
    { name: 'files', value: countIn(language, files.length) },
    { name: 'made', value: header?.attributes['CREATEDATE'] ?? '' },
    { name: 'program', value: header ? textAt(header, 'name') : '' },
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
