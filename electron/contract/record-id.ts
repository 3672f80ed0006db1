import * as v from 'valibot'

/** The most characters an id has that an archive gives its records. Those of the known ones have 36. */
export const longestId = 300

/** The id of a record of the archive, as the page gives it back. */
export const recordId = v.pipe(v.string(), v.minLength(1), v.maxLength(longestId))
