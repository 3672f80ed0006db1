/** Where the texts of a column may be broken: nowhere, between words, or wherever a line ends. */
export type Breaks = 'nowhere' | 'between words' | 'anywhere'

/** What a list has on A4 between its margins; in pixels, 96 an inch. */
const paperWidth = 640
/** A sign of 12 px as it is read by people and by machines, and what stands between columns; in pixels. */
const signWidth = 6.3
const exactWidth = 7.2
const gap = 14
/** A text of so many signs is a date, a code or a size, which is read as one. */
const longestWhole = 22
/** Fewer signs than this are no column. */
const leastSigns = 6

interface PrintedColumn {
  /** From top to bottom, the heading among them. */
  texts: readonly string[]
  /** Of one width for every sign. */
  isExact: boolean
}

/** Where each column of a printed list is broken, so that no word is as long as there is room for it. */
export const breaksOf = (columns: readonly PrintedColumn[]): Breaks[] => {
  const longest = (texts: readonly string[]) => Math.max(leastSigns, ...texts.map((text) => text.length))
  const measured = columns.map(({ texts, isExact }, index) => {
    const widthOf = (signs: number) => signs * (isExact ? exactWidth : signWidth) + gap
    const word = longest(texts.flatMap((text) => text.split(/\s+/)))
    return {
      index,
      isWhole: longest(texts) <= longestWhole,
      hasWords: word <= longestWhole,
      least: widthOf(leastSigns),
      word: widthOf(word),
      line: widthOf(longest(texts)),
    }
  })
  const breaks = columns.map((): Breaks => 'anywhere')
  let left = measured.reduce((room, { least }) => room - least, paperWidth)
  const take = (index: number, width: number, how: Breaks) => {
    if (width > left) return
    left -= width
    breaks[index] = how
  }
  // Those that need least come first: what is too long for its column is broken alone.
  const byNeed = measured.toSorted((one, other) => one.word - other.word)
  for (const { index, word, least, hasWords } of byNeed)
    if (hasWords) take(index, word - least, 'between words')
  for (const { index, isWhole, line, word } of measured)
    if (isWhole && breaks[index] === 'between words') take(index, line - word, 'nowhere')
  // A digest or a path is no word: it has what others leave.
  for (const { index, word, least, hasWords } of byNeed)
    if (!hasWords) take(index, word - least, 'between words')
  return breaks
}
