import type { DatabaseSync } from 'node:sqlite'
import type { FoundGroup, QueryTerm } from '../../contract/find.ts'
import type { HeldFilters } from '../../contract/search.ts'
import { groupFilter, isFiltered, type Narrowing } from './found-filters.ts'
import { byFilters, byWords, isLonger, type Asked, type Counted, type Source } from './found-sources.ts'
import { allOf, byLeads } from './filtered-packages.ts'
import { longWords, toMatch, type Clause, type Matching } from './query-text.ts'
import { wordsAround } from '../cache/vocabulary.ts'
import { prepare } from '../../common/statements.ts'

/**
 * Counting stops here: no more are shown to anybody, and walking on would take longer than a key press. Each
 * that is counted may be read from another place of the disk.
 */
export const countedTo = 500

/**
 * A long word that stands in more rows is asked for as such: the index would have to bring all rows of all
 * words that begin so into order first.
 */
const rowsOfCommon = 10_000

/** Sorts events and messages, of which many are called the same, by when they happened: the latest first. */
const openLatestFirst = (database: DatabaseSync) => {
  const moments = prepare<{ number: number; at: number }>(
    database,
    `select h.number, coalesce(h.model ->> '$.at', 0) as at
      from json_each(:numbers) n cross join held h on h.number = n.value`,
  )
  return (found: Matches['rows']): Matches['rows'] => {
    const numbers = JSON.stringify(found.map(({ number }) => number))
    const at = new Map(moments.all({ numbers }).map((row) => [row.number, row.at]))
    return found.toSorted((a, b) => (at.get(b.number) ?? 0) - (at.get(a.number) ?? 0))
  }
}

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

/** Leaves out rows with words that are excluded, by SQL of their number. */
const withoutWords = (group: FoundGroup, excluded: Matching['excluded'], number: string): Asked => {
  const clauses = excluded.map((clause, index) => clauseOf(group, clause, `x${index}`))
  return {
    where: clauses.map(({ sql }) => `${number} not in (${sql})`).join(' and '),
    given: Object.fromEntries(clauses.flatMap(({ given }) => Object.entries(given))),
  }
}

/** The rows that the words lead to, as SQL; undefined where no words are asked for. */
const hitsOf = (group: FoundGroup, { wanted, excluded }: Matching, narrowing: Narrowing) => {
  const ofFilters = narrowing.match === '' ? [] : [{ names: undefined, words: narrowing.match }]
  const clauses = [...wanted, ...ofFilters].map((clause, index) => clauseOf(group, clause, `${index}`))
  const [first, ...others] = clauses
  if (!first) return undefined
  const without = withoutWords(group, excluded, 'rowid')
  const conditions = [
    ...others.map(({ sql }) => `rowid in (${sql})`),
    ...(without.where === '' ? [] : [without.where]),
  ]
  const from = first.isOne ? first.sql : `select rowid from (${first.sql}) where true`
  const given: Record<string, string> = { ...without.given }
  for (const clause of clauses) Object.assign(given, clause.given)
  return { sql: [from, ...conditions].join(' and '), given }
}

/** Whether anything is asked for: without it nothing is found, and not everything. */
export const isAsked = (terms: QueryTerm[], filters: HeldFilters) =>
  toMatch(terms).wanted.length > 0 || isFiltered(filters)

/** Whether a word stands in so many rows of a group that it is asked for as such. */
const isCommon = (database: DatabaseSync, group: FoundGroup, term: QueryTerm) =>
  toMatch([term], { isWhole: true }).wanted.some((clause) =>
    isLonger(database, clauseOf(group, clause, 'common'), rowsOfCommon),
  )

/** Finds the rows of a group by words and filters. */
export const groupMatches = ({ database, agentName }: Parts) => {
  const around = wordsAround(database)
  const latestFirst = openLatestFirst(database)
  /** @param isWhole whether rows are found of which no word and no filter speaks */
  const sources = ({ group, filters }: GroupQuery, isWhole = false) => {
    const narrowing = groupFilter(group, filters, agentName)
    return (matching: Matching): Source | undefined => {
      const hits = narrowing && hitsOf(group, matching, narrowing)
      if (hits) return byWords(database, hits, narrowing)
      if (!narrowing) return undefined
      const without = (number: string) => withoutWords(group, matching.excluded, number)
      const { withoutWords: rows, whole } = narrowing
      if (Array.isArray(rows)) return byLeads(database, rows, without('p.number'))
      const asked = [narrowing, without('h.number')]
      if (rows !== undefined) return byFilters(database, rows, allOf(asked))
      return isWhole && whole
        ? byFilters(database, whole, allOf([{ where: whole.where, given: {} }, ...asked]))
        : undefined
    }
  }
  return {
    /**
     * @param most how many rows are wanted, the best first; all that are counted in no order when null
     * @param enough with so many by filters alone, the rest is not asked about
     */
    rows: (query: GroupQuery, most: number | null, enough = most ?? Infinity): Matches => {
      const { group, terms, filters } = query
      const nothing = { rows: [], total: 0, isMore: false }
      if (!isAsked(terms, filters)) return nothing
      const sourceOf = sources(query)
      const numbersOf = (matching: Matching, limit: number) => sourceOf(matching)?.numbers(limit) ?? []
      const whole = longWords(terms).some((term) => isCommon(database, group, term))
        ? numbersOf(toMatch(terms, { around, isWhole: true }), countedTo + 1)
        : []
      const isWhole = whole.length > countedTo
      const inside = toMatch(terms, { around, isInside: true })
      const source = sourceOf(inside)
      if (!source) return nothing
      // Those that filters alone lead to stand in order already.
      const isRanked = most !== null && terms.length > 0
      const isByTime = isRanked && group === 'events'
      const named = isRanked
        ? numbersOf(toMatch(terms, { around, isWhole, isOfNames: true }), countedTo + (isByTime ? 0 : 1))
        : []
      // Whatever is called so stands first: with more of them than are counted, no others are looked for.
      if (named.length > countedTo) {
        const rows = named.slice(0, most ?? countedTo).map((number) => ({ number, rank: 0 as const }))
        return { rows, total: countedTo, isMore: true }
      }
      const some = isWhole ? whole : source.numbers(countedTo + 1)
      const isCut = some.length <= countedTo && source.isCut()
      // Nothing is said to be nowhere before all of it was looked at.
      const isTooFew = some.length < (terms.length > 0 ? 1 : enough)
      const counted = isCut && isTooFew ? [...some, ...source.others(countedTo + 1 - some.length)] : some
      if (counted.length === 0) return nothing
      // Where no word has what was typed inside of it, all that is found begins so.
      const beginning = toMatch(terms, { around })
      const isBegun = isWhole || JSON.stringify(beginning) === JSON.stringify(inside)
      const begun = isRanked && !isBegun ? numbersOf(beginning, isByTime ? countedTo : (most ?? 0)) : []
      const ranks = new Map<number, Rank>(counted.map((number) => [number, isRanked && !isBegun ? 2 : 1]))
      for (const number of begun) ranks.set(number, 1)
      for (const number of named) ranks.set(number, 0)
      const found = [...ranks].map(([number, rank]) => ({ number, rank }))
      const inOrder = isByTime ? latestFirst(found) : found
      return {
        rows: inOrder.sort((a, b) => a.rank - b.rank).slice(0, most ?? countedTo),
        total: Math.min(countedTo, counted.length),
        isMore: counted.length > countedTo || (isCut && counted === some),
      }
    },
    /** The rows that match, for counts; all of them where nothing is asked for. */
    counted: (query: GroupQuery): Counted =>
      sources(query, true)(toMatch(query.terms, { around, isInside: true }))?.counted() ?? {
        numbers: '[]',
        isMore: false,
        isOfWords: false,
      },
  }
}
