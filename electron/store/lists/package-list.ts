import type {
  PackageRow,
  WhichPackageBeginning,
  WhichPackageLine,
  WhichPackageLines,
  WhichPackages,
} from '../../contract/packages.ts'
import type { Listed } from '../../contract/paging.ts'
import type { Cache } from '../cache/cache.ts'
import { hasFailed } from './failed-medium.ts'
import { lineOf, linesOf, type OpenRow } from './package-lines.ts'
import { packageQuery } from './package-query.ts'
import type { SortOrders } from './sort-orders.ts'
import { generationNumber, newestFirst } from '../cache/generation-number.ts'
import { likeText, sortKey } from '../cache/text-functions.ts'
import type { StoragePolicy } from '../../dialects/models.ts'
import { prepare } from '../../common/statements.ts'

/** What a row shows beside its own facts, looked up for the rows in the window alone. */
const columns = `
  p.number, p.id, p.type, p.aic, p.label, p.identifier, p.shownState as state,
    coalesce(n.stepState, p.stepState) as stepState, coalesce(n.work, p.work) as work, p.shownBytes as bytes,
    ${generationNumber('p')} as generation, p.isLast, p.generations, p.newest,
    coalesce(n.creator, p.creator) as creator,
  p.shownCopies as copies, p.shownSince as changed,
  (select count(*) from held o join held m on m.subject = 'media' and m.id = o.model ->> '$.medium'
    where o.subject = 'objects' and o.model ->> '$.package' = coalesce(p.newest, p.id)
      and ${hasFailed('m')}) as lost,
  case when p.shownCopies > 0 or coalesce(n.archived, p.archived) = 1
    then coalesce(n.policy, p.policy) end as policy,
  exists (select 1 from held c indexed by held_changed
    where c.subject = 'packages' and c.id in (p.id, p.newest) and c.changed is not null) as isNew`

interface Found extends Omit<PackageRow, 'isLast' | 'isNew' | 'wanted'> {
  number: number
  isLast: number
  isNew: number
  policy: string | null
}

/**
 * A window that begins near the top is found by an index as fast as by an order, and the order need not be
 * made for it.
 */
const nearTop = 1_000

const mostPolicies = 1_000

/** So long the rows of a list that was just asked for are drawn, on the same processors. */
const drawingMs = 400

/** Reads the rows of a window, with what they show beside their own facts. */
const openRows = ({ database, some }: Pick<Cache, 'database' | 'some'>) => {
  const shown = prepare<Found>(
    database,
    `select ${columns} from json_each(:numbers) w join package p on p.number = w.value left
        join package n on n.id = p.newest order by w.key`,
  )
  return (numbers: number[]): PackageRow[] => {
    // Policies are few: how many copies each wants is read once for a window of rows.
    const wanted = new Map(
      some<StoragePolicy>('policies', mostPolicies).map(({ id, methods }) => [
        id,
        methods.filter(({ isEnabled }) => isEnabled).length,
      ]),
    )
    const toRow = ({ policy, isLast, isNew, number: _, ...row }: Found): PackageRow => ({
      ...row,
      isLast: isLast === 1,
      isNew: isNew === 1,
      wanted: policy === null ? null : (wanted.get(policy) ?? null),
    })
    return shown.all({ numbers: JSON.stringify(numbers) }).map(toRow)
  }
}

/** Finds the open rows of an order, with what is below each. */
const openTree = (database: Cache['database']) => {
  const numberOf = prepare<{ number: number; id: string }>(
    database,
    'select number, id from package where id in (select value from json_each(?)) and isTop = 1',
  )
  const below = prepare<{ number: number }>(
    database,
    `select number from package p where aic = ? order by ${newestFirst('p')}`,
  )
  return (order: Uint32Array, open: string[]): OpenRow[] =>
    numberOf
      .all(JSON.stringify(open))
      .map(({ number, id }) => ({
        place: order.indexOf(number),
        children: below.all(id).map((child) => child.number),
      }))
      .filter(({ place }) => place >= 0)
      .sort((a, b) => a.place - b.place)
}

/** Finds the packages of some lines; of an AIC its newest generation. */
const openChosen = (
  database: Cache['database'],
  openedIn: ReturnType<typeof openTree>,
  sortOrders: SortOrders,
) => {
  const chosenOf = prepare<{ id: string; bytes: number }>(
    database,
    `select coalesce(p.newest, p.id) as id, p.shownBytes as bytes from json_each(:numbers) w
        join package p on p.number = w.value order by w.key`,
  )
  const linesOfOrder = ({ open, offset, limit, ...which }: WhichPackageLines): number[] => {
    const { isTree, sql, given, lists } = packageQuery(which)
    const order = sortOrders.of(lists, sql, given)
    return linesOf(order, isTree && open.length > 0 ? openedIn(order, open) : [], offset, limit)
  }
  return (which: WhichPackageLines) => chosenOf.all({ numbers: JSON.stringify(linesOfOrder(which)) })
}

/** Finds lines of the list: of a row that begins so, and of a package. */
const openPlaces = (
  database: Cache['database'],
  openedIn: ReturnType<typeof openTree>,
  sortOrders: SortOrders,
) => {
  const standing = prepare<{ number: number; top: number | null; aic: string | null; newest: string | null }>(
    database,
    `select p.number, a.number as top, a.id as aic, a.newest from package p
      left join package a on a.id = p.aic and a.isTop = 1 where p.id = ?`,
  )
  return {
    /**
     * The line of the next row whose label begins so, from one on and then from the top; null where none
     * does.
     */
    beginning: ({ begins, from, open, ...which }: WhichPackageBeginning): number | null => {
      const { isTree, sql, given, lists } = packageQuery(which)
      const tops = sortOrders.of(lists, sql, given)
      const opened = isTree && open.length > 0 ? openedIn(tops, open) : []
      const lines = opened.length > 0 ? Uint32Array.from(linesOf(tops, opened, 0, Infinity)) : tops
      // As they sort, digits are padded; what stands before them leads to the rows.
      const words = sortKey(begins.replace(/\d.*$/s, ''))
      const inOrder = 'words >= :words and words < :words || char(1114111)'
      // Letters sort as they are typed: only digits are to be compared as well.
      const isInOrder = !/\d/.test(begins)
      const range = isInOrder ? inOrder : `${inOrder} and folded(label) like :begins || '%' escape '\\'`
      const ofTop = `select number from package where isTop = 1 and ${range}`
      const ofFlat = `select number from package where type <> 'AIC' and ${range}`
      return sortOrders.placeOf(
        lines,
        isTree ? (opened.length > 0 ? `${ofTop} union all ${ofFlat}` : ofTop) : ofFlat,
        isInOrder ? { words } : { words, begins: likeText(begins) },
        from,
      )
    },
    /** The line on which a package stands, and the closed AIC that stands there for it. */
    line: ({ id, open, ...which }: WhichPackageLine): { line: number | null; closed: string | null } => {
      const { isTree, sql, given, lists } = packageQuery(which)
      const row = standing.get(id)
      if (!row) return { line: null, closed: null }
      const order = sortOrders.of(lists, sql, given)
      const opened = openedIn(order, isTree ? open : [])
      const { number, top, aic, newest } = row
      if (!isTree || top === null) return { line: lineOf(order, opened, number, undefined), closed: null }
      const line = lineOf(order, opened, top, number)
      const isClosed = line !== null && aic !== null && newest !== id && !open.includes(aic)
      return { line, closed: isClosed ? aic : null }
    },
  }
}

/** The list of packages, a window of rows at a time, however it is sorted, filtered and opened. */
export const openPackageList = (
  { database, asOf, some }: Pick<Cache, 'database' | 'asOf' | 'some'>,
  sortOrders: SortOrders,
) => {
  const rowsOf = openRows({ database, some })
  const openedIn = openTree(database)

  const list = (which: WhichPackages): Listed<PackageRow> => {
    const { open, offset, limit } = which
    const { isTree, level, isFiltered, sql, given, lists } = packageQuery(which)
    const of = sortOrders.count(lists, `select count(*) as n from package p where ${level}`, {})
    const age = asOf('packages')
    const isOpen = isTree && open.length > 0
    if (!isFiltered && !isOpen && offset < nearTop && !sortOrders.known(lists, sql, given)) {
      const numbers = prepare<{ number: number }>(database, `${sql} limit ${limit} offset ${offset}`).all(
        given,
      )
      return {
        rows: rowsOf(numbers.map(({ number }) => number)),
        total: of,
        of,
        lines: of,
        asOf: age,
      }
    }
    const order = sortOrders.of(lists, sql, given)
    const opened = isOpen ? openedIn(order, open) : []
    const lines = opened.reduce((sum, { children }) => sum + children.length, order.length)
    return {
      rows: rowsOf(linesOf(order, opened, offset, limit)),
      total: order.length,
      of,
      lines,
      asOf: age,
    }
  }

  let ordering: ReturnType<typeof setTimeout> | undefined
  /** Makes the order of a list; where that fails, the next jump in it fails too and says so. */
  const prepareOrder = (which: WhichPackages) => {
    const { sql, given, lists } = packageQuery(which)
    try {
      sortOrders.of(lists, sql, given)
    } catch {
      // see above
    }
  }

  const numbersOf = prepare<{ number: number }>(
    database,
    'select p.number from json_each(?) w join package p on p.id = w.value order by w.key',
  )

  return {
    /**
     * A window of the list. Whoever sees its top jumps in it next: the order that a jump needs is made once
     * these rows are drawn.
     */
    list: (which: WhichPackages): Listed<PackageRow> => {
      const listed = list(which)
      clearTimeout(ordering)
      if (which.offset === 0 && listed.lines > listed.rows.length)
        ordering = setTimeout(prepareOrder, drawingMs, which)
      return listed
    },
    /** Packages by their ids, in this order; those that are not held are left out. */
    some: (ids: string[]): PackageRow[] =>
      rowsOf(numbersOf.all(JSON.stringify(ids)).map(({ number }) => number)),
    chosen: openChosen(database, openedIn, sortOrders),
    ...openPlaces(database, openedIn, sortOrders),
    /** Nothing that was to be prepared is, any more. */
    close: () => clearTimeout(ordering),
  }
}
