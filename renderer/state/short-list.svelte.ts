import { keysOf } from '../../electron/common/records.ts'
import type { FacetValue } from '../../electron/contract/filters.ts'
import { spokenLanguage } from '../language/say.svelte.ts'
import { openAddressFilters } from './address-filters.svelte.ts'
import type { PlaceName } from './place.svelte.ts'
import { byValue, openSorting, type Sortable } from './sorting.ts'
import type { ListView } from './views.svelte.ts'

interface ShortListParts<Row, Field extends string, Column extends string> {
  name: PlaceName
  rows: () => readonly Row[]
  /** What of a row is looked through as one types. */
  textOf: (row: Row) => string
  /** What it can be narrowed by: the value of a row, and the empty text where it has none. */
  fields: Record<Field, (row: Row) => string>
  /** Fields whose values are numbers, or begin with one, and stand in their own order. */
  numbered?: Partial<Record<NoInfer<Field>, 'smallest first' | 'largest first'>>
  /** What it can be sorted by. */
  columns: Record<Column, (row: Row) => Sortable>
  /** It is narrowed to something else. */
  onnarrow?: () => void
  /** How it is sorted until somebody sorts it; as its rows come where that is left out. */
  usual?: { column: NoInfer<Column>; descending: boolean } | undefined
  /** Columns that show first what is largest or newest. */
  largestFirst?: readonly NoInfer<Column>[]
  view: Pick<ListView<{ query: string; sort: string; descending: boolean }>, 'value'> & {
    change: (some: { query?: string; sort?: string; descending?: boolean }) => void
  }
}

/** How often each value stands there, the most frequent first. */
const counted = (values: string[]): FacetValue[] =>
  [...Map.groupBy(values, (value) => value)]
    .map(([value, { length: count }]) => ({ value, name: '', count }))
    .sort((one, other) => other.count - one.count)

/** The same by their numbers; those without one come last. */
const byNumber = (values: FacetValue[], order: 'smallest first' | 'largest first'): FacetValue[] => {
  const sign = order === 'smallest first' ? 1 : -1
  const placeOf = ({ value }: FacetValue) => (value === '' ? Infinity : sign * Number.parseFloat(value))
  return values.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/**
 * A list of which the page holds every row: narrowed by what stands in the address, and sorted by a column;
 * rows that have no value there come last.
 */
export const openShortList = <Row, Field extends string, Column extends string>(
  parts: ShortListParts<Row, Field, Column>,
) => {
  const { name, textOf, fields, columns, view } = parts
  let fromTop = $state(0)
  const narrowed = openAddressFilters(name, view, () => {
    fromTop += 1
    parts.onnarrow?.()
  })
  const sorting = openSorting({
    columns: keysOf(columns),
    view,
    usual: parts.usual,
    largestFirst: parts.largestFirst ?? [],
    onchange: () => (fromTop += 1),
  })
  const matches = (row: Row, besides?: Field) =>
    textOf(row).toLocaleLowerCase().includes(narrowed.text.trim().toLocaleLowerCase()) &&
    keysOf(fields).every((field) => {
      const wanted = narrowed.fields[field] ?? []
      return field === besides || wanted.length === 0 || wanted.includes(fields[field](row))
    })
  const shownRows = $derived.by(() => {
    const matching = parts.rows().filter((row) => matches(row))
    const { column, descending } = sorting
    return column === undefined
      ? matching
      : matching.toSorted(byValue(columns[column], descending, spokenLanguage()))
  })
  return {
    narrowed,
    get rows() {
      return shownRows
    },
    /** Counts how often a person made other rows of it, or another order of them. */
    get fromTop() {
      return fromTop
    },
    /** What of it is saved: all of its rows, or those that are seen. */
    allOrSeen: (isAll: boolean, { first, count }: { first: number; count: number }): readonly Row[] =>
      isAll ? shownRows : shownRows.slice(first, first + count),
    /** The values of a field with their counts, among what matches all other filters. */
    facet: (field: Field): Promise<FacetValue[]> => {
      const rows = parts.rows().filter((row) => matches(row, field))
      const values = counted(rows.map(fields[field]))
      const order = parts.numbered?.[field]
      return Promise.resolve(order ? byNumber(values, order) : values)
    },
    sorting,
  }
}
