import type { DatabaseSync } from 'node:sqlite'
import { prepare, prepareOne } from '../../common/statements.ts'
import type { Narrowing, RecordRows } from './found-filters.ts'

/** So many rows that match are looked at for those that a filter lets through. */
const lookedAt = 20_000
/** More values than these nobody reads through. */
const mostValues = 50

/** Rows of which values are counted. */
export interface Counted {
  /** Of the rows, as JSON. */
  numbers: string
  /** There may be more: these came last. */
  isMore: boolean
  /** Whether words lead to them, and not filters alone. */
  isOfWords: boolean
}

/** Where the rows of a group come from. */
export interface Source {
  /** Of those that came last, where a filter is asked. */
  numbers: (limit: number) => number[]
  /** Of the others then. */
  others: (limit: number) => number[]
  /** Whether a filter was asked about some of them alone. */
  isCut: () => boolean
  /** Those of which values are counted. */
  counted: () => Counted
}

/** Gives `number` or `rowid` of some rows, as SQL to which a limit can be added. */
export interface Rows {
  sql: string
  given: Record<string, string>
}

/** What is asked of a row, as SQL (the empty text where nothing is), with what is given to that. */
export interface Asked {
  where: string
  given: Record<string, string>
}

export const isLonger = (database: DatabaseSync, { sql, given }: Rows, most: number): boolean =>
  prepareOne<{ n: number }>(database, `select count(*) as n from (${sql} limit ${most + 1})`).get(given).n >
  most

/** @param sql gives `number` of rows */
export const numbersOf = (database: DatabaseSync, { sql, given }: Rows): string =>
  prepareOne<{ numbers: string }>(database, `select json_group_array(number) as numbers from (${sql})`).get(
    given,
  ).numbers

/** What is counted of rows, as SQL. */
export interface CountedValue {
  /** What is read of each. */
  value: string
  /** Where the rows stand, and more that is joined to them. */
  from: string
  /** How many those of a value are. */
  count: string
}

/** How often each value stands in rows. */
export const countValues = (
  database: DatabaseSync,
  { numbers }: Counted,
  { value, from, count }: CountedValue,
): { value: string; count: number }[] =>
  prepare<{ value: string; count: number }>(
    database,
    `select ${value} as value, ${count} as count
      from (select value as number from json_each(:numbers)) w cross join ${from}
      where value <> '' group by value`,
  ).all({ numbers })

/**
 * The most frequent of values that were counted in several groups.
 * @param chosen values that are among them however many are more frequent
 */
export const mostFrequent = (
  counts: { value: string; count: number }[],
  chosen: string[],
): { value: string; count: number }[] => {
  const sums = new Map<string, number>()
  for (const { value, count } of counts) sums.set(value, (sums.get(value) ?? 0) + count)
  return [...sums]
    .map(([value, count]) => ({ value, count, isChosen: chosen.includes(value) }))
    .sort(
      (a, b) => Number(b.isChosen) - Number(a.isChosen) || b.count - a.count || (a.value < b.value ? -1 : 1),
    )
    .slice(0, mostValues)
    .map(({ value, count }) => ({ value, count }))
}

/** The rows that words lead to. */
export const byWords = (database: DatabaseSync, hits: Rows, { joined, where, given }: Narrowing): Source => {
  const looked = (range: string) =>
    `(${hits.sql} order by rowid desc limit ${range}) w cross join ${joined} on number = w.rowid`
  // Each row lies in another place of the disk: where nothing is asked of it, it is not read.
  const numbers = (range: string, limit: string) =>
    where === ''
      ? `select rowid as number from (${hits.sql} order by rowid desc limit ${limit})`
      : `select number from ${looked(range)} where ${where} limit ${limit}`
  const numbersIn = (range: string) => (limit: number) =>
    prepare<{ number: number }>(database, numbers(range, ':limit'))
      .all({ ...given, ...hits.given, limit })
      .map(({ number }) => number)
  return {
    numbers: numbersIn(`${lookedAt}`),
    others: numbersIn(`-1 offset ${lookedAt}`),
    isCut: () => where !== '' && isLonger(database, hits, lookedAt),
    counted: () => ({
      numbers: numbersOf(database, {
        sql: numbers(`${lookedAt}`, `${lookedAt}`),
        given: { ...given, ...hits.given },
      }),
      isMore: isLonger(database, hits, lookedAt),
      isOfWords: true,
    }),
  }
}

/** The rows that filters of a group other than packages name. */
export const byFilters = (
  database: DatabaseSync,
  { rows, order }: RecordRows,
  { where, given }: Asked,
): Source => {
  const sql = `select h.number from ${rows} where ${where}${order === undefined ? '' : ` order by ${order}`}`
  return {
    numbers: (limit) =>
      prepare<{ number: number }>(database, `${sql} limit :limit`)
        .all({ ...given, limit })
        .map(({ number }) => number),
    others: () => [],
    isCut: () => false,
    counted: () => ({
      numbers: numbersOf(database, { sql: `${sql} limit ${lookedAt}`, given }),
      isMore: isLonger(database, { sql, given }, lookedAt),
      isOfWords: false,
    }),
  }
}
