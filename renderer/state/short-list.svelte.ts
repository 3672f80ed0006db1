import { keysOf } from '../../electron/common/records.ts'
import type { FacetValue } from '../../electron/contract/filters.ts'
import { openAddressFilters } from './address-filters.svelte.ts'
import type { PlaceName } from './place.svelte.ts'
import type { ListView } from './views.svelte.ts'

type Sortable = string | number | null

interface ShortListParts<Row, Field extends string, Column extends string> {
  name: PlaceName
  rows: () => readonly Row[]
  /** What of a row is looked through as one types. */
  textOf: (row: Row) => string
  /** What it can be narrowed by: the value of a row, and the empty text where it has none. */
  fields: Record<Field, (row: Row) => string>
  /** What it can be sorted by. */
  columns: Record<Column, (row: Row) => Sortable>
  view: ListView<{ query: string; sort: string; descending: boolean; top: number; at: number }>
}

const compare = (one: Sortable, other: Sortable): number => {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return String(one).localeCompare(String(other), undefined, { numeric: true })
}

/** Sorts by a value; what has none stands last whichever way the list is sorted. */
const byValue =
  <Row>(valueOf: (row: Row) => Sortable, isDescending: boolean) =>
  (one: Row, other: Row): number => {
    const [first, second] = [valueOf(one), valueOf(other)]
    const order = compare(first, second)
    return isDescending && first !== null && second !== null ? -order : order
  }

/** How often each value stands there, the most frequent first. */
const counted = (values: string[]): FacetValue[] =>
  [...Map.groupBy(values, (value) => value)]
    .map(([value, { length: count }]) => ({ value, name: '', count }))
    .sort((one, other) => other.count - one.count)

/**
 * A list of which the page holds every row: narrowed by what stands in the address, and sorted by a column;
 * rows that have no value there come last.
 */
export const openShortList = <Row, Field extends string, Column extends string>(
  parts: ShortListParts<Row, Field, Column>,
) => {
  const { name, textOf, fields, columns, view } = parts
  const narrowed = openAddressFilters(name, view)
  const matches = (row: Row, besides?: Field) =>
    textOf(row).toLocaleLowerCase().includes(narrowed.text.trim().toLocaleLowerCase()) &&
    keysOf(fields).every((field) => {
      const wanted = narrowed.fields[field] ?? []
      return field === besides || wanted.length === 0 || wanted.includes(fields[field](row))
    })
  const sortedBy = (): Column | undefined => keysOf(columns).find((column) => column === view.value.sort)
  const shownRows = $derived.by(() => {
    const matching = parts.rows().filter((row) => matches(row))
    const column = sortedBy()
    return column === undefined
      ? matching
      : matching.toSorted(byValue(columns[column], view.value.descending))
  })
  return {
    narrowed,
    get rows() {
      return shownRows
    },
    /** The values of a field with their counts, among what matches all other filters. */
    facet: (field: Field): Promise<FacetValue[]> =>
      Promise.resolve(
        counted(
          parts
            .rows()
            .filter((row) => matches(row, field))
            .map(fields[field]),
        ),
      ),
    /** How a column's heading sorts, for its header. */
    sorted: (column: Column) => ({
      isSorted: sortedBy() === column,
      descending: view.value.descending,
      onclick: () =>
        view.change({ sort: column, descending: sortedBy() === column ? !view.value.descending : false }),
    }),
  }
}
