import { element } from '../element.ts'
import type { Stage } from '../kind.ts'
import { firstIn, pathIn, type XmlElement } from '../formats/xml-tree.ts'
import { fieldList } from './field-list.ts'
import { sizeIn } from './numbers.ts'
import type { RecordRow } from './records.ts'

/** The path under which an element names a file; what else it is known by where that is none. */
export const pathOf = (file: XmlElement) => {
  const { href = '' } = (firstIn(file, 'FLocat', 'mptr', 'mdRef') ?? file).attributes
  return pathIn(href) || href || (file.attributes['ID'] ?? '')
}
/** Files of the package that an element names, by their paths: one, or none for what lies elsewhere. */
export const filesOf = (file: XmlElement) => {
  const { href = '' } = (firstIn(file, 'FLocat', 'mptr', 'mdRef') ?? file).attributes
  return [pathIn(href)].filter(Boolean)
}

/** A file, with what is said of it. */
export const fileRow = (file: XmlElement, { say, language }: Stage): RecordRow => {
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
export const divisionRows = (
  division: XmlElement,
  depth: number,
  filesById: Map<string, XmlElement>,
): RecordRow[] =>
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
