/** A row that is drawn, and which elements it is drawn with. */
interface DrawnRow {
  index: number
  key: number
}

/**
 * The elements that rows of a long list are drawn with. Rows that stay in view keep theirs, and rows that
 * come take over those of rows that went: to make elements anew takes longer than all else that a jump does.
 * @returns gives the rows from `first` up to `end`, with keys that are unique among them, after those that
 * were asked for before
 */
export const openRecycledRows = () => {
  let drawn: DrawnRow[] = []
  return (first: number, end: number): DrawnRow[] => {
    const isDrawn = ({ index }: DrawnRow) => index >= first && index < end
    const staying = new Map(drawn.filter(isDrawn).map((row) => [row.index, row]))
    const free = drawn.filter((row) => !isDrawn(row)).map(({ key }) => key)
    let unused = Math.max(-1, ...drawn.map(({ key }) => key))
    const rowAt = (index: number): DrawnRow =>
      staying.get(index) ?? { index, key: free.shift() ?? (unused += 1) }
    drawn = Array.from({ length: Math.max(0, end - first) }, (_, offset) => rowAt(first + offset))
    return drawn
  }
}
