/**
 * Whether an identifier can be the name of a folder, as an archive that takes packages over its interface
 * lays each into one: no slash, no control character, no space at its ends, and neither "." nor "..".
 */
export const isFolderName = (identifier: string): boolean =>
  /^[^/\\\p{Cc}]+$/u.test(identifier) &&
  identifier === identifier.trim() &&
  identifier !== '.' &&
  identifier !== '..'
