import {
  mediumRisks,
  nearlyFull,
  riskKinds,
  riskyColumns,
  type CopyOnMedium,
  type Growth,
  type Risk,
  type RiskKind,
  type RiskyColumn,
  type RiskyRow,
  type WhichRisky,
} from '../../contract/storage.ts'
import type { Listed } from '../../contract/paging.ts'
import type { Cache } from '../cache/cache.ts'
import { hasFailed } from './failed-medium.ts'
import type { SortOrders } from './sort-orders.ts'
import { prepare, prepareOne } from '../../common/statements.ts'
import { generationNumber } from '../cache/generation-number.ts'

/**
 * A medium that is still written to, and to which nothing came for so many days, may have been forgotten or
 * have failed.
 */
const longDays = 365
const mostShown = 2_000

/**
 * Placements with what each is weighed by: how many copies there are, how many of them do not lie on a failed
 * medium, on how many media and in how many rooms, and how many on targets that are in use. Beside them how
 * many copies each policy asks for.
 */
const placements = `
  with medium as materialized (
    select m.id, nullif(m.model ->> '$.location', '') as location, m.model ->> '$.use' as use,
      t.model ->> '$.isEnabled' as isEnabled
    from held m left join held t on t.subject = 'targets' and t.id = m.model ->> '$.target'
    where m.subject = 'media'
  ),
  lying as materialized (
    select s.number, count(*) as copies, sum(coalesce(m.use, '') <> 'failed') as sound,
      count(distinct c.value ->> 1) as media, count(distinct m.location) as rooms,
      sum(m.location is null) as unplaced, sum(coalesce(m.isEnabled, 1)) as usable
    from placement s, json_each(s.copies) c left join medium m on m.id = c.value ->> 0 group by s.number
  ),
  wanted as materialized (
    select p.id, (select count(*) from json_each(p.model, '$.methods') m
      where m.value ->> '$.isEnabled' = 1) as wanted
    from held p where p.subject = 'policies'
  )`

/** @param packages SQL for packages, or groups of them, with their placement, policy and `archived` */
const weighed = (packages: string) => `
  select p.*, coalesce(l.copies, 0) as copies, l.sound, w.wanted, l.media, l.rooms, l.unplaced, l.usable
  from (${packages}) p left join lying l on l.number = p.placement left join wanted w on w.id = p.policy`

const everyGeneration = `select number, placement, policy, archived from package where type <> 'AIC'`
/** What is weighed in the same way is weighed once. */
const generationsAlike = `select placement, policy, archived, count(*) as generations
  from package where type <> 'AIC' group by placement, policy, archived`

const ofPackages: Partial<Record<RiskKind, string>> = {
  'no copies': 'archived = 1 and copies = 0',
  'disabled target': 'copies > 0 and usable = 0',
  'few copies': 'copies > 0 and sound < wanted',
  'one medium': 'copies > 0 and media = 1',
  'one room': 'copies > 1 and media > 1 and rooms = 1 and unplaced = 0',
}

const lastChange = `(select max(o.model ->> '$.written') from held o
    where o.subject = 'objects' and o.model ->> '$.medium' = +m.id)`
const ofMedia: Partial<Record<RiskKind, string>> = {
  'nearly full': `m.model ->> '$.use' = 'written'
    and m.model ->> '$.usedBytes' >= ${nearlyFull} * (t.model ->> '$.capacityBytes')`,
  'long unchanged': `m.model ->> '$.use' = 'written'
    and julianday(:now) - julianday(coalesce(${lastChange}, m.model ->> '$.created')) > ${longDays}`,
  'failed medium': hasFailed('m'),
}
const media = `held m left join held t on t.subject = 'targets' and t.id = m.model ->> '$.target'
    where m.subject = 'media'`

type FoundRow = RiskyRow & { hasPolicy: number }
type Totals = Partial<Record<RiskKind, number>>

/** Where the copies of a package `p` lie. */
const places = `(select group_concat(place, '; ')
    from (select distinct coalesce(nullif(c.model ->> '$.location', ''),
    '–') || ' · ' || (o.model ->> '$.mediumId') as place
     from held o left join held c on c.subject = 'media' and c.id = o.model ->> '$.medium'
       where o.subject = 'objects' and o.model ->> '$.package' = +p.id order by 1))`

/** How many copies of a package `p` lie on a medium that has not failed. */
const soundCopies = `(select count(*) from held o
    left join held c on c.subject = 'media' and c.id = o.model ->> '$.medium'
    where o.subject = 'objects' and o.model ->> '$.package' = +p.id
      and coalesce(c.model ->> '$.use', '') <> 'failed')`

/** What a list of packages `p` at risk, weighed as `w`, is sorted by. */
const packageOrder: Record<RiskyColumn, string> = {
  name: 'p.words',
  identifier: 'p.identifier',
  copies: 'coalesce(w.sound, 0)',
  where: places,
  bytes: 'p.bytes',
  changed: 'p.since',
}
/** The same of media `m`; their rows show what they are sorted by. */
const mediumValues: Record<RiskyColumn, string> = {
  name: "m.model ->> '$.name'",
  identifier: "m.model ->> '$.name'",
  copies: `(select count(*) from held o
    where o.subject = 'objects' and o.model ->> '$.medium' = +m.id)`,
  where: "m.model ->> '$.location'",
  bytes: "m.model ->> '$.usedBytes'",
  changed: `coalesce(${lastChange}, m.model ->> '$.created', '')`,
}

/** The numbers of what is at risk in one way, in the order that is asked for. */
const riskySql = ({ kind, sort = 'name', descending = false }: WhichRisky) => {
  const direction = descending ? 'desc' : 'asc'
  return mediumRisks.includes(kind)
    ? `select m.number from ${media} and ${ofMedia[kind] ?? 'false'}
        order by ${mediumValues[sort]} ${direction}, ${mediumValues.name}, m.number`
    : `${placements} select w.number
        from (select number, sound from (${weighed(everyGeneration)})
          where ${ofPackages[kind] ?? 'false'}) w
        join package p on p.number = w.number
        order by ${packageOrder[sort]} ${direction}, p.words, p.number`
}

/** Lists what is at risk in one way. */
const openRisky = (
  { database, asOf, count }: Pick<Cache, 'database' | 'asOf' | 'count'>,
  sortOrders: SortOrders,
) => {
  const packageRows = prepare<FoundRow>(
    database,
    `select p.id, coalesce(nullif(p.label, ''), nullif(p.identifier, ''), p.id) as name,
       ${generationNumber('p')} as generation, p.identifier, ${soundCopies} as copies,
       (select count(*) from held w, json_each(w.model, '$.methods') m
         where w.subject = 'policies' and w.id = p.policy and m.value ->> '$.isEnabled' = 1) as wanted,
       exists (select 1 from held w where w.subject = 'policies' and w.id = p.policy) as hasPolicy,
         coalesce(${places}, '') as "where", p.bytes, p.since as changed
     from json_each(?) n join package p on p.number = n.value order by n.key`,
  )
  const mediumRows = prepare<FoundRow>(
    database,
    `select m.id, null as generation, 0 as wanted, 0 as hasPolicy,
       ${riskyColumns.map((column) => `${mediumValues[column]} as "${column}"`).join(', ')}
     from json_each(?) n join held m on m.number = n.value order by n.key`,
  )

  const generations = prepareOne<{ n: number }>(
    database,
    `select count(*) as n from package where type <> 'AIC'`,
  )

  return (which: WhichRisky, now: string): Listed<RiskyRow> => {
    const { offset, limit } = which
    const isOfMedia = mediumRisks.includes(which.kind)
    const sql = riskySql(which)
    const order = sortOrders.of(
      ['packages', 'objects', 'media', 'targets', 'policies'],
      sql,
      sql.includes(':now') ? { now: now.slice(0, 10) } : {},
    )
    const numbers = JSON.stringify([...order.subarray(offset, offset + limit)])
    const found = (isOfMedia ? mediumRows : packageRows).all(numbers)
    const rows = found.map(({ hasPolicy, wanted, ...row }) => ({
      ...row,
      wanted: hasPolicy === 1 ? wanted : null,
    }))
    return {
      rows,
      total: order.length,
      of: isOfMedia ? count('media') : generations.get().n,
      lines: order.length,
      asOf: asOf('objects'),
    }
  }
}

/** What is at risk, and what came year by year, from the local copy. */
export const openHoldings = (cache: Pick<Cache, 'database' | 'asOf' | 'count'>, sortOrders: SortOrders) => {
  const { database } = cache
  const counting = prepareOne<Totals>(
    database,
    `${placements} select ${Object.entries(ofPackages)
      .map(([kind, where]) => `total(generations) filter (where ${where}) as "${kind}"`)
      .join(', ')} from (${weighed(generationsAlike)})`,
  )
  const countingMedia = prepareOne<Totals>(
    database,
    `select ${Object.entries(ofMedia)
      .map(([kind, where]) => `total(${where}) as "${kind}"`)
      .join(', ')} from ${media}`,
  )
  const coming = prepare<Growth>(
    database,
    `select substr(since, 1, 4) as year, count(*) as generations, total(bytes) as bytes
     from package where type <> 'AIC' group by year having year glob '[0-9][0-9][0-9][0-9]' order by year`,
  )
  const packages = prepareOne<{ n: number }>(database, 'select count(*) as n from package where isTop = 1')
  // The index says all of this; going by the subject would read two million models.
  const copiesOfMedia = prepare<{ medium: string; copies: number }>(
    database,
    `select model ->> '$.medium' as medium, count(*) as copies
        from held indexed by held_object_by_medium where subject = 'objects' group by model ->> '$.medium'`,
  )
  const onMedium = prepare<CopyOnMedium>(
    database,
    `select o.id, o.model ->> '$.package' as package, o.model ->> '$.path' as path,
      o.model ->> '$.written' as written,
       coalesce(p.label, o.model ->> '$.package') as label,
       ${generationNumber('p')} as generation, p.bytes
     from held o left join package p on p.id = o.model ->> '$.package'
     where o.subject = 'objects' and o.model ->> '$.medium' = ?
       order by o.model ->> '$.written' desc, o.position, o.number limit ${mostShown}`,
  )

  const writtenAt = ({ written }: CopyOnMedium) => Date.parse(written) || 0

  return {
    /** How many copies lie on each medium, by its id. */
    copiesOfMedia: (): Map<string, number> =>
      new Map(copiesOfMedia.all().map(({ medium, copies }) => [medium, copies])),
    /** Copies on a medium with their packages, newest first: a person reads through no more. */
    onMedium: (medium: string): CopyOnMedium[] =>
      onMedium
        .all(medium)
        .map((row) => ({ ...row }))
        .sort((one, other) => writtenAt(other) - writtenAt(one)),
    overview: (now: string): { risks: Risk[]; growth: Growth[]; packages: number } => {
      const totals: Totals = { ...counting.get(), ...countingMedia.get({ now }) }
      return {
        risks: riskKinds.map((kind) => ({ kind, total: totals[kind] ?? 0 })).filter(({ total }) => total > 0),
        growth: coming.all().map((year) => ({ ...year })),
        packages: packages.get().n,
      }
    },
    /** Everything that is at risk in one way, a window of rows at a time. */
    risky: openRisky(cache, sortOrders),
  }
}
