/** So many rows a list gives at once. */
const partLength = 500

/**
 * Rows of a list that is asked for page by page, from a line on; fewer where the list ends before.
 * @param ask gives a part of it, and how many lines there are in all
 */
export const readLines = async <Row>(
  ask: (offset: number, limit: number) => Promise<{ rows: Row[]; lines: number }>,
  first: number,
  count: number,
): Promise<Row[]> => {
  const read: Row[] = []
  for (let offset = first; offset < first + count; offset += partLength) {
    const limit = Math.min(partLength, first + count - offset)
    const { rows, lines } = await ask(offset, limit)
    read.push(...rows)
    // One that is deleted meanwhile makes a part shorter, and ends nothing.
    if (offset + limit >= lines) break
  }
  return read
}
