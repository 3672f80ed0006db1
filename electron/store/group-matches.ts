import type { DatabaseSync } from 'node:sqlite'
import type { FoundGroup, QueryTerm } from '../contract/find.ts'
import type { HeldFilters } from '../contract/search.ts'
import { groupFilter, type Narrowing } from './found-filters.ts'
import { hasLongWords, toMatch, type Clause, type Matching } from './query-text.ts'
import { prepare, prepareOne } from '../common/statements.ts'
import { wordsAround } from './vocabulary.ts'

/** Counting stops here: nobody reads that far, and walking on would take longer than a key press. */
const countedTo = 1_000
/** So many rows that match are looked at for those that a filter lets through. */
const lookedAt = 20_000
/** More values than these nobody reads through. */
const mostValues = 50

interface Parts {
  database: DatabaseSync
  /** What an agent is called; the empty text where none is held. */
  agentName: (id: string) => string
}

/** What is asked of one group. */
export interface GroupQuery {
  group: FoundGroup
  terms: QueryTerm[]
  filters: HeldFilters
}

/** How well a row matches: it is called so, has words that begin so, or words of which it is a part. */
export type Rank = 0 | 1 | 2

/** The rows that match, and how many there are. */
interface Matches {
  rows: { number: number; rank: Rank }[]
  total: number
  isMore: boolean
}

/** How often each value stands in the packages that match; of each package one generation counts. */
interface Values {
  value: string
  count: number
}

/** Rows of an index that match, as SQL; what is asked is given under names of its own. */
const clauseOf = (group: FoundGroup, { names, words }: Clause, name: string) => {
  const selects = [
    ...(names === undefined ? [] : [`select rowid from names_${group} where names_${group} match :n${name}`]),
    ...(words === undefined ? [] : [`select rowid from words_${group} where words_${group} match :w${name}`]),
  ]
  const given: Record<string, string> = {}
  if (names !== undefined) given[`n${name}`] = names
  if (words !== undefined) given[`w${name}`] = words
  return { sql: selects.join(' union '), isOne: selects.length === 1, given }
}

/** The rows that the words lead to, as SQL; undefined where no words are asked for. */
const hitsOf = (group: FoundGroup, { wanted, excluded }: Matching, narrowing: Narrowing) => {
  const ofFilters = narrowing.match === '' ? [] : [{ names: undefined, words: narrowing.match }]
  const clauses = [...wanted, ...ofFilters].map((clause, index) => clauseOf(group, clause, `${index}`))
  const [first, ...others] = clauses
  if (!first) return undefined
  const without = excluded.map((clause, index) => clauseOf(group, clause, `x${index}`))
  const conditions = [
    ...others.map(({ sql }) => `rowid in (${sql})`),
    ...without.map(({ sql }) => `rowid not in (${sql})`),
  ]
  const from = first.isOne ? first.sql : `select rowid from (${first.sql}) where true`
  const given: Record<string, string> = {}
  for (const clause of [...clauses, ...without]) Object.assign(given, clause.given)
  return { sql: [from, ...conditions].join(' and '), given }
}

/** The rows of one group under its filters. */
const narrowedGroup = (database: DatabaseSync, group: FoundGroup, narrowing: Narrowing) => {
  const { where, plainWhere, given, plain } = narrowing
  return {
    /** @param looked how many hits are looked at; -1 for all of them */
    numbers: (matching: Matching, limit: number, looked = lookedAt): number[] => {
      const hits = hitsOf(group, matching, narrowing)
      if (hits === undefined && plain === undefined) return []
      const from = hits
        ? `(${hits.sql} order by rowid desc limit ${looked}) w cross join held h on h.number = w.rowid`
        : plain
      const asked = hits ? where : plainWhere
      const rows = database
        .prepare(`select h.number from ${from}${asked === '' ? '' : ` where ${asked}`} limit :limit`)
        .all({ ...given, ...hits?.given, limit })
      return rows.map(({ number }) => Number(number))
    },
    /**
     * @param value what is read of a package `p`
     * @param from more that is joined to it
     */
    values: (matching: Matching, value: string, from: string): Values[] => {
      const hits = hitsOf(group, matching, narrowing)
      if (hits === undefined && plain === undefined) return []
      const rows = hits
        ? `(${hits.sql} order by rowid desc limit ${lookedAt}) w cross join held h on h.number = w.rowid
            cross join package p on p.id = h.id`
        : plain
      const asked = hits ? where : plainWhere
      return prepare<Values>(
        database,
        `select ${value} as value, count(distinct coalesce(p.aic, p.id)) as count from ${rows} ${from}
          where p.type <> 'AIC' and value <> ''${asked === '' ? '' : ` and ${asked}`}
          group by value order by count desc, value limit ${mostValues}`,
      ).all({ ...given, ...hits?.given })
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
export const groupMatches = ({ database, agentName }: Parts) => {
  const around = wordsAround(database)
  const narrowed = ({ group, filters }: GroupQuery) => {
    const narrowing = groupFilter(group, filters, agentName)
    return narrowing && narrowedGroup(database, group, narrowing)
  }
  return {
    /** @param most how many rows are wanted, the best first; all that are counted in no order when null */
    rows: (query: GroupQuery, most: number | null): Matches => {
      const { terms } = query
      const nothing = { rows: [], total: 0, isMore: false }
      const rows = narrowed(query)
      if (!rows) return nothing
      const whole = hasLongWords(terms)
        ? rows.numbers(toMatch(terms, { around, isWhole: true }), countedTo + 1)
        : []
      const isWhole = whole.length > countedTo
      const matching = toMatch(terms, { around, isInside: true })
      const some = isWhole ? whole : rows.numbers(matching, countedTo + 1)
      const isMore = some.length > countedTo || rows.isCut(matching)
      // Nothing is said to be nowhere before all of it was looked at.
      const counted = some.length === 0 && isMore ? rows.numbers(matching, countedTo + 1, -1) : some
      if (counted.length === 0) return nothing
      const isRanked = most !== null && terms.length > 0
      const named = isRanked ? rows.numbers(toMatch(terms, { around, isWhole, isOfNames: true }), most) : []
      const begun = isRanked && !isWhole ? rows.numbers(toMatch(terms, { around }), most) : []
      const ranks = new Map<number, Rank>(counted.map((number) => [number, isRanked && !isWhole ? 2 : 1]))
      for (const number of begun) ranks.set(number, 1)
      for (const number of named) ranks.set(number, 0)
      const found = [...ranks].map(([number, rank]) => ({ number, rank }))
      return {
        rows: found.sort((a, b) => a.rank - b.rank).slice(0, most ?? countedTo),
        total: Math.min(countedTo, counted.length),
        isMore,
      }
    },
    /**
     * What stands in the packages that match.
     * @param value SQL of what is read of a package `p`
     * @param from more that is joined to it, as SQL
     */
    values: (query: GroupQuery, value: string, from: string): Values[] =>
      narrowed(query)?.values(toMatch(query.terms, { around, isInside: true }), value, from) ?? [],
  }
}
