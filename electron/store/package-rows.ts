import type { Listed, PackageRow, PackageSort, WhichPackages } from '../contract/packages.ts'
import type { Cache } from './cache.ts'
import { likeText } from './texts.ts'

const orders: Record<PackageSort, string> = {
  label: 'words(top.label)',
  state: 'top.state collate nocase',
  bytes: 'top.bytes',
  copies: 'top.copies',
  changed: 'julianday(top.changed)',
}

/** Rows of both levels with what the list shows of them; an AIC shows its newest generation's state, size, copies and date. */
const rows = `
  with own as materialized (
    select id, model ->> '$.type' as type, model ->> '$.aic' as aic, model ->> '$.label' as label, model ->> '$.identifier' as identifier,
      model ->> '$.state' as state, model ->> '$.stepState' as stepState, model ->> '$.bytes' as bytes, model ->> '$.generation' as generation,
      changed is not null as isNew, model ->> '$.isLast' as isLast, model ->> '$.policy' as policy,
      coalesce(model ->> '$.entered', model ->> '$.created', '') as changed
    from held where archive = :archive and subject = 'packages'
  ),
  lying as materialized (
    select model ->> '$.package' as package, count(*) as copies from held where archive = :archive and subject = 'objects' group by package
  ),
  counted as materialized (select own.*, coalesce(lying.copies, 0) as copies from own left join lying on lying.package = own.id),
  families as materialized (
    select aic, count(*) as generations, max(coalesce(generation, 0)) as last from counted where aic is not null group by aic
  ),
  newest as materialized (
    select c.* from counted c join families f on f.aic = c.aic and coalesce(c.generation, 0) = f.last group by c.aic
  ),
  row as materialized (
    select c.id, c.type, c.aic, c.label, c.identifier, coalesce(n.state, c.state) as state, coalesce(n.stepState, c.stepState) as stepState,
      coalesce(n.bytes, c.bytes) as bytes, c.generation, c.isLast, coalesce(f.generations, 0) as generations, n.id as newest,
      coalesce(n.copies, c.copies) as copies, coalesce(n.policy, c.policy) as policy, coalesce(n.changed, c.changed) as changed, max(c.isNew, coalesce(n.isNew, 0)) as isNew,
      parent.id is null as isTop
    from counted c left join families f on f.aic = c.id left join newest n on n.aic = c.id left join own parent on parent.id = c.aic
  ),
  wanted as materialized (
    select p.id, (select count(*) from json_each(p.model, '$.methods') m where m.value ->> '$.isEnabled' = 1) as wanted
    from held p where p.archive = :archive and p.subject = 'policies'
  )`

const matches = `folded(row.label || ' ' || row.identifier || ' ' || row.id || ' ' || row.state) like '%' || :filter || '%' escape '\\'`

/** Lists packages from the local copy, a window of rows at a time, with how many match and how many there are. */
export const openPackageRows = ({ database, asOf }: Cache) => {
  return (archive: string, { view, sort, descending, filter, open, offset, limit }: WhichPackages): Listed<PackageRow> => {
    const isTree = view === 'tree'
    const level = isTree ? 'row.isTop' : `row.type <> 'AIC'`
    const typed = likeText(filter)
    const below = `exists (select 1 from row kid where kid.aic = row.id and ${matches.replaceAll('row.', 'kid.')})`
    const filtered = typed === '' ? 'true' : isTree ? `(${matches} or ${below})` : matches
    const given = { archive, ...(typed === '' ? {} : { filter: typed }) }
    const counts = database.prepare(`${rows} select count(*) filter (where ${filtered}) as total, count(*) as ofAll from row where ${level}`).get(given) as { total: number; ofAll: number }
    const kids = isTree ? 'union all select row.aic, 1, row.* from row join top on top.id = row.aic where row.aic in (select value from json_each(:open))' : ''
    const found = database
      .prepare(
        `${rows}, top as (select * from row where ${level} and ${filtered}),
         shown as (select top.id as topId, 0 as depth, top.* from top ${kids})
         select shown.*, wanted.wanted, count(*) over () as lines from shown
         join top on top.id = shown.topId left join wanted on wanted.id = shown.policy
         order by ${orders[sort]} ${descending ? 'desc' : 'asc'}, top.id, shown.depth, shown.generation desc limit :limit offset :offset`,
      )
      .all({ ...given, ...(isTree ? { open: JSON.stringify(open) } : {}), limit, offset }) as Record<string, string | number | null>[]
    return {
      rows: found.map(toRow),
      ...{ total: counts.total, of: counts.ofAll, lines: Number(found[0]?.['lines'] ?? counts.total) },
      asOf: asOf(archive),
    }
  }
}

const toRow = (it: Record<string, string | number | null>): PackageRow => ({
  id: String(it['id']),
  type: String(it['type'] ?? ''),
  aic: it['depth'] === 1 ? String(it['aic']) : null,
  label: String(it['label'] ?? ''),
  identifier: String(it['identifier'] ?? ''),
  state: String(it['state'] ?? ''),
  stepState: String(it['stepState'] ?? ''),
  bytes: Number(it['bytes'] ?? 0),
  generation: it['generation'] === null || it['generation'] === undefined ? null : Number(it['generation']),
  isLast: it['isLast'] === 1,
  newest: typeof it['newest'] === 'string' ? it['newest'] : null,
  generations: Number(it['generations'] ?? 0),
  copies: Number(it['copies'] ?? 0),
  wanted: it['wanted'] === null || it['wanted'] === undefined ? null : Number(it['wanted']),
  changed: String(it['changed'] ?? ''),
  isNew: it['isNew'] === 1,
})
