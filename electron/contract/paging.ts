import * as v from 'valibot'

/** More rows nobody sees at once. */
const mostRows = 500

/** How many rows are wanted at most. */
export const limit = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostRows))
/** How many rows stand before the first that is wanted. */
export const offset = v.pipe(v.number(), v.integer(), v.minValue(0))

/** Which rows of a list are wanted. */
export const paging = { offset, limit }
