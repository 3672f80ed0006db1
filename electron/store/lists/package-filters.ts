import { mostFacetValues, type FacetValue } from '../../contract/filters.ts'
import type { PackageField, WhichPackages } from '../../contract/packages.ts'
import { keysOf } from '../../common/records.ts'
import { rangeOfSize, sizeCondition } from './size-ranges.ts'

/** What an AIC is filtered by is what it shows: its newest generation. */
const shownId = 'coalesce(p.newest, p.id)'

/** How the value of a field is read of a row; copies lie on several media, so that a row may have many. */
const values: Record<Exclude<PackageField, 'medium' | 'size'>, string> = {
  state: 'p.shownState',
  work: `coalesce((select n.work from package n where n.id = p.newest), p.work)`,
  creator: `coalesce((select n.creator from package n where n.id = p.newest), p.creator)`,
  policy: `coalesce((select n.policy from package n where n.id = p.newest), p.policy, '')`,
  year: 'substr(p.shownSince, 1, 4)',
  copies: 'cast(p.shownCopies as text)',
}
const objects = 'held o indexed by held_object_by_package'
const ofShown = `o.subject = 'objects' and o.model ->> '$.package' = ${shownId}`

type Counted = Pick<FacetValue, 'value' | 'count'>

const byNumber = (a: Counted, b: Counted) => Number.parseInt(a.value) - Number.parseInt(b.value)
/** Values with an order of their own stand in that; others by how many rows have them. */
const orders: Partial<Record<PackageField, (a: Counted, b: Counted) => number>> = {
  size: byNumber,
  year: (a, b) => -byNumber(a, b),
  copies: byNumber,
}

/** The values of a field in the order in which they are shown. */
export const inFacetOrder = (field: PackageField, counted: Counted[]): Counted[] =>
  counted
    .sort(orders[field] ?? ((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)))
    .slice(0, mostFacetValues)

const byName = new Intl.Collator(undefined, { numeric: true })

/** The most frequent first, and of those that as many rows have by what they are called. */
export const byCountAndName = (a: FacetValue, b: FacetValue): number =>
  b.count - a.count || byName.compare(a.name || a.value, b.name || b.value) || (a.value < b.value ? -1 : 1)

/** The same once it is known what they are called. */
export const namedInOrder = (field: PackageField, values: FacetValue[]): FacetValue[] =>
  orders[field] ? values : values.toSorted(byCountAndName)

/**
 * Work under way and work that failed is rare: its packages, and the AICs above them, are looked up in an
 * index that leaves all others out.
 */
const ofWork = `p.number in (
  select w.number from package w where w.work <> 'none' and w.work in (select value from json_each(:work))
  union select a.number from package w cross join package a on a.id = w.aic
    where w.work <> 'none' and w.work in (select value from json_each(:work)))`

const conditionOf = (field: PackageField, chosen: string[]): string => {
  if (field === 'size') return sizeCondition('p.shownBytes', chosen)
  const among = `in (select value from json_each(:${field}))`
  if (field === 'work' && !chosen.includes('none')) return `${ofWork} and ${values.work} ${among}`
  return field === 'medium'
    ? `exists (select 1 from ${objects} where ${ofShown} and o.model ->> '$.medium' ${among})`
    : `${values[field]} ${among}`
}

/** What the filters ask of a row `p`, and what is given to it. */
export const packageConditions = (filters: WhichPackages['filters'] = {}) => {
  const asked = keysOf(filters).filter((field) => (filters[field] ?? []).length > 0)
  return {
    conditions: asked.map((field) => conditionOf(field, filters[field] ?? [])),
    given: Object.fromEntries(
      asked.filter((field) => field !== 'size').map((field) => [field, JSON.stringify(filters[field])]),
    ),
  }
}

/** Packages `p`, as what stands in a select. */
export interface Among {
  from: string
  where: string
}

/**
 * Asks for the values of a field, each with its count: `value` and `count`, in no order.
 * @param among the rows that match the other filters
 * @param bounds where one size ends and the next begins, in bytes
 */
export const facetQuery = (field: PackageField, { from, where }: Among, bounds: number[]): string => {
  if (field === 'medium')
    return `select o.model ->> '$.medium' as value, count(distinct p.number) as count from ${from}
      cross join ${objects} on ${ofShown} where value is not null and ${where} group by value`
  const value = field === 'size' ? rangeOfSize('p.shownBytes', bounds) : values[field]
  return `select ${value} as value, count(*) as count from ${from} where ${where} group by value`
}
