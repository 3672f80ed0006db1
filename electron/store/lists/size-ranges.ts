/**
 * What a range of sizes asks of a column that holds bytes. A range is two bounds, "1000000-100000000"; the
 * last has no upper one: "1000000000000-".
 */
const conditionOfRange = (column: string, value: string): string => {
  const [, from, to] = /^(\d{1,15})-(\d{0,15})$/.exec(value) ?? []
  // What an address says may be no range at all, and narrows nothing then.
  if (from === undefined) return '1'
  return to ? `${column} >= ${from} and ${column} < ${to}` : `${column} >= ${from}`
}

/** What several ranges ask, of which one is enough. */
export const sizeCondition = (column: string, values: readonly string[]): string =>
  `(${values.map((value) => conditionOfRange(column, value)).join(' or ')})`

/**
 * The range that a column of bytes is in, as SQL.
 * @param bounds where one range ends and the next begins, in bytes
 */
export const rangeOfSize = (column: string, bounds: readonly number[]): string => {
  const ranges = bounds.map((from, index) => {
    const to = bounds[index + 1]
    const upper = to === undefined ? '' : ` and ${column} < ${to}`
    return `when ${column} >= ${from}${upper} then '${from}-${to ?? ''}'`
  })
  return `case ${ranges.join(' ')} else '' end`
}
