import * as v from 'valibot'

/** The most characters an id has that an archive gives its records. Those of the known ones have 36. */
export const longestId = 300

/** The id of a record of the archive, as the page gives it back. */
export const recordId = v.pipe(v.string(), v.minLength(1), v.maxLength(longestId))

/** The id of what the desk itself made: a draft, a check, a note, what waits in the outbox. */
export const deskId = v.pipe(v.string(), v.uuid())

/** The id that the desk gave an archive; empty stands for none where a call says so. */
export const archiveId = v.pipe(v.string(), v.maxLength(100))
