/** A line of an outline. Those below it follow it, each one deeper. */
export interface OutlineRow {
  depth: number
  label: string
  /** What stands behind the label, more quietly. */
  text?: string
  /** One for each column. */
  values?: string[]
  /** Icons: a folder, something that opens. */
  sign?: 'folder' | 'file'
  isFolded?: boolean
  /** Its label opens nothing, where those of others do. */
  isStill?: boolean
}

/** The rows that are not folded away, and what folds them. */
export const openRows = (rows: readonly OutlineRow[]) => {
  let seen: number[] = []
  let done = 0
  /** Deeper than this is folded away where the last row that was looked at stands. */
  let hiddenBelow = Infinity
  const grow = () => {
    for (; done < rows.length; done += 1) {
      const row = rows[done]
      if (!row || row.depth > hiddenBelow) continue
      hiddenBelow = row.isFolded ? row.depth : Infinity
      seen.push(done)
    }
  }
  const again = () => {
    seen = []
    done = 0
    hiddenBelow = Infinity
    grow()
  }
  const parentOf = (index: number) => {
    const depth = rows[index]?.depth ?? 0
    let above = index - 1
    while (above >= 0 && (rows[above]?.depth ?? 0) >= depth) above -= 1
    return above
  }
  return {
    grow,
    parentOf,
    hasBelow: (index: number) => (rows[index + 1]?.depth ?? 0) > (rows[index]?.depth ?? 0),
    fold: (index: number, isFolded: boolean) => {
      const row = rows[index]
      if (!row || (row.isFolded ?? false) === isFolded) return
      row.isFolded = isFolded
      again()
    },
    /** Unfolds whatever hides a row. */
    uncover: (index: number) => {
      let isHidden = false
      for (let above = parentOf(index); above >= 0; above = parentOf(above)) {
        const row = rows[above]
        if (!row?.isFolded) continue
        row.isFolded = false
        isHidden = true
      }
      if (isHidden) again()
    },
    seen: () => seen,
    placeOf: (index: number) => {
      let [low, high] = [0, seen.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((seen[middle] ?? 0) < index) low = middle + 1
        else high = middle
      }
      return low
    },
  }
}
