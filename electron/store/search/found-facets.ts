import {
  foundFacets,
  type FoundFacet,
  type FoundFacetValues,
  type FoundGroup,
  type WhichHits,
} from '../../contract/find.ts'
import type { HeldFilters } from '../../contract/search.ts'
import { keysOf } from '../../common/records.ts'
import type { StorageMedium, StoragePolicy } from '../../dialects/models.ts'
import type { Cache } from '../cache/cache.ts'
import { countValues, mostFrequent, type Counted, type CountedValue } from './found-sources.ts'
import type { groupMatches } from './group-matches.ts'
import { byCountAndName } from '../lists/package-filters.ts'
import { resolveSearch } from './resolve-search.ts'

/** Of a package one generation counts, as it stands in the list; the AIC if nothing else was found. */
const ofPackage = (value: string, more = ''): CountedValue => {
  const isAlone = `p.aic is null and p.type <> 'AIC'`
  // What is joined may stand beside a package more than once.
  const alone = more === '' ? `sum(${isAlone})` : `count(distinct iif(${isAlone}, p.number, null))`
  return {
    value,
    from: `package p on p.number = w.number ${more}`,
    count: `count(distinct iif(p.type = 'AIC', p.id, p.aic)) + ${alone}`,
  }
}
const ofRecord = (value: string): CountedValue => ({
  value,
  from: 'held h on h.number = w.number',
  count: 'count(*)',
})

/** What each facet counts: the same groups as its filter lets through. */
const facetValues: Record<FoundFacet, Partial<Record<FoundGroup, CountedValue>>> = {
  states: { packages: ofPackage('p.state') },
  creators: { packages: ofPackage('p.creator') },
  policies: { packages: ofPackage(`coalesce(p.policy, '')`) },
  media: {
    packages: ofPackage(
      `f.model ->> '$.medium'`,
      `join held f indexed by held_object_by_package
        on f.subject = 'objects' and f.model ->> '$.package' = +p.id`,
    ),
    copies: ofRecord(`h.model ->> '$.medium'`),
    media: ofRecord('h.id'),
  },
  years: {
    packages: ofPackage('substr(p.shownSince, 1, 4)'),
    // A day of the filter is a day of this computer's clock.
    events: ofRecord(
      `iif(h.subject = 'events', strftime('%Y', h.model ->> '$.at' / 1000.0, 'unixepoch', 'localtime'), '')`,
    ),
  },
}

/** Found by filters alone, an AIC has no days: those of its newest generation are that one's. */
const yearsOfGenerations = ofPackage(`iif(p.type = 'AIC', '', substr(p.shownSince, 1, 4))`)

/** What is counted of a facet in rows of a group. */
const countedValue = (field: FoundFacet, group: FoundGroup, { isOfWords }: Counted) =>
  field === 'years' && group === 'packages' && !isOfWords ? yearsOfGenerations : facetValues[field][group]

/** All that narrows but for the facet: it is to show what else could be chosen. */
const without = (filters: HeldFilters, field: FoundFacet): HeldFilters => {
  if (field === 'years') return { ...filters, from: '', to: '' }
  return { ...filters, [field]: [] }
}

interface Parts extends Pick<Cache, 'database' | 'one'> {
  matches: ReturnType<typeof groupMatches>
  /** Waits while somebody is asked for rows, between two steps of what takes long. */
  yieldToRows: () => void
}

/** What can be narrowed by its values, of all that is found, with how many there are of each. */
export const openFoundFacets = ({ database, one, matches, yieldToRows }: Parts) => {
  const nameOf = (field: FoundFacet, value: string): string => {
    if (field === 'media') return one<StorageMedium>('media', value)?.model.name ?? ''
    return field === 'policies' ? (one<StoragePolicy>('policies', value)?.model.name ?? '') : ''
  }
  return (which: WhichHits): FoundFacetValues[] => {
    const { terms, filters, isAsked, isShown } = resolveSearch(which, matches)
    // Most fields are counted in the same packages.
    const known = new Map<string, Counted>()
    const rowsOf = (group: FoundGroup, others: HeldFilters) => {
      const key = JSON.stringify([group, others])
      const rows = known.get(key) ?? matches.counted({ group, terms, filters: others })
      known.set(key, rows)
      return rows
    }
    const countedIn = (field: FoundFacet) => (group: FoundGroup) => {
      yieldToRows()
      const rows = rowsOf(group, without(filters, field))
      const read = countedValue(field, group, rows)
      return { isMore: rows.isMore, values: read ? countValues(database, rows, read) : [] }
    }
    const fields = foundFacets.map((field) => ({
      field,
      groups: keysOf(facetValues[field]).filter(isShown),
    }))
    return (isAsked ? fields.filter(({ groups }) => groups.length > 0) : []).map(({ field, groups }) => {
      const counts = groups.map(countedIn(field))
      const values = mostFrequent(
        counts.flatMap(({ values: some }) => some),
        field === 'years' ? [] : filters[field],
      )
      return {
        field,
        values: values
          .map(({ value, count }) => ({ value, name: nameOf(field, value), count }))
          .sort(byCountAndName),
        isMore: counts.some(({ isMore }) => isMore),
      }
    })
  }
}
