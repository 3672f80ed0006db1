/** An open row: where it stands in the order, and the rows below it. */
export interface OpenRow {
  place: number
  children: number[]
}

/**
 * The numbers of the rows that are shown in a window of lines.
 * @param order the rows that are at the top
 * @param opened the open ones among them, from the top
 */
export const linesOf = (order: Uint32Array, opened: OpenRow[], offset: number, limit: number): number[] => {
  const numbers: number[] = []
  let line = 0
  let top = 0
  const take = (number: number) => {
    if (line >= offset && line < offset + limit) numbers.push(number)
    line += 1
  }
  for (const { place, children } of opened) {
    // Rows above the window are passed over without looking at them.
    const skipped = Math.max(0, Math.min(place - top, offset - line))
    line += skipped
    top += skipped
    for (; top <= place && line < offset + limit; top += 1) take(order[top] ?? 0)
    if (line >= offset + limit) return numbers
    for (const child of children) take(child)
  }
  const skipped = Math.max(0, offset - line)
  return numbers.concat(Array.from(order.subarray(top + skipped, top + skipped + limit - numbers.length)))
}

/**
 * The line on which a row stands; null where the order does not hold it.
 * @param top the row itself, or what it stands below
 * @param child the row where it is one below an open one
 */
export const lineOf = (
  order: Uint32Array,
  opened: OpenRow[],
  top: number,
  child: number | undefined,
): number | null => {
  const place = order.indexOf(top)
  if (place < 0) return null
  const above = opened.filter((row) => row.place < place)
  const line = above.reduce((sum, { children }) => sum + children.length, place)
  const nth =
    child === undefined ? -1 : (opened.find((row) => row.place === place)?.children ?? []).indexOf(child)
  return line + nth + 1
}
