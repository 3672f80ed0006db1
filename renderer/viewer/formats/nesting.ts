/** Elements that end by themselves: void ones, and those whose end may be left out (HTML 13.1.2). */
const endingByThemselves = new Set(
  (
    'area base br col embed hr img input link meta source track wbr ' +
    'p li dt dd option optgroup rt rp td th tr tbody thead tfoot colgroup caption'
  ).split(' '),
)
/** It takes seconds to look through so many elements. Pages that people make need a hundredth of it. */
const mostLooked = 100_000_000

/**
 * Whether elements of HTML stand so deep in one another, and are so many, that it would be parsed for ever:
 * every parser looks through those that are open at each tag.
 */
export const isTooDeep = (html: string): boolean => {
  const open: string[] = []
  const counts = new Map<string, number>()
  let looked = 0
  const count = (name: string, by: 1 | -1) => counts.set(name, (counts.get(name) ?? 0) + by)
  for (const [, slash, written = ''] of html.matchAll(/<(\/?)([a-z][^\s/>]*)/gi)) {
    const name = written.toLowerCase()
    if (endingByThemselves.has(name)) continue
    looked += open.length
    if (looked > mostLooked) return true
    if (slash === '') {
      open.push(name)
      count(name, 1)
    } else if ((counts.get(name) ?? 0) > 0)
      for (let last = open.pop(); last !== undefined; last = last === name ? undefined : open.pop())
        count(last, -1)
  }
  return false
}
