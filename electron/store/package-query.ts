import type { PackageSort, WhichPackages } from '../contract/packages.ts'
import type { Subject } from '../contract/subjects.ts'
import { packageConditions } from './package-filters.ts'
import { likeText } from './texts.ts'

const sorted: Record<PackageSort, string> = {
  label: 'p.words',
  identifier: 'p.identifier collate nocase',
  creator: 'coalesce((select n.creator from package n where n.id = p.newest), p.creator) collate nocase',
  state: 'p.shownState collate nocase',
  bytes: 'p.shownBytes',
  copies: 'p.shownCopies',
  generations: 'p.generations',
  changed: 'p.shownSince',
}

/** What stands for the rows of the list of packages, in the order in which they are shown. */
export const packageQuery = ({
  view,
  sort,
  descending,
  filter,
  filters,
}: Pick<WhichPackages, 'view' | 'sort' | 'descending' | 'filter' | 'filters'>) => {
  const isTree = view === 'tree'
  const level = isTree ? 'p.isTop = 1' : `p.type <> 'AIC'`
  const typed = likeText(filter)
  // One walk through a narrow index finds the texts; above what stands below others, its top is wanted.
  const hits = `with hit as materialized (select number, aic, isTop, type from package indexed by package_text
      where folded like '%' || :filter || '%' escape '\\' or shownState like '%' || :filter || '%'
      escape '\\')`
  const tops = `select number from hit where isTop = 1 union select a.number from hit
        join package a on a.id = hit.aic where a.isTop = 1`
  const found = isTree ? tops : `select number from hit where type <> 'AIC'`
  const { conditions, given } = packageConditions(filters)
  const wanted =
    typed === ''
      ? `select p.number from package p where ${[level, ...conditions].join(' and ')}`
      : `${hits} select p.number from (${found}) f join package p on p.number = f.number
        where ${['true', ...conditions].join(' and ')}`
  const direction = descending ? 'desc' : 'asc'
  return {
    isTree,
    level,
    isFiltered: typed !== '' || conditions.length > 0,
    /** The rows in no order. */
    rows: wanted,
    sql: `${wanted} order by ${sorted[sort]} ${direction}, p.id ${direction}`,
    given: typed === '' ? given : { ...given, filter: typed },
    lists: ['packages', 'objects'] satisfies Subject[],
  }
}
