import type { DatabaseSync } from 'node:sqlite'
import type { FoundGroup, QueryTerm } from '../contract/find.ts'
import type { HeldFilters } from '../contract/search.ts'
import { groupFilter, type Narrowing } from './found-filters.ts'
import { byName, hasLongWords, toMatch, type Matching } from './query-text.ts'
import { prepareOne } from '../common/statements.ts'

/** Counting stops here: nobody reads that far, and walking on would take longer than a key press. */
const countedTo = 1_000
/** So many rows that match are looked at for those that a filter lets through. */
const lookedAt = 20_000

interface Parts {
  database: DatabaseSync
  /** What an agent is called; the empty text where none is held. */
  agentName: (id: string) => string
}

/** What is asked of one group. */
interface Query {
  group: FoundGroup
  terms: QueryTerm[]
  filters: HeldFilters
  most: number
}

/** The numbers of rows that match, those by name first, and how many there are. */
interface Matches {
  numbers: number[]
  total: number
  isMore: boolean
}

/** The rows that the words lead to, as SQL; undefined where no words are asked for. */
const hitsOf = (group: FoundGroup, { names, words }: Matching, narrowing: Narrowing) => {
  const all = [words, ...(narrowing.match === '' ? [] : [narrowing.match])]
    .filter((text) => text !== undefined)
    .join(' AND ')
  const withWords = `select rowid from words_${group} where words_${group} match :words`
  const withNames = `select rowid from names_${group} where names_${group} match :names`
  if (names === undefined) return all === '' ? undefined : { sql: withWords, given: { words: all } }
  return all === ''
    ? { sql: withNames, given: { names } }
    : { sql: `${withNames} and rowid in (${withWords})`, given: { names, words: all } }
}

/** The rows of one group under its filters. */
const narrowedGroup = (database: DatabaseSync, group: FoundGroup, narrowing: Narrowing) => {
  const { where, given, plain } = narrowing
  return {
    /** @param looked how many hits are looked at; -1 for all of them */
    numbers: (matching: Matching, limit: number, looked = lookedAt): number[] => {
      const hits = hitsOf(group, matching, narrowing)
      if (hits === undefined && plain === undefined) return []
      const from = hits
        ? `(${hits.sql} order by rowid desc limit ${looked}) w cross join held h on h.number = w.rowid`
        : plain
      const rows = database
        .prepare(`select h.number from ${from}${where === '' ? '' : ` where ${where}`} limit :limit`)
        .all({ ...given, ...hits?.given, limit })
      return rows.map(({ number }) => Number(number))
    },
    /** Whether a filter was asked about some of the hits alone. */
    isCut: (matching: Matching): boolean => {
      const hits = where === '' ? undefined : hitsOf(group, matching, narrowing)
      if (!hits) return false
      const { n } = prepareOne<{ n: number }>(
        database,
        `select count(*) as n from (${hits.sql} limit ${lookedAt + 1})`,
      ).get(hits.given)
      return n > lookedAt
    },
  }
}

/** Finds the rows of a group by words and filters. */
export const groupMatches =
  ({ database, agentName }: Parts) =>
  ({ group, terms, filters, most }: Query): Matches => {
    const nothing = { numbers: [], total: 0, isMore: false }
    const narrowing = groupFilter(group, filters, agentName)
    if (!narrowing) return nothing
    const rows = narrowedGroup(database, group, narrowing)
    const whole = hasLongWords(terms) ? rows.numbers(toMatch(terms, true), countedTo + 1) : []
    const matching = toMatch(terms)
    const some = whole.length > countedTo ? whole : rows.numbers(matching, countedTo + 1)
    const isMore = some.length > countedTo || rows.isCut(matching)
    // Nothing is said to be nowhere before all of it was looked at.
    const counted = some.length === 0 && isMore ? rows.numbers(matching, countedTo + 1, -1) : some
    if (counted.length === 0) return nothing
    const named =
      most >= countedTo || terms.length === 0
        ? []
        : rows.numbers(byName(terms, whole.length > countedTo), most)
    return {
      numbers: [...new Set([...named, ...counted])].slice(0, most),
      total: Math.min(countedTo, counted.length),
      isMore,
    }
  }
