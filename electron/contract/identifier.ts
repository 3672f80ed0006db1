/**
 * Whether an identifier can be the name of a folder, as an archive that takes packages over its interface
 * lays each into one: no slash, no control character, no space at its ends, and neither "." nor "..".
 */
export const isFolderName = (identifier: string): boolean =>
  /^[^/\\\p{Cc}]+$/u.test(identifier) &&
  identifier === identifier.trim() &&
  identifier !== '.' &&
  identifier !== '..'

/**
 * Whether an archive that takes packages over its interface can take one of this identifier to the end. What
 * it is to receive it is asked for by an address, in which its framework lets an identifier have no dot; it
 * makes none with signs that some systems have in no name of a file. A new generation has its id there.
 */
export const isSubmissible = (form: { identifier: string; generationOf?: unknown }): boolean =>
  isFolderName(form.identifier) && (form.generationOf !== undefined || !/[.|*<>:"?]/.test(form.identifier))
