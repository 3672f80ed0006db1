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
  const isRecord = rows.length === 1 && unreadable.length === 0
  return {
    rows: isRecord ? rows.map(({ model, raw }) => ({ model, raw, text })) : rows,
    unreadable,
    digest: digestOf(element),
    bytes: element.length,
  }
}

/**
 * An element whose records are texts that lie somewhere else.
 * @param bytes of the element, where they are its only record
 * @param lay puts a text where it is to lie
 */
export const withTextsLaid = (
  { rows, unreadable, digest, bytes: length }: NewElement,
  bytes: Buffer,
  lay: (text: Uint8Array) => Piece,
): NewElement => ({
  rows: rows.map(({ model, raw, text }) => ({
    model,
    text: lay(text === undefined ? Buffer.from(JSON.stringify(raw)) : bytes),
  })),
  unreadable,
  digest,
  bytes: length,
})
