/**
 * What a line that is no text of its encoding is replaced by. A checksum cannot begin with it, so it is never
 * taken for one.
 */
export const undecodable = '\u0000'
/** What stands before the beginning of a line that is too long. */
export const tooLong = '\u0001'
