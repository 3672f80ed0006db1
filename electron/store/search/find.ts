import type { DatabaseSync } from 'node:sqlite'
import {
  foundGroups,
  type FilterChoices,
  type Found,
  type FoundAnswer,
  type WhichFound,
} from '../../contract/find.ts'
import type { HeldRecord } from '../../dialects/models.ts'
import type { Cache } from '../cache/cache.ts'
import { exactMatches } from './exact-matches.ts'
import { openFoundFacets } from './found-facets.ts'
import { openFolding, openFoundList } from './found-list.ts'
import { foundRows } from './found-rows.ts'
import { groupMatches } from './group-matches.ts'
import { readQuery } from './query-text.ts'
import { openOtherGenerations } from './other-generations.ts'
import { resolveSearch } from './resolve-search.ts'
import { prepare, prepareOne } from '../../common/statements.ts'

const mostWaiting = 100_000
const mostChoices = 500

const choicesOf = (rows: Record<string, unknown>[]) =>
  rows.map(({ id, name }) => ({ id: String(id), name: typeof name === 'string' ? name : '' }))

/** What filters can be chosen from, as it is held. */
const filterChoices = (database: DatabaseSync): (() => FilterChoices) => {
  const states = database.prepare(
    `select state from package where type <> 'AIC' group by state order by count(*) desc limit 50`,
  )
  const types = database.prepare('select type from package group by type order by 1')
  const named = (name: string) =>
    database.prepare(
      `select id, model ->> '$.${name}' as name from held where subject = ? order by position, number
          limit ${mostChoices}`,
    )
  const [byNameOf, byTitle] = [named('name'), named('title')]
  // The index of parents leads to what stands at the top, however much stands below.
  const tops = database.prepare(
    `select id, model ->> '$.title' as name from held indexed by held_record_by_parent where subject = ?
       and substr(subject, 1, 12) = 'description/' and coalesce(above, '') = '' order by position
         limit ${mostChoices}`,
  )
  return () => ({
    states: states.all().flatMap(({ state }) => (state === '' ? [] : [String(state)])),
    types: types.all().map(({ type }) => String(type)),
    policies: choicesOf(byNameOf.all('policies')),
    media: choicesOf(byNameOf.all('media')),
    agents: choicesOf(byTitle.all('description/agents')),
    archives: choicesOf(tops.all('description/tags')),
  })
}

/** What is found, by ids that can be compared with those of another day. */
export interface FoundIds {
  ids: string[]
  isMore: boolean
  /** The lists that were read whole, whose ids these are. */
  lists: string[]
  /** Nothing has the types, or is in the parts of the index, that were asked for: found without these. */
  isWithoutIndexFilters: boolean
  /** By each id of a package whose newest generation is not found, the others of that package. */
  otherGenerations: Record<string, string[]>
}

/**
 * Finds what is held by its words (FTS5): those that match by name come first, of each the ones that came
 * last.
 * @param yieldToRows waits while somebody is asked for rows, between two steps of what takes long
 */
export const openFind = (
  cache: Pick<Cache, 'database' | 'one' | 'asOf'>,
  yieldToRows: () => void = () => undefined,
) => {
  const { database, one, asOf } = cache
  const waiting = prepareOne<{ n: number }>(
    database,
    `select count(*) as n from (select 1 from stale limit ${mostWaiting})`,
  )
  const countWaiting = () => waiting.get().n
  const listsRead = prepare<{ subject: string }>(database, 'select subject from refreshed')
  const rows = foundRows(database)
  const otherGenerationsOf = openOtherGenerations(database)
  const matches = groupMatches({
    database,
    agentName: (agent) => one<HeldRecord>('description/agents', agent)?.model.title ?? '',
  })
  const exactOf = exactMatches(database, rows)
  const fold = openFolding(database)

  return {
    ask: ({ typed, filters, most, group: only }: WhichFound): FoundAnswer => {
      // Counted first: words that come meanwhile may be missing in what is found.
      const waitingBefore = countWaiting()
      const reading = readQuery(typed)
      const wanted = only === null ? foundGroups : [only]
      const groups = wanted.flatMap((group) => {
        const { rows: found, total, isMore } = matches.rows({ group, terms: reading, filters }, most)
        const hits = found.flatMap(({ number }) => {
          const row = rows.byNumber(number)
          return row ? [rows.show(row, reading, group)] : []
        })
        return hits.length === 0 ? [] : [{ group, total, isMore, hits }]
      })
      return {
        reading,
        exact: only === null ? exactOf(typed) : [],
        groups,
        waiting: waitingBefore,
        asOf: asOf(),
      }
    },
    /**
     * The ids of what is found, for comparing them with those of another day; those that come first, where
     * there are more. What is found is what stands in the list: a package once, as its newest generation.
     */
    ids: (which: WhichFound): FoundIds => {
      const { terms, filters, isShown, isWithoutIndexFilters } = resolveSearch(which, matches)
      const wanted = (which.group === null ? foundGroups : [which.group]).filter(isShown)
      const found = wanted.map((group) => ({ group, ...matches.rows({ group, terms, filters }, null) }))
      const folded = found.map(({ group, rows: some }) => (group === 'packages' ? fold(some) : some))
      const ids = folded.flat().flatMap(({ number }) => {
        const row = rows.byNumber(number)
        return row ? [`${row.subject} ${row.id}`] : []
      })
      const packages = found.findIndex(({ group }) => group === 'packages')
      return {
        ids,
        isMore: found.some(({ isMore }) => isMore),
        lists: listsRead.all().map(({ subject }) => subject),
        isWithoutIndexFilters,
        otherGenerations: otherGenerationsOf((folded[packages] ?? []).map(({ number }) => number)),
      }
    },
    /** What was found before, by the ids that ids() gave. */
    rows: (ids: string[]): Found[] =>
      ids.flatMap((key) => {
        const space = key.indexOf(' ')
        const row = rows.byId(key.slice(0, space), key.slice(space + 1))
        return row ? [rows.show(row, [])] : []
      }),
    ...openFoundList({ database, asOf, matches, rows, exactOf, waiting: countWaiting }),
    facets: openFoundFacets({ database, one, matches, yieldToRows }),
    choices: filterChoices(database),
  }
}
