import type { ListFilters } from '../../electron/contract/filters.ts'

/** An address may be written by anybody; more than this no list is asked for. */
const mostValues = 100
const longest = 500

/** What the part of an address after "?" narrows a list to. */
export const filtersOf = (query: string): ListFilters => {
  const given = new URLSearchParams(query)
  return Object.fromEntries(
    [...new Set(given.keys())].map((field) => [
      field,
      given
        .getAll(field)
        .slice(0, mostValues)
        .map((value) => value.slice(0, longest)),
    ]),
  )
}

/** The same as it stands in an address: "state=Failed&state=Preserved". */
export const queryOf = (filters: ListFilters): string =>
  new URLSearchParams(
    Object.entries(filters).flatMap(([field, values]) => values.map((value) => [field, value])),
  ).toString()
