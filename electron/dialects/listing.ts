import * as v from 'valibot'
import type { Unreadable } from '../contract/failure.ts'

export interface Row<T> {
  model: T
  /** The record as the archive gave it. */
  raw: unknown
}

/**
 * What a list holds: the records that could be read, and where the others stand and what is wrong with them.
 */
export interface Listing<T> {
  rows: Row<T>[]
  unreadable: (Unreadable & { raw: unknown })[]
}

const whyOf = (error: unknown): { inside: string; why: string } => {
  if (!v.isValiError(error)) throw error
  const [issue] = error.issues
  return { inside: v.getDotPath(issue) ?? '', why: issue.message }
}

/**
 * Reads records one by one: one that cannot be read is named with its path and does not take the others with
 * it. Neither is a
 * second record with the same id, which would hide the first; the very same record twice is the same record.
 * @param path where the records stand, for instance "/api/agents/"
 * @param known the records of the same list that were read before, by their ids
 * @param from the place of the first of these records in its list
 */
export const readRows = <T extends { id: string | number }>(
  path: string,
  records: unknown[],
  read: (record: unknown) => T,
  { known = new Map(), from = 0 }: { known?: Map<string | number, unknown>; from?: number } = {},
): Listing<T> => {
  const listing: Listing<T> = { rows: [], unreadable: [] }
  records.forEach((raw, index) => {
    try {
      const model = read(raw)
      const duplicate = known.get(model.id)
      if (duplicate === undefined) listing.rows.push({ model, raw })
      else if (JSON.stringify(duplicate) !== JSON.stringify(raw))
        listing.unreadable.push({
          path: `${path}[${from + index}].id`,
          why: `Another record has the id ${model.id}`,
          raw,
        })
      known.set(model.id, raw)
    } catch (error) {
      const { inside, why } = whyOf(error)
      listing.unreadable.push({
        path: `${path}[${from + index}]${inside === '' ? '' : `.${inside}`}`,
        why,
        raw,
      })
    }
  })
  return listing
}

/** Several listings as one. */
export const joined = <T>(listings: Listing<T>[]): Listing<T> => ({
  rows: listings.flatMap(({ rows }) => rows),
  unreadable: listings.flatMap(({ unreadable }) => unreadable),
})

/**
 * A list of the interface: where it is, and how one element of it is read, which may hold several records.
 */
export interface ListDefinition<T> {
  /** Below the base of the dialect's conventions. */
  path: string
  /**
   * Another one wherever a record may come out otherwise than before, or is found by other words: what is
   * held is then read anew.
   */
  version: number
  /**
   * @param from the place of the element in its list
   * @param above the id of the record that it stood below, where it is one that was held of a nested element
   */
  read: (element: unknown, from: number, above?: string | null) => Listing<T>
  /**
   * Parameters for an order in which what comes or changes stands at the end of the list, so that nothing
   * moves between the pages that were read; for archives that give it in pages.
   */
  pageOrder?: Readonly<Record<string, string>>
  /**
   * Where an archive has views: two of them that together are the list, and which elements of the second are
   * not in the first. `likely` is a part of the second in which these usually stand: where it makes up for
   * the number of records that the second has, which `counted` tells, the rest of that is in the first.
   */
  views?: {
    path: string
    beside: string
    likely: string | null
    counted: string | null
    isWanted: (record: unknown) => boolean
  }
}

/** A list whose elements are one record each, and how a record is read. */
export interface PlainList<T> extends Pick<ListDefinition<T>, 'path' | 'version' | 'pageOrder'> {
  read: (record: unknown) => T
}

/**
 * A list whose elements are one record each.
 * @param base of the dialect's conventions: a record that cannot be read is said to stand below it
 */
export const plainList = <T extends { id: string | number }>(
  { path, version, pageOrder, read }: PlainList<T>,
  base: string,
): ListDefinition<T> => ({
  path,
  version,
  ...(pageOrder ? { pageOrder } : {}),
  read: (element, from) => readRows(`/${base}${path}`, [element], read, { from }),
})
