/** Scripts that run from right to left: two parts beside each other would stand the wrong way round. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
/** Half of a character, or what is drawn over the one before it. */
const goesOn = /^[\p{M}\u200d\udc00-\udfff]/u

/**
 * Where the end of a file's name begins, that is left when the name has not the room that it needs: leaves of
 * a volume differ in their last number, and versions of a letter in what stands in brackets.
 * @param kept of how many characters that end is
 * @returns the length of the name where all of it is one part
 */
export const endOf = (name: string, kept: number): number => {
  // What is hardly longer than its end has no beginning that could be cut.
  if (name.length <= kept + 6 || rightToLeft.test(name)) return name.length
  let at = name.length - kept
  while (at > 0 && goesOn.test(name.slice(at))) at -= 1
  return at
}
