import type { DatabaseSync } from 'node:sqlite'
import type { Subject } from '../../contract/subjects.ts'
import { prepareOne } from '../../common/statements.ts'

/**
 * Keeps what was made of some lists for as long as none of them has changed.
 * @param most how many values are kept, those that were wanted last
 */
export const openRevisionCache = <Value>(database: DatabaseSync, most: number) => {
  const revision = prepareOne<{ n: number }>(
    database,
    'select coalesce(sum(n), 0) as n from revision where subject in (select value from json_each(?))',
  )
  const kept = new Map<string, { revision: number; value: Value }>()
  const revisionOf = (lists: Subject[]) => revision.get(JSON.stringify(lists)).n

  return {
    /** The value that is here already, if it is still true. */
    known: (lists: Subject[], key: string): Value | undefined => {
      const found = kept.get(key)
      return found?.revision === revisionOf(lists) ? found.value : undefined
    },
    /**
     * @param lists of which lists a change changes the value
     * @param make makes it where it is not here, or not true any more
     */
    of: (lists: Subject[], key: string, make: () => Value): Value => {
      const current = revisionOf(lists)
      const found = kept.get(key)
      const value = found?.revision === current ? found.value : make()
      kept.delete(key)
      kept.set(key, { revision: current, value })
      for (const oldest of [...kept.keys()].slice(0, -most)) kept.delete(oldest)
      return value
    },
  }
}
