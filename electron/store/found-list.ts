import type { DatabaseSync } from 'node:sqlite'
import {
  type Found,
  foundFacets,
  foundGroups,
  type FoundFacet,
  type FoundFacetValues,
  type FoundGroup,
  type FoundList,
  type WhichHits,
} from '../contract/find.ts'
import type { HeldFilters } from '../contract/search.ts'
import { prepare } from '../common/statements.ts'
import type { StorageMedium, StoragePolicy } from '../dialects/models.ts'
import type { Cache } from './cache.ts'
import type { FoundRows } from './found-rows.ts'
import { countValues, type Counted } from './found-sources.ts'
import { countedTo, isAsked, type groupMatches, type Rank } from './group-matches.ts'
import { byCountAndName } from './package-filters.ts'
import { readQuery } from './query-text.ts'

/** What is read of a package `p` for each facet, and what is joined to it. */
const facetValues: Record<FoundFacet, { value: string; from: string }> = {
  states: { value: 'p.state', from: '' },
  creators: { value: 'p.creator', from: '' },
  policies: { value: `coalesce(p.policy, '')`, from: '' },
  years: { value: 'substr(p.since, 1, 4)', from: '' },
  media: {
    value: `f.model ->> '$.medium'`,
    from: `join held f indexed by held_object_by_package
      on f.subject = 'objects' and f.model ->> '$.package' = +p.id`,
  },
}

/** All that narrows but for the facet: it is to show what else could be chosen. */
const without = (filters: HeldFilters, field: FoundFacet): HeldFilters => {
  if (field === 'years') return { ...filters, from: '', to: '' }
  return { ...filters, [field]: [] }
}

interface Parts extends Pick<Cache, 'database' | 'one' | 'asOf'> {
  matches: ReturnType<typeof groupMatches>
  rows: FoundRows
  exactOf: (typed: string) => Found[]
  waiting: () => number
  /** Waits while somebody is asked for rows, between two steps of what takes long. */
  yieldToRows: () => void
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
export const openFoundList = ({
  database,
  one,
  asOf,
  matches,
  rows,
  exactOf,
  waiting,
  yieldToRows,
}: Parts) => {
  const fold = openFolding(database)
  const nameOf = (field: FoundFacet, value: string): string => {
    if (field === 'media') return one<StorageMedium>('media', value)?.model.name ?? ''
    return field === 'policies' ? (one<StoragePolicy>('policies', value)?.model.name ?? '') : ''
  }

  const read = ({ typed, filters }: WhichHits) => {
    const terms = readQuery(typed)
    const isNothing = !isAsked(terms, filters)
    const isShown = (group: FoundGroup) => filters.kinds.length === 0 || filters.kinds.includes(group)
    return { terms, isNothing, isShown, everything: { ...filters, kinds: [] } }
  }
  return {
    list: (which: WhichHits): FoundList => {
      const { terms, isNothing, isShown, everything } = read(which)
      const found = (isNothing ? [] : foundGroups).flatMap((group) => {
        const query = { group, terms, filters: everything }
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
        kinds: found.map(({ group, total, isMore }) => ({ group, total, isMore })),
        waiting: waiting(),
        asOf: asOf(),
      }
    },
    facets: (which: WhichHits): FoundFacetValues[] => {
      const { terms, isNothing, isShown, everything } = read(which)
      if (isNothing || !isShown('packages')) return []
      // Most fields are counted in the same packages.
      const counted = new Map<string, Counted>()
      return foundFacets.map((field) => {
        yieldToRows()
        const narrowed = without(everything, field)
        const key = JSON.stringify(narrowed)
        const packages = counted.get(key) ?? matches.packages({ group: 'packages', terms, filters: narrowed })
        counted.set(key, packages)
        const chosen = field === 'years' ? [] : everything[field]
        const values = countValues(database, packages, chosen, facetValues[field])
        return {
          field,
          values: values
            .map(({ value, count }) => ({ value, name: nameOf(field, value), count }))
            .sort(byCountAndName),
          isMore: packages.isMore,
        }
      })
    },
  }
}
