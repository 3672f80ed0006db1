/** Where the texts of a column may be broken: nowhere, between words, or wherever a line ends. */
export type Breaks = 'nowhere' | 'between words' | 'anywhere'

/** What a list has on A4 between its margins; in pixels, 96 an inch. */
const paperWidth = 640
/** A sign of 12 px in the widest typeface of a list, and what stands between columns; in pixels. */
const signWidth = 7.2
const gap = 14
/** A text of so many signs is a date, a code or a size, which is read as one. */
const longestWhole = 22
/** Fewer signs than this are no column. */
const leastSigns = 6

/**
 * Where each column of a printed list is broken, so that no word is as long as there is room for it.
 * @param columns the texts of each column from top to bottom, its heading among them
 */
export const breaksOf = (columns: readonly (readonly string[])[]): Breaks[] => {
  const longest = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => text.length))
  const widthOf = (signs: number) => Math.max(leastSigns, signs) * signWidth + gap
  const measured = columns.map((texts, index) => {
    const isWhole = longest(texts) <= longestWhole
    const words = longest(texts.flatMap((text) => text.split(/\s+/)))
    return { index, isWhole, line: widthOf(longest(texts)), word: widthOf(words) }
  })
  const breaks = columns.map((): Breaks => 'anywhere')
  let left = paperWidth - columns.length * widthOf(0)
  const take = (index: number, width: number, how: Breaks) => {
    if (width > left) return
    left -= width
    breaks[index] = how
  }
  // Those that need least come first: what is too long for its column is broken alone.
  for (const { index, word } of measured.toSorted((one, other) => one.word - other.word))
    take(index, word - widthOf(0), 'between words')
  for (const { index, isWhole, line, word } of measured)
    if (isWhole && breaks[index] === 'between words') take(index, line - word, 'nowhere')
  return breaks
}
