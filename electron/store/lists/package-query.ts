import type { PackageSort, WhichPackages } from '../../contract/packages.ts'
import type { Subject } from '../../contract/subjects.ts'
import { hasFailed } from './failed-medium.ts'
import { packageConditions } from './package-filters.ts'
import { likeText } from '../cache/text-functions.ts'

const sorted: Record<PackageSort, string> = {
  label: 'p.words',
  identifier: 'p.identifier collate nocase',
  creator: 'coalesce((select n.creator from package n where n.id = p.newest), p.creator) collate nocase',
  state: 'p.shownState collate nocase',
  bytes: 'p.shownBytes',
  copies: 'p.shownCopies - coalesce(d.lost, 0)',
  generations: 'p.generations',
  changed: 'p.shownSince',
}

/**
 * How many copies of a row `p` lie on media that failed, by its number: those are few, and an index leads
 * from them to their packages. An AIC shows its newest generation's.
 */
const damaged = `damaged as materialized (
  with gone as materialized (
    select o.model ->> '$.package' as id, count(*) as lost
      from held m cross join held o indexed by held_object_by_medium
        on o.subject = 'objects' and o.model ->> '$.medium' = +m.id
      where m.subject = 'media' and ${hasFailed('m')} group by o.model ->> '$.package')
  select p.number, g.lost from gone g cross join package p on p.id = g.id where p.newest is null
  union all select a.number, g.lost from gone g cross join package p on p.id = g.id
    cross join package a on a.id = p.aic where a.newest = g.id)`

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
  // Generations of a package are often called the same.
  const isByName = !isTree && (sort === 'label' || sort === 'identifier')
  const keys = [sorted[sort], ...(isByName ? ['p.generation'] : []), 'p.id']
  const order = keys.map((key) => `${key} ${direction}`).join(', ')
  const isBySound = sort === 'copies'
  const sortedRows = isBySound
    ? `with ${damaged} select p.number from ${from} left join damaged d on d.number = p.number where ${where}`
    : rows
  return {
    isTree,
    level,
    isFiltered: typed !== '' || conditions.length > 0,
    /** The rows `p` in no order, as what stands in a select. */
    among: { from, where },
    /** Whether it is all packages that are asked. */
    isWalk: typed === '',
    rows,
    sql: `${sortedRows} order by ${order}`,
    given: typed === '' ? given : { ...given, filter: typed },
    lists: ['packages', 'objects', ...(isBySound ? (['media'] as const) : [])] satisfies Subject[],
  }
}
