/** A row that is drawn, and which elements it is drawn with. */
interface DrawnRow {
  index: number
  key: number
}

/**
 * The elements that rows of a long list are drawn with. Rows that stay in view keep theirs, and rows that
 * come take over those of rows that went: to make elements anew takes longer than all else that a jump does.
 */
export const openRecycledRows = () => {
  let drawn: DrawnRow[] = []
  const occupants = new Map<number, { index: number; id: string | undefined; count: number }>()
  return {
    /**
     * Which elements draw the rows from `first` up to `end`, after those that were asked for before.
     * @returns the rows in their order, with keys that are unique among them
     */
    draw: (first: number, end: number): DrawnRow[] => {
      const isDrawn = ({ index }: DrawnRow) => index >= first && index < end
      const staying = new Map(drawn.filter(isDrawn).map((row) => [row.index, row]))
      const free = drawn.filter((row) => !isDrawn(row)).map(({ key }) => key)
      let unused = Math.max(-1, ...drawn.map(({ key }) => key))
      const rowAt = (index: number): DrawnRow =>
        staying.get(index) ?? { index, key: free.shift() ?? (unused += 1) }
      drawn = Array.from({ length: Math.max(0, end - first) }, (_, offset) => rowAt(first + offset))
      return drawn
    },
    /** Counts the records that elements drew one after the other in one place, without scrolling. */
    occupantOf: ({ key, index }: DrawnRow, id: string | undefined): number => {
      const before = occupants.get(key)
      const isAnother = before?.index === index && before.id !== id
      const count = (before?.count ?? 0) + (isAnother ? 1 : 0)
      occupants.set(key, { index, id, count })
      return count
    },
  }
}
