import type { DatabaseSync } from 'node:sqlite'
import { vi } from 'vitest'

/** How SQLite finds what some work asks a database for: the steps of its plans (EXPLAIN QUERY PLAN). */
export const queryPlansOf = (database: DatabaseSync, work: () => void): string[] => {
  const prepare = vi.spyOn(database, 'prepare')
  work()
  const asked = prepare.mock.calls.map(([sql]) => sql)
  prepare.mockRestore()
  return asked.flatMap((sql) =>
    database
      .prepare(`explain query plan ${sql}`)
      .all()
      .map(({ detail }) => String(detail)),
  )
}
