import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Subject } from '../contract/subjects.ts'
import { prepareOne } from '../common/statements.ts'

/** Orders that stay: four bytes for each row of each of them. */
const mostKept = 4
const firstLength = 4_096
const mostCounts = 200

/** Reads the column `number` of a question into one array. */
const openNumbers = (database: DatabaseSync) => {
  /**
   * Where the numbers of the question that is being answered are gathered; nothing else is made of a
   * million rows on the way.
   */
  let gathered = new Uint32Array(firstLength)
  database.aggregate('gather', {
    start: 0,
    step: (count: number, number) => {
      if (count === gathered.length) {
        const longer = new Uint32Array(count * 2)
        longer.set(gathered)
        gathered = longer
      }
      gathered[count] = Number(number)
      return count + 1
    },
  })
  return (sql: string, given: Record<string, SQLInputValue>): Uint32Array => {
    const { count } = prepareOne<{ count: number }>(
      database,
      `select gather(number) as count from (${sql})`,
    ).get(given)
    const numbers = gathered.slice(0, count)
    gathered = new Uint32Array(firstLength)
    return numbers
  }
}

/**
 * @returns the place in the order, from `from` on and then from the top; null where none of them is in it
 */
const firstAmong = (order: Uint32Array, wanted: Uint32Array, from: number): number | null => {
  if (wanted.length === 0) return null
  const isWanted = (number: number) => {
    let [low, high] = [0, wanted.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((wanted[middle] ?? 0) < number) low = middle + 1
      else high = middle
    }
    return wanted[low] === number
  }
  const place = order.findIndex((number, index) => index >= from && isWanted(number))
  const found = place >= 0 ? place : order.findIndex(isWanted)
  return found >= 0 ? found : null
}

/**
 * The rows of a list in the order in which they are shown, as their numbers: made once for a way of sorting
 * and filtering, so that whoever jumps to the half-millionth row does not walk there. Made anew when a list
 * that it depends on has changed.
 */
export const openSortOrders = (database: DatabaseSync) => {
  const revision = prepareOne<{ n: number }>(
    database,
    'select coalesce(sum(n), 0) as n from revision where subject in (select value from json_each(?))',
  )
  const read = openNumbers(database)
  const kept = new Map<string, { revision: number; numbers: Uint32Array }>()
  const counts = new Map<string, { revision: number; n: number }>()

  const revisionOf = (lists: Subject[]) => revision.get(JSON.stringify(lists)).n

  return {
    /** The order that is here already, if it is still true. */
    known: (lists: Subject[], sql: string, given: Record<string, SQLInputValue>): Uint32Array | undefined => {
      const found = kept.get(sql + JSON.stringify(given))
      return found?.revision === revisionOf(lists) ? found.numbers : undefined
    },
    /**
     * @param lists of which lists a change changes the order
     * @param sql gives `number`, in order
     */
    of: (lists: Subject[], sql: string, given: Record<string, SQLInputValue>): Uint32Array => {
      const key = sql + JSON.stringify(given)
      const current = revisionOf(lists)
      const found = kept.get(key)
      const numbers = found?.revision === current ? found.numbers : read(sql, given)
      kept.delete(key)
      kept.set(key, { revision: current, numbers })
      for (const oldest of [...kept.keys()].slice(0, -mostKept)) kept.delete(oldest)
      return numbers
    },
    /**
     * Where the next row of some stands in an order.
     * @param sql gives `number` of these rows, whether they are in the order or not
     * @param from the place to begin at; after the last one comes the first
     */
    placeOf: (
      order: Uint32Array,
      sql: string,
      given: Record<string, SQLInputValue>,
      from: number,
    ): number | null => firstAmong(order, read(sql, given).sort(), from),
    /** How many rows there are, counted once for as long as it stays true. */
    count: (lists: Subject[], sql: string, given: Record<string, SQLInputValue>): number => {
      const key = sql + JSON.stringify(given)
      const current = revisionOf(lists)
      const found = counts.get(key)
      const n = found?.revision === current ? found.n : Number(database.prepare(sql).get(given)?.['n'])
      counts.delete(key)
      counts.set(key, { revision: current, n })
      for (const oldest of [...counts.keys()].slice(0, -mostCounts)) counts.delete(oldest)
      return n
    },
  }
}

export type SortOrders = ReturnType<typeof openSortOrders>
