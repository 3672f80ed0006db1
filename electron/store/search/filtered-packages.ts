import type { DatabaseSync } from 'node:sqlite'
import { prepare, prepareOne } from '../../common/statements.ts'
import type { HeldFilters } from '../../contract/search.ts'
import { isLonger, numbersOf, type Asked, type Rows, type Source } from './found-sources.ts'

/** So many of a way are walked for the first rows, which somebody waits for, and so many for counts. */
const walkedFirst = 20_000
const walkedToCount = 100_000

type Field = 'states' | 'policies' | 'creators' | 'types' | 'days' | 'media' | 'archives'

const all = 'select number from package order by number desc'
const byDay = (range: string) =>
  `select number from package indexed by package_flat_by_date where type <> 'AIC' and ${range}
    order by shownSince desc`
const byMedium = `select distinct p.number from held o indexed by held_object_by_medium
    cross join package p on p.id = o.model ->> '$.package'
  where o.subject = 'objects' and o.model ->> '$.medium' in (select value from json_each(:media))`
const byArchive = `select distinct p.number from reference r cross join package p on p.id = r.id
  where r.subject = 'packages' and r.target in (select value from json_each(:archives))`

/** What is asked of a package `p`. */
interface AskedOfField extends Asked {
  field: Field
}

/** Where packages come from if no words are asked for. */
export interface Lead extends Rows {
  /** What is still to be asked of those to which it leads. */
  asked: Asked
}

/** SQL for one of the values that are given under a name, as JSON. */
export const among = (name: string) => `in (select value from json_each(:${name}))`
/** What records refer to that lie in archives of the description, whether as its units or its structures. */
export const targetsOf = (archives: string[]) => archives.flatMap((id) => [`tags:${id}`, `structures:${id}`])

export const allOf = (asked: Asked[]): Asked => ({
  where: asked.flatMap(({ where }) => (where === '' ? [] : [where])).join(' and '),
  given: Object.fromEntries(asked.flatMap(({ given }) => Object.entries(given))),
})

const daysOf = ({ from, to }: Pick<HeldFilters, 'from' | 'to'>, column: string): string =>
  [
    ...(from === '' ? [] : [`${column} >= :from`]),
    // Behind whatever time of the day follows.
    ...(to === '' ? [] : [`${column} < :to || '~'`]),
  ].join(' and ')

const fieldsAsked = (filters: HeldFilters): AskedOfField[] => {
  const { states, policies, media, creators, types, archives, from, to } = filters
  const asked: AskedOfField[] = []
  const ask = (field: Field, values: string[], where: string) => {
    if (values.length > 0) asked.push({ field, where, given: { [field]: JSON.stringify(values) } })
  }
  ask('states', states, `p.state ${among('states')}`)
  ask('policies', policies, `p.policy ${among('policies')}`)
  ask('creators', creators, `p.creator ${among('creators')}`)
  ask('types', types, `p.type ${among('types')}`)
  ask(
    'media',
    media,
    `exists (select 1 from held o indexed by held_object_by_package
        where o.subject = 'objects' and o.model ->> '$.package' = +p.id
        and o.model ->> '$.medium' ${among('media')})`,
  )
  ask(
    'archives',
    targetsOf(archives),
    `exists (select 1 from reference r where r.subject = 'packages' and r.id = p.id
        and r.target ${among('archives')})`,
  )
  const days = daysOf({ from, to }, 'p.shownSince')
  const given = { ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) }
  if (days !== '') asked.push({ field: 'days', where: days, given })
  return asked
}

/** What filters ask of a package `p`. */
export const packagesAsked = (filters: HeldFilters): Asked => allOf(fieldsAsked(filters))

/** An AIC has the days of its newest generation, which is found in its stead, whichever way is taken. */
const withoutAics = ({ field, where, given }: AskedOfField): AskedOfField => ({
  field,
  where: field === 'days' ? `p.type <> 'AIC' and ${where}` : where,
  given,
})

/**
 * The ways that lead to the packages that filters leave, of which the shortest is to be taken. What a way
 * asks by itself is not asked again.
 */
export const leadsOf = (filters: HeldFilters): Lead[] => {
  const asked = fieldsAsked(filters).map(withoutAics)
  const lead = (sql: string, by?: AskedOfField): Lead => ({
    sql,
    given: by?.given ?? {},
    asked: allOf(asked.filter((one) => one !== by)),
  })
  const ways = asked.flatMap((one) => {
    if (one.field === 'media') return [lead(byMedium, one)]
    if (one.field === 'archives') return [lead(byArchive, one)]
    return one.field === 'days' ? [lead(byDay(daysOf(filters, 'shownSince')), one)] : []
  })
  return ways.length > 0 ? ways : [lead(all)]
}

const shortest = (database: DatabaseSync, leads: Lead[]): Lead | undefined => {
  if (leads.length < 2) return leads[0]
  const lengths = leads.map(({ sql, given }) => {
    const { n } = prepareOne<{ n: number }>(
      database,
      `select count(*) as n from (${sql} limit ${walkedFirst})`,
    ).get(given)
    return n
  })
  return leads[lengths.indexOf(Math.min(...lengths))]
}

/**
 * The packages to which one of some ways leads.
 * @param more what is asked of each beside
 */
export const byLeads = (database: DatabaseSync, leads: Lead[], more: Asked): Source => {
  const lead = shortest(database, leads)
  if (!lead) throw new Error('No way leads to any package.')
  const { sql } = lead
  const { where, given: ofAsked } = allOf([lead.asked, more])
  const given = { ...lead.given, ...ofAsked }
  const walked = (range: string) => `(${sql} limit ${range}) w cross join package p on p.number = w.number`
  const numbersIn = (range: string) => (limit: number) =>
    prepare<{ number: number }>(
      database,
      `select p.number from ${walked(range)} ${where === '' ? '' : `where ${where}`} limit :limit`,
    )
      .all({ ...given, limit })
      .map(({ number }) => number)
  return {
    numbers: numbersIn(`${walkedFirst}`),
    others: numbersIn(`-1 offset ${walkedFirst}`),
    isCut: () => where !== '' && isLonger(database, lead, walkedFirst),
    counted: () => ({
      numbers: numbersOf(database, {
        sql: `select p.number from ${walked(`${walkedToCount}`)} ${where === '' ? '' : `where ${where}`}`,
        given,
      }),
      isMore: isLonger(database, lead, walkedToCount),
      isOfWords: false,
    }),
  }
}
