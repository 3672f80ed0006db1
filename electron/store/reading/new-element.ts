import { readElement } from '../../archive-client/split-array.ts'
import type { Listing } from '../../dialects/listing.ts'
import type { Piece } from '../cache/bundles.ts'
import { digestOf } from '../cache/element-cursor.ts'
import type { NewElement } from '../cache/row-table.ts'

/** How an element is read, where the list has it at this position. */
export type ReadRows = (
  element: unknown,
  position: number,
) => Listing<{ id: string | number; refs?: string[] }>

/**
 * Reads an element that is not known by its text.
 * @param position of the element in its list
 * @throws SplitError where it is not JSON
 */
export const readNew = (element: Buffer, position: number, readRows: ReadRows): NewElement => {
  const text = element.toString('utf8')
  const { rows, unreadable } = readRows(readElement(text), position)
  return { rows, unreadable, digest: digestOf(element), bytes: element.length, text }
}

/**
 * An element whose text is the record of its only row, without having that twice.
 * @param lay puts a text where it is to lie
 */
export const withoutRaw = (element: NewElement, lay: () => Piece): NewElement => {
  const { rows, unreadable, digest, bytes } = element
  if (rows.length !== 1 || unreadable.length > 0) return element
  const models = rows.map(({ model }) => ({ model, raw: undefined }))
  return { rows: models, unreadable, digest, bytes, text: lay() }
}
