import * as v from 'valibot'

/** What of a list's rows somebody wants to see: by field the values of which one is enough. */
export const filtersOf = <Field extends string>(fields: readonly Field[]) =>
  v.record(v.picklist(fields), v.pipe(v.array(v.pipe(v.string(), v.maxLength(500))), v.maxLength(100)))

/** What a list is narrowed to: by the name of a field the values of which one is enough. */
export type ListFilters = Readonly<Record<string, readonly string[]>>

/** So many values of a field are given at most: nobody reads through more. */
export const mostFacetValues = 500

/** A value of a field, what it is called, and how many of the rows that match everything else have it. */
export interface FacetValue {
  value: string
  /** The empty text where it is called by its value. */
  name: string
  count: number
}
