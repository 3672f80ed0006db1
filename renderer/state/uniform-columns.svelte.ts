import { keysOf } from '../../electron/common/records.ts'
import { place } from './place.svelte.ts'

/** What is told of a whole list is asked anew with every change of a short one, of a longer one once. */
export const mostFollowed = 5_000
export const mostCompared = 100_000

/**
 * Which columns of a list say the same in every row: asked when it is opened, where it is not so long that
 * this takes its time. Its first rows wait for that, and its columns stay while it is open: none comes or
 * goes under somebody's eyes. One that opens narrowed says nothing of the whole, and has the columns that
 * that had last.
 * @param asking asks which columns those are, and keeps them
 * @returns what is asked before the first rows are shown, by how many there are
 */
export const compareFirst =
  (asking: () => Promise<void>) =>
  async (total: number): Promise<void> => {
    // Columns that say the same are shown where they cannot be told.
    if (total <= mostCompared && place.query === '') await asking().catch(() => undefined)
  }

/** Of a list of which the page holds every row the columns that say the same in all; of one row, none. */
export const uniformAmong = <Row, Column extends string>(
  rows: readonly Row[],
  values: Readonly<Partial<Record<Column, (row: Row) => unknown>>>,
): Column[] => {
  const [first] = rows
  if (first === undefined || rows.length < 2) return []
  return keysOf(values).filter((column) => {
    const valueOf = values[column]
    return rows.every((row) => valueOf?.(row) === valueOf?.(first))
  })
}
