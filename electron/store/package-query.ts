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
  // One walk through a narrow index finds the texts; above what stands below others, its top is wanted. From
  // there on "cross" keeps the planner, who knows nothing of how few there are, from walking all packages.
  const hits = `with hit as materialized (select number, aic, isTop, type from package indexed by package_text
      where folded like '%' || :filter || '%' escape '\\' or shownState like '%' || :filter || '%'
      escape '\\')`
  const tops = `select number from hit where isTop = 1 union select a.number from hit
        cross join package a on a.id = hit.aic where a.isTop = 1`
  const found = isTree ? tops : `select number from hit where type <> 'AIC'`
  const { conditions, given } = packageConditions(filters)
  const from = typed === '' ? 'package p' : `(${hits} ${found}) f cross join package p on p.number = f.number`
  const where = (typed === '' ? [level, ...conditions] : ['true', ...conditions]).join(' and ')
  const rows = `select p.number from ${from} where ${where}`
  const direction = descending ? 'desc' : 'asc'
  return {
    isTree,
    level,
    isFiltered: typed !== '' || conditions.length > 0,
    /** The rows `p` in no order, as what stands in a select. */
    among: { from, where },
    /** Whether it is all packages that are asked. */
    isWalk: typed === '',
    rows,
    sql: `${rows} order by ${sorted[sort]} ${direction}, p.id ${direction}`,
    given: typed === '' ? given : { ...given, filter: typed },
    lists: ['packages', 'objects'] satisfies Subject[],
  }
}
