import * as v from 'valibot'
import { command, query } from './define.ts'

/**
 * How lists are shown (sorting, filters, columns, open rows, where one was), for each list of each archive.
 */
export const views = {
  /** What was kept for an archive, as JSON, by list. */
  all: query(v.undefined()).returns<Record<string, string>>(),
  keep: command(
    v.object({
      list: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
      body: v.pipe(v.string(), v.maxLength(500_000)),
    }),
  ).returns<void>(),
}
