interface Options<Row> {
  pageRows: number
  read: (from: number, to: number) => Promise<readonly Row[]>
  /** Rows that were wanted are there, or cannot be read. */
  arrived: () => void
  signal: AbortSignal
}

/** Pages that are kept; the ones that were used longest ago are let go of. */
const mostPages = 60

/** Rows that are read when they are wanted, a page at a time, the ones that are wanted now first. */
export interface Pages<Row> {
  /** What is wanted now; what was wanted before is no more. */
  want: (from: number, to: number) => void
  /** A row, undefined where it is not there yet, null where it cannot be read. */
  row: (index: number) => Row | undefined | null
  /** What was read is something else now. */
  forget: () => void
}

/** @see Pages */
export const pagesOf = <Row>({ pageRows, read, arrived, signal }: Options<Row>): Pages<Row> => {
  let kept = new Map<number, readonly Row[] | null>()
  let wanted: number[] = []
  let isReading = false

  const readOne = async (page: number) => {
    const into = kept
    const rows = await read(page * pageRows, (page + 1) * pageRows).catch((error: unknown) => {
      if (!signal.aborted) reportError(error)
      return null
    })
    into.set(page, rows)
    for (const old of into.keys()) {
      if (into.size <= mostPages) break
      if (!wanted.includes(old)) into.delete(old)
    }
    if (!signal.aborted && into === kept) arrived()
  }
  const readWanted = async () => {
    isReading = true
    for (;;) {
      const page = wanted.find((number) => !kept.has(number))
      if (page === undefined || signal.aborted) break
      await readOne(page)
    }
    isReading = false
  }
  return {
    want: (from, to) => {
      const first = Math.floor(from / pageRows)
      wanted = Array.from({ length: Math.ceil(to / pageRows) - first }, (_, index) => first + index)
      for (const page of wanted) {
        const rows = kept.get(page)
        if (rows === undefined) continue
        // The ones that are used go to the end of the line.
        kept.delete(page)
        kept.set(page, rows)
      }
      if (!isReading) readWanted().catch(reportError)
    },
    row: (index) => {
      const rows = kept.get(Math.floor(index / pageRows))
      return rows === null ? null : rows?.[index % pageRows]
    },
    forget: () => {
      kept = new Map()
    },
  }
}
