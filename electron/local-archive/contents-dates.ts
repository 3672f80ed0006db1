/**
 * From when to when the contents of a made-up package are: the first and last year that its label names, as
 * days at midnight; null where it names none.
 */
export const contentsDates = (label: string): { start_date: string | null; end_date: string | null } => {
  const years = (label.match(/\b(1[5-9]|20)\d\d\b/g) ?? []).toSorted()
  const [first, last] = [years[0], years.at(-1)]
  return {
    start_date: first === undefined ? null : `${first}-01-01T00:00:00.000Z`,
    end_date: last === undefined ? null : `${last}-12-31T00:00:00.000Z`,
  }
}
