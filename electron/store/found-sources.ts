import type { DatabaseSync } from 'node:sqlite'
import { prepare, prepareOne } from '../common/statements.ts'
import type { Narrowing } from './found-filters.ts'

/** So many rows that match are looked at for those that a filter lets through. */
const lookedAt = 20_000
/** More values than these nobody reads through. */
const mostValues = 50

/** Packages of which values are counted. */
export interface Counted {
  /** Of their rows in the table of packages, as JSON. */
  numbers: string
  /** There may be more: these came last. */
  isMore: boolean
}

/** Where the rows of a group come from. */
export interface Source {
  /** Of those that came last, where a filter is asked. */
  numbers: (limit: number) => number[]
  /** Of the others then. */
  others: (limit: number) => number[]
  /** Whether a filter was asked about some of them alone. */
  isCut: () => boolean
  /** The packages among them, for counts. */
  packages: () => Counted
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

/** @param sql gives `number` of packages */
export const numbersOf = (database: DatabaseSync, { sql, given }: Rows): string =>
  prepareOne<{ numbers: string }>(database, `select json_group_array(number) as numbers from (${sql})`).get(
    given,
  ).numbers

/**
 * How often each of the most frequent values stands in packages; of each package one generation counts.
 * @param chosen values that are counted however many are more frequent, and come first
 * @param value SQL of what is read of a package `p`
 * @param from more that is joined to it, as SQL
 */
export const countValues = (
  database: DatabaseSync,
  { numbers }: Counted,
  chosen: string[],
  { value, from }: { value: string; from: string },
): { value: string; count: number }[] => {
  // What is joined may stand beside a package more than once.
  const alone = from === '' ? 'sum(p.aic is null)' : 'count(distinct iif(p.aic is null, p.number, null))'
  return prepare<{ value: string; count: number }>(
    database,
    `select ${value} as value, count(distinct p.aic) + ${alone} as count
      from (select value as number from json_each(:numbers)) w cross join package p on p.number = w.number
      ${from} where p.type <> 'AIC' and value <> ''
      group by value order by value in (select c.value from json_each(:chosen) c) desc, count desc, value
      limit ${mostValues}`,
  ).all({ numbers, chosen: JSON.stringify(chosen) })
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
    packages: () => ({
      numbers: numbersOf(database, {
        sql: numbers(`${lookedAt}`, `${lookedAt}`),
        given: { ...given, ...hits.given },
      }),
      isMore: isLonger(database, hits, lookedAt),
    }),
  }
}

/** The rows that filters of a group other than packages name. */
export const byFilters = (database: DatabaseSync, rows: string, { where, given }: Asked): Source => ({
  numbers: (limit) =>
    prepare<{ number: number }>(database, `select h.number from ${rows} where ${where} limit :limit`)
      .all({ ...given, limit })
      .map(({ number }) => number),
  others: () => [],
  isCut: () => false,
  packages: () => ({ numbers: '[]', isMore: false }),
})
