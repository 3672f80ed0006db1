import type { DatabaseSync } from 'node:sqlite'
import { mostFacetValues, type FacetValue } from '../../contract/filters.ts'
import {
  comparedTransferColumns,
  type ComparedTransferColumn,
  type TransferField,
  type TransferSort,
  type WhichTransferColumns,
  type WhichTransferFacet,
  type WhichTransfers,
} from '../../contract/transfers.ts'
import { folded } from '../../common/fold.ts'
import { keysOf } from '../../common/records.ts'
import { sizeBounds } from '../../contract/packages.ts'
import { queuedIdOf } from '../../contract/queued.ts'
import { prepare } from '../../common/statements.ts'
import { rangeOfSize, sizeCondition } from '../lists/size-ranges.ts'

const inBody = (path: string) => `coalesce(iif(json_valid(body), body ->> '$.${path}', ''), '')`
const bytes = `cast(${inBody('counts.bytes')} as integer)`
const fieldValues: Record<TransferField, string> = {
  state: 'state',
  organization: inBody('form.organization'),
  person: inBody('form.person'),
  delivery: inBody('form.delivery'),
  agreement: inBody('form.agreement'),
  size: rangeOfSize(bytes, sizeBounds),
  year: 'substr(made, 1, 4)',
}
/** A state stands where it is reached: from the draft to what is preserved, and what was refused. */
const steps = ['draft', 'packing', 'prepared', 'sending', 'sent', 'received', 'preserved', 'refused']
const sorted: Record<TransferSort, string> = {
  name: `folded(${inBody('form.name')})`,
  where: `case state ${steps.map((state, step) => `when '${state}' then ${step}`).join(' ')} end`,
  identifier: `folded(${inBody('form.identifier')})`,
  size: bytes,
  changed: inBody('changed'),
}
const searched = `folded(${['name', 'identifier', 'organization', 'person', 'description']
  .map((field) => inBody(`form.${field}`))
  .join(` || ' ' || `)})`

/** What is compared of a column, as it is shown: of a time its day. */
const comparedBy: Record<ComparedTransferColumn, string> = {
  identifier: inBody('form.identifier'),
  size: inBody('counts.bytes'),
  changed: `substr(${inBody('changed')}, 1, 10)`,
}

type Narrowed = Pick<WhichTransfers, 'filter' | 'filters' | 'sort' | 'descending' | 'ids'>

/** What is asked of the jobs for a list of transfers, and what is given to it. */
const transferQuery = ({ filter = '', filters = {}, sort, descending = false, ids }: Narrowed) => {
  const typed = folded(filter.trim())
  const asked = keysOf(filters).filter((field) => (filters[field] ?? []).length > 0)
  const conditions = [
    `archive = :archive and kind = 'transfer' and removed is null`,
    ...(typed === '' ? [] : [`instr(${searched}, :filter) > 0`]),
    ...(ids === undefined ? [] : ['id in (select value from json_each(:ids))']),
    ...asked.map((field) =>
      field === 'size'
        ? sizeCondition(bytes, filters.size ?? [])
        : `${fieldValues[field]} in (select value from json_each(:${field}))`,
    ),
  ]
  const direction = descending ? 'desc' : 'asc'
  return {
    where: conditions.join(' and '),
    // Those that were begun last stand first, also among equals.
    order: `${sort === undefined ? '' : `${sorted[sort]} ${direction}, `}made desc, id desc`,
    given: {
      ...(typed === '' ? {} : { filter: typed }),
      ...(ids === undefined ? {} : { ids: JSON.stringify(ids) }),
      ...Object.fromEntries(
        asked.filter((field) => field !== 'size').map((field) => [field, JSON.stringify(filters[field])]),
      ),
    },
  }
}

/** Fields with an order of their own stand in that; others by how many transfers have a value. */
const facetOrders: Partial<Record<TransferField, string>> = { size: `min(${bytes})`, year: 'value desc' }

/** What deliveries and agreements are called: those that the archive has, and those that go there. */
const openNames = (database: DatabaseSync) => {
  const held = prepare<{ name: string }>(
    database,
    `select model ->> '$.name' as name from held where subject = ? and id = ?`,
  )
  const queued = prepare<{ name: string }>(
    database,
    `select iif(json_valid(body), body ->> '$.title', '') as name from job
      where kind = 'creation' and id = ?`,
  )
  return (field: TransferField, value: string): string => {
    if (value === '' || (field !== 'delivery' && field !== 'agreement')) return ''
    const creation = queuedIdOf(value)
    const row =
      creation === undefined
        ? held.get(field === 'delivery' ? 'deliveries' : 'agreements', value)
        : queued.get(creation)
    return row?.name ?? ''
  }
}

/**
 * The list of an archive's transfers as a person narrows and sorts it: it may read every body, and is asked
 * of a thread.
 */
export const openTransferList = (database: DatabaseSync, archive: string) => {
  const nameOf = openNames(database)
  return {
    /** The ids of a part of the rows in their order, and how many match. */
    ids: ({ offset, limit, ...which }: WhichTransfers): { ids: string[]; lines: number } => {
      const { where, order, given } = transferQuery(which)
      const rows = prepare<{ id: string }>(
        database,
        `select id from job where ${where} order by ${order} limit :limit offset :offset`,
      ).all({ ...given, archive, limit, offset })
      const counted = prepare<{ n: number }>(database, `select count(*) as n from job where ${where}`)
      return { ids: rows.map(({ id }) => id), lines: counted.get({ ...given, archive })?.n ?? 0 }
    },
    /** The place of the next one whose name begins so, from a place on and then from the top. */
    beginning: (which: Narrowed, begins: string, from: number): number | null => {
      const { where, order, given } = transferQuery(which)
      const wanted = folded(begins)
      const places = prepare<{ name: string }>(
        database,
        `select ${inBody('form.name')} as name from job where ${where} order by ${order}`,
      )
        .all({ ...given, archive })
        .flatMap(({ name }, place) => (folded(name).startsWith(wanted) ? [place] : []))
      return places.find((place) => place >= from) ?? places[0] ?? null
    },
    /** The place of one among those that match; null where it is none of them. */
    line: (which: Narrowed, id: string): number | null => {
      const { where, order, given } = transferQuery(which)
      const found = prepare<{ line: number }>(
        database,
        `select line from (select id, row_number() over (order by ${order}) - 1 as line from job
          where ${where}) where id = :id`,
      ).get({ ...given, archive, id })
      return found?.line ?? null
    },
    /** Columns that say the same in every row; of one row or none every column would. */
    uniform: (which: WhichTransferColumns): ComparedTransferColumn[] => {
      const { where, given } = transferQuery(which)
      const columns = comparedTransferColumns.map(
        (column) => `count(distinct ${comparedBy[column]}) as ${column}`,
      )
      const found = prepare<Record<ComparedTransferColumn | 'n', number>>(
        database,
        `select count(*) as n, ${columns.join(', ')} from job where ${where}`,
      ).get({ ...given, archive })
      return found && found.n > 1 ? comparedTransferColumns.filter((column) => found[column] === 1) : []
    },
    /** The values of a field among what matches all other filters, the most frequent first. */
    facet: ({ field, filters = {}, ...which }: WhichTransferFacet): FacetValue[] => {
      const { [field]: _, ...others } = filters
      const { where, given } = transferQuery({ ...which, filters: others })
      return prepare<{ value: string; count: number }>(
        database,
        `select ${fieldValues[field]} as value, count(*) as count from job where ${where}
        group by value order by ${facetOrders[field] ?? 'count desc, value'} limit ${mostFacetValues}`,
      )
        .all({ ...given, archive })
        .map(({ value, count }) => ({ value, name: nameOf(field, value), count }))
    },
  }
}
