import type { ListFilters } from '../../electron/contract/filters.ts'

/** What the part of an address after "?" narrows a list to. */
export const filtersOf = (query: string): ListFilters => {
  const given = new URLSearchParams(query)
  return Object.fromEntries([...new Set(given.keys())].map((field) => [field, given.getAll(field)]))
}

/** The same as it stands in an address: "state=Failed&state=Preserved". */
export const queryOf = (filters: ListFilters): string =>
  new URLSearchParams(
    Object.entries(filters).flatMap(([field, values]) => values.map((value) => [field, value])),
  ).toString()
