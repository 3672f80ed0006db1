import { untrack } from 'svelte'
import { keysOf } from '../../electron/common/records.ts'
import { Command } from './command.svelte.ts'

/** What is told of a whole list is asked anew with every change of a short one, of a longer one once. */
export const mostFollowed = 5_000
export const mostCompared = 100_000

/**
 * Looks which columns of a list say the same in every row, where the list is not so long that this takes its
 * time. Called while its component is made.
 * @param rows the list, once it is there
 * @param asking asks which columns those are, and keeps them
 */
export const followUniform = (
  rows: () => { isReady: boolean; total: number },
  asking: () => Promise<void>,
) => {
  // Columns that say the same are shown where they cannot be told.
  const comparing = new Command(() => undefined)
  const compare = () =>
    comparing.change(async () => {
      if (rows().total <= mostCompared) await asking()
    })
  $effect(() => {
    if (rows().isReady) untrack(compare)
  })
  return {
    /** The list is another one, or narrowed to something else. */
    compare,
    /** The archive has news. */
    compareShort: () => {
      if (rows().total <= mostFollowed) compare()
    },
  }
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
