/** What a list is narrowed to: by the name of a field the values of which one is enough. */
export type PlaceFilters = Readonly<Record<string, readonly string[]>>

/** What the part of an address after "?" narrows a list to. */
export const filtersOf = (query: string): PlaceFilters => {
  const given = new URLSearchParams(query)
  return Object.fromEntries([...new Set(given.keys())].map((field) => [field, given.getAll(field)]))
}

/** The same as it stands in an address: "state=Failed&state=Preserved". */
export const queryOf = (filters: PlaceFilters): string =>
  new URLSearchParams(
    Object.entries(filters).flatMap(([field, values]) => values.map((value) => [field, value])),
  ).toString()
