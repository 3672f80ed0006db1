import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Subject } from '../../contract/subjects.ts'
import { prepareOne } from '../../common/statements.ts'
import { openRevisionCache } from '../cache/revision-cache.ts'

/** Orders that stay: four bytes for each row of each of them. */
const mostKept = 4
const mostCounts = 200

const comma = 0x2c
const zero = 0x30

/**
 * Reads the column `number` of a question into one array. SQLite joins them into one text, which takes a
 * fourth of the time of calling back for each of ten million rows; as bytes, it is no string in V8's memory.
 */
const readNumbers = (
  database: DatabaseSync,
  sql: string,
  given: Record<string, SQLInputValue>,
): Uint32Array => {
  const { count, joined } = prepareOne<{ count: number; joined: Uint8Array | null }>(
    database,
    `select count(*) as count, cast(group_concat(number, ',') as blob) as joined from (${sql})`,
  ).get(given)
  const numbers = new Uint32Array(count)
  let place = 0
  let number = 0
  const length = joined?.length ?? 0
  for (let index = 0; index < length; index += 1) {
    const byte = joined?.[index] ?? comma
    if (byte === comma) {
      numbers[place] = number
      place += 1
      number = 0
    } else number = number * 10 + byte - zero
  }
  if (count > 0) numbers[place] = number
  // Seven bytes a row, which a thread that has nothing to do would keep until it needs memory again.
  if (joined?.buffer instanceof ArrayBuffer) joined.buffer.transfer(0)
  return numbers
}

/**
 * @returns the place in the order, from `from` on and then from the top; null where none of them is in it
 */
const firstAmong = (order: Uint32Array, wanted: Uint32Array, from: number): number | null => {
  if (wanted.length === 0) return null
  const isWanted = new Uint8Array(wanted.reduce((most, number) => Math.max(most, number), 0) + 1)
  for (const number of wanted) isWanted[number] = 1
  const between = (first: number, end: number) => {
    for (let place = first; place < end; place += 1) if (isWanted[order[place] ?? 0] === 1) return place
    return null
  }
  return between(from, order.length) ?? between(0, Math.min(from, order.length))
}

/**
 * The rows of a list in the order in which they are shown, as their numbers: made once for a way of sorting
 * and filtering, so that whoever jumps to the half-millionth row does not walk there. Made anew when a list
 * that it depends on has changed.
 */
export const openSortOrders = (database: DatabaseSync) => {
  const kept = openRevisionCache<Uint32Array>(database, mostKept)
  const counts = openRevisionCache<number>(database, mostCounts)
  const keyOf = (sql: string, given: Record<string, SQLInputValue>) => sql + JSON.stringify(given)

  return {
    /** The order that is here already, if it is still true. */
    known: (lists: Subject[], sql: string, given: Record<string, SQLInputValue>): Uint32Array | undefined =>
      kept.known(lists, keyOf(sql, given)),
    /**
     * @param lists of which lists a change changes the order
     * @param sql gives `number`, in order
     */
    of: (lists: Subject[], sql: string, given: Record<string, SQLInputValue>): Uint32Array =>
      kept.of(lists, keyOf(sql, given), () => readNumbers(database, sql, given)),
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
    ): number | null => firstAmong(order, readNumbers(database, sql, given), from),
    /** How many rows there are, counted once for as long as it stays true. */
    count: (lists: Subject[], sql: string, given: Record<string, SQLInputValue>): number =>
      counts.of(lists, keyOf(sql, given), () => Number(database.prepare(sql).get(given)?.['n'])),
  }
}

export type SortOrders = ReturnType<typeof openSortOrders>
