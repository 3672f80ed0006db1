import type { DatabaseSync } from 'node:sqlite'
import { foundGroups, type Found, type FoundList, type WhichHits } from '../../contract/find.ts'
import { prepare } from '../../common/statements.ts'
import type { Cache } from '../cache/cache.ts'
import type { FoundRows } from './found-rows.ts'
import { countedTo, type groupMatches, type Rank } from './group-matches.ts'
import { resolveSearch } from './resolve-search.ts'

interface Parts extends Pick<Cache, 'database' | 'asOf'> {
  matches: ReturnType<typeof groupMatches>
  rows: FoundRows
  exactOf: (typed: string) => Found[]
  waiting: () => number
}

/** The generations of a package that were found, by the package that they are of. */
export const openFolding = (database: DatabaseSync) => {
  const families = prepare<{ number: number; family: string; isAic: number; generation: number }>(
    database,
    `select p.number, coalesce(p.aic, p.id) as family, p.type = 'AIC' as isAic,
       coalesce(p.generation, 0) as generation
      from json_each(:numbers) n cross join package p on p.number = n.value`,
  )
  /** Each package once, where its best generation stood, by its newest; an AIC if nothing else was found. */
  return (found: { number: number; rank: Rank }[]) => {
    const of = new Map(
      families
        .all({ numbers: JSON.stringify(found.map(({ number }) => number)) })
        .map((row) => [row.number, row]),
    )
    const folded = new Map<string, { number: number; rank: Rank; generations: number; newest: number }>()
    for (const { number, rank } of found) {
      const row = of.get(number)
      if (!row) continue
      const kept = folded.get(row.family)
      const newest = row.isAic ? -1 : row.generation
      const generations = (kept?.generations ?? 0) + (row.isAic ? 0 : 1)
      if (!kept) folded.set(row.family, { number, rank, generations, newest })
      else if (newest > kept.newest) Object.assign(kept, { number, generations, newest })
      else kept.generations = generations
    }
    return [...folded.values()]
  }
}

/** What is found under all headings as one list. */
export const openFoundList = ({ database, asOf, matches, rows, exactOf, waiting }: Parts) => {
  const fold = openFolding(database)
  return {
    list: (which: WhichHits): FoundList => {
      // Counted first: words that come meanwhile may be missing in what is found.
      const waitingBefore = waiting()
      const { terms, filters, isAsked, isShown, isWithoutIndexFilters } = resolveSearch(which, matches)
      const found = (isAsked ? foundGroups : []).flatMap((group) => {
        const query = { group, terms, filters }
        const { rows: all, total, isMore } = matches.rows(query, countedTo, which.most)
        if (all.length === 0) return []
        const some = group === 'packages' ? fold(all) : all.map((row) => ({ ...row, generations: 0 }))
        return [{ group, some, total: group === 'packages' ? some.length : total, isMore }]
      })
      const shown = found.filter(({ group }) => isShown(group))
      const hits = shown
        .flatMap(({ group, some }) => some.map((row) => ({ group, ...row })))
        .sort((a, b) => a.rank - b.rank)
        .slice(0, which.most)
        .flatMap(({ group, number, generations }) => {
          const row = rows.byNumber(number)
          const hit = row && rows.show(row, terms, group)
          if (hit?.facts) hit.facts.generations = generations
          return hit ?? []
        })
      return {
        reading: terms,
        exact: exactOf(which.typed),
        hits,
        total: shown.reduce((sum, { total }) => sum + total, 0),
        isMore: shown.some(({ isMore }) => isMore),
        isWithoutIndexFilters,
        kinds: found.map(({ group, total, isMore }) => ({ group, total, isMore })),
        waiting: waitingBefore,
        asOf: asOf(),
      }
    },
  }
}
