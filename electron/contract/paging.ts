import * as v from 'valibot'

/** More rows nobody sees at once. */
const mostRows = 500

/** How many rows are wanted at most. */
export const limit = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostRows))
/** How many rows stand before the first that is wanted. */
export const offset = v.pipe(v.number(), v.integer(), v.minValue(0))

/** Which rows of a list are wanted. */
export const paging = { offset, limit }

/** What somebody typed in a list to go to the next row that begins so, and the line to begin at. */
export const beginning = {
  begins: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  from: v.pipe(v.number(), v.integer(), v.minValue(0)),
}

/** A part of a list, and how much of it there is. */
export interface Listed<Row> {
  rows: Row[]
  /** Rows that match, and rows there are: "126 of 4 812". */
  total: number
  of: number
  /** Lines to scroll through: the matching rows and the open ones below them. */
  lines: number
  asOf: string | null
}
