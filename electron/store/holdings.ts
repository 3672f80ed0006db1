import type { Growth, Risk } from '../contract/storage.ts'
import type { Cache } from './cache.ts'

const most = 50
/** From this share on a medium that is still written to will soon take no more. */
export const nearlyFull = 0.9

/** Packages with their copies, and for each how many there are, should be, in how many rooms, and on how many targets that are in use. */
const packages = `
  with medium as materialized (
    select m.id, nullif(m.model ->> '$.location', '') as location, t.model ->> '$.isEnabled' as isEnabled
    from held m left join held t on t.archive = :archive and t.subject = 'targets' and t.id = m.model ->> '$.target'
    where m.archive = :archive and m.subject = 'media'
  ),
  lying as materialized (
    select o.model ->> '$.package' as package, count(*) as copies, count(distinct m.location) as rooms, sum(m.location is null) as unplaced, sum(coalesce(m.isEnabled, 1)) as usable
    from held o left join medium m on m.id = o.model ->> '$.medium' where o.archive = :archive and o.subject = 'objects' group by package
  ),
  wanted as materialized (
    select p.id, (select count(*) from json_each(p.model, '$.methods') m where m.value ->> '$.isEnabled' = 1) as wanted
    from held p where p.archive = :archive and p.subject = 'policies'
  ),
  weighed as materialized (
    select p.id, p.name || case when p.generation is null then '' else ' (' || p.generation || ')' end as name, p.archived, coalesce(l.copies, 0) as copies, w.wanted, l.rooms, l.unplaced, l.usable
    from (select *, coalesce(nullif(label, ''), nullif(identifier, ''), id) as name from package where archive = :archive and type <> 'AIC') p
      left join lying l on l.package = p.id left join wanted w on w.id = p.policy
  )`

const kinds: { kind: Exclude<Risk['kind'], 'nearly full'>; where: string }[] = [
  { kind: 'no copies', where: 'archived = 1 and copies = 0' },
  { kind: 'disabled target', where: 'copies > 0 and usable = 0' },
  { kind: 'few copies', where: 'copies > 0 and copies < wanted' },
  { kind: 'one room', where: 'copies > 1 and rooms = 1 and unplaced = 0' },
]

/** What is at risk, and what came year by year, from the local copy. */
export const openHoldings = ({ database }: Cache) => {
  const risky = database.prepare(
    `${packages},
     risky as (${kinds.map(({ kind, where }) => `select '${kind}' as kind, id, name from weighed where ${where}`).join(' union all ')}),
     placed as (select *, count(*) over (partition by kind) as total, row_number() over (partition by kind order by name) as place from risky)
     select kind, id, name, total from placed where place <= ${most} order by place`,
  )
  const filling = database.prepare(
    `select m.id, m.model ->> '$.name' as name, count(*) over () as total from held m join held t on t.archive = :archive and t.subject = 'targets' and t.id = m.model ->> '$.target'
     where m.archive = :archive and m.subject = 'media' and m.model ->> '$.statusCode' = 20 and m.model ->> '$.usedBytes' >= ${nearlyFull} * (t.model ->> '$.capacityBytes') limit ${most}`,
  )
  const coming = database.prepare(
    `select substr(since, 1, 4) as year, count(*) as packages, total(bytes) as bytes
     from package where archive = ? and type <> 'AIC' group by year having year glob '[0-9][0-9][0-9][0-9]' order by year`,
  )
  const toRisk = (kind: Risk['kind'], rows: { id: string; name: string; total: number }[]): Risk[] =>
    rows.length === 0 ? [] : [{ kind, total: rows[0]?.total ?? 0, some: rows.map(({ id, name }) => ({ id, name })) }]

  return (archive: string): { risks: Risk[]; growth: Growth[] } => {
    const found = Map.groupBy(risky.all({ archive }) as { kind: string; id: string; name: string; total: number }[], ({ kind }) => kind)
    return {
      risks: [...kinds.flatMap(({ kind }) => toRisk(kind, found.get(kind) ?? [])), ...toRisk('nearly full', filling.all({ archive }) as { id: string; name: string; total: number }[])],
      growth: (coming.all(archive) as unknown as Growth[]).map((it) => ({ ...it })),
    }
  }
}
