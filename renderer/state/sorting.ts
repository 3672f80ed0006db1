/** Where it is kept how a list is sorted. */
interface KeptSorting {
  readonly value: { sort: string; descending: boolean }
  change: (some: { sort: string; descending: boolean }) => void
}

interface SortingParts<Column extends string> {
  columns: readonly Column[]
  view: KeptSorting
  /** How the list stands until somebody sorts it; left out where it then has an order of its own. */
  usual?: { column: NoInfer<Column>; descending: boolean } | undefined
  /** Columns that show first what is largest or newest. */
  largestFirst?: readonly NoInfer<Column>[]
  /** Whether a third click on a heading gives the list its own order back. */
  isGivenUp?: boolean
  /** Asks for the rows anew. */
  onchange?: () => void
}

/** How a list is sorted, and what a click on a heading makes of that. */
export const openSorting = <Column extends string>({
  columns,
  view,
  usual,
  largestFirst = [],
  isGivenUp = false,
  onchange,
}: SortingParts<Column>) => {
  const current = () => {
    const column = columns.find((name) => name === view.value.sort)
    return column === undefined ? usual : { column, descending: view.value.descending }
  }
  const sortBy = (column: Column) => {
    const now = current()
    const descendsFirst = largestFirst.includes(column)
    if (now?.column !== column) view.change({ sort: column, descending: descendsFirst })
    else if (isGivenUp && now.descending !== descendsFirst) view.change({ sort: '', descending: false })
    else view.change({ sort: column, descending: !now.descending })
    onchange?.()
  }
  return {
    /** The column that the list is sorted by; undefined where it has its own order. */
    get column() {
      return current()?.column
    },
    get descending() {
      return current()?.descending ?? false
    },
    /** What the heading of a column shows and does. */
    of: (column: Column) => ({
      isSorted: current()?.column === column,
      descending: current()?.descending ?? false,
      onclick: () => sortBy(column),
    }),
  }
}

/** What rows are sorted by; null stands for nothing. */
export type Sortable = string | number | null

/**
 * Sorts by a value, texts as a language has them; what has none stands last whichever way the list is sorted.
 */
export const byValue = <Row>(valueOf: (row: Row) => Sortable, isDescending: boolean, language: string) => {
  const { compare } = new Intl.Collator(language, { numeric: true })
  return (one: Row, other: Row): number => {
    const [first, second] = [valueOf(one), valueOf(other)]
    if (first === null || second === null) return first === second ? 0 : first === null ? 1 : -1
    const order =
      typeof first === 'number' && typeof second === 'number'
        ? first - second
        : compare(String(first), String(second))
    return isDescending ? -order : order
  }
}
