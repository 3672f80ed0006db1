import { untrack } from 'svelte'

interface Lines<Row> {
  row: (line: number) => Row | undefined
  /** The line that keys act on. */
  active: () => number
}

/** What somebody does with a row of a list that is fetched page by page, whether it has come or not. */
export const openAwaitedRow = <Row>({ row, active }: Lines<Row>) => {
  let waiting = $state.raw<{ line: number; act: (row: Row) => void }>()
  $effect(() => {
    if (!waiting) return
    const { line, act } = waiting
    const come = row(line)
    if (line === active() && come === undefined) return
    waiting = undefined
    // Whoever is at another line by now wants nothing of this one any more.
    if (line === active() && come !== undefined) untrack(() => act(come))
  })
  return {
    /** Does something with the row of the active line, at once or as soon as it has come. */
    act: (act: (row: Row) => void) => {
      const line = active()
      const come = row(line)
      waiting = come === undefined ? { line, act } : undefined
      if (come !== undefined) act(come)
    },
    /** Something else was done meanwhile. */
    forget: () => (waiting = undefined),
  }
}
