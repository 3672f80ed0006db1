import * as v from 'valibot'

/** More rows nobody sees at once. */
const most = 500

/** How many things are wanted at once. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most))
/** How many rows stand before the first that is wanted. */
export const offset = v.pipe(v.number(), v.integer(), v.minValue(0))

/** Which rows of a list are wanted. */
export const paging = { offset, limit: count }
