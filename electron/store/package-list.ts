import type { StoragePolicy } from '../archive-client/storage.ts'
import type { Listed, PackageRow, PackageSort, WhichBeginning, WhichPackages } from '../contract/packages.ts'
import type { Cache, Subject } from './cache.ts'
import type { RowOrders } from './row-orders.ts'
import { likeText, sortKey } from './texts.ts'

const sorted: Record<PackageSort, string> = {
  label: 'words',
  state: 'shownState collate nocase',
  bytes: 'shownBytes',
  copies: 'shownCopies',
  changed: 'shownSince',
}

/** What a row shows beside its own facts, looked up for the rows in the window alone. */
const columns = `
  p.number, p.id, p.type, p.aic, p.label, p.identifier, p.shownState as state, coalesce(n.stepState, p.stepState) as stepState, p.shownBytes as bytes, p.generation, p.isLast, p.generations, p.newest,
  p.shownCopies as copies, p.shownSince as changed,
  coalesce(n.policy, p.policy) as policy,
  exists (select 1 from held c indexed by held_changed where c.subject = 'packages' and c.id in (p.id, p.newest) and c.changed is not null) as isNew`

interface Found extends Omit<PackageRow, 'isLast' | 'isNew' | 'wanted'> {
  number: number
  isLast: number
  isNew: number
  policy: string | null
}

/** A window that begins near the top is found by an index as fast as by an order, and the order need not be made for it. */
const nearTop = 1_000

/** The list of packages, a window of rows at a time, however it is sorted, filtered and opened. */
export const openPackageList = (
  { database, asOf, all }: Pick<Cache, 'database' | 'asOf' | 'all'>,
  orders: RowOrders,
) => {
  const shown = database.prepare(
    `select ${columns} from json_each(:numbers) w join package p on p.number = w.value left join package n on n.id = p.newest order by w.key`,
  )
  const numberOf = database.prepare(
    'select number, id from package where id in (select value from json_each(?)) and isTop = 1',
  )
  const below = database.prepare(
    'select number from package where aic = ? order by coalesce(generation, 0) desc, id',
  )

  /** Policies are few: how many copies each wants is read once for a window of rows. */
  const rowsOf = (numbers: number[]): PackageRow[] => {
    const wanted = new Map(
      all<StoragePolicy>('policies').map(({ id, methods }) => [
        id,
        methods.filter(({ isEnabled }) => isEnabled).length,
      ]),
    )
    const toRow = ({ policy, isLast, isNew, number: _, ...it }: Found): PackageRow => ({
      ...it,
      isLast: isLast === 1,
      isNew: isNew === 1,
      wanted: policy === null ? null : (wanted.get(policy) ?? null),
    })
    return (shown.all({ numbers: JSON.stringify(numbers) }) as unknown as Found[]).map(toRow)
  }

  /** Each open row of the order with what is below it, from the top. */
  const openRows = (order: Uint32Array, open: string[]) =>
    numberOf
      .all(JSON.stringify(open))
      .map(({ number, id }) => ({
        at: order.indexOf(Number(number)),
        kids: below.all(String(id)).map((kid) => Number(kid['number'])),
      }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at)

  const window = (
    order: Uint32Array,
    opened: ReturnType<typeof openRows>,
    offset: number,
    limit: number,
  ): number[] => {
    const numbers: number[] = []
    let line = 0
    let top = 0
    const take = (number: number) => {
      if (line >= offset && line < offset + limit) numbers.push(number)
      line += 1
    }
    for (const { at, kids } of opened) {
      // Rows above the window are passed over without looking at them.
      const skipped = Math.max(0, Math.min(at - top, offset - line))
      line += skipped
      top += skipped
      for (; top <= at && line < offset + limit; top += 1) take(order[top] ?? 0)
      if (line >= offset + limit) return numbers
      for (const kid of kids) take(kid)
    }
    const skipped = Math.max(0, offset - line)
    return numbers.concat(Array.from(order.subarray(top + skipped, top + skipped + limit - numbers.length)))
  }

  const asked = ({
    view,
    sort,
    descending,
    filter,
  }: Pick<WhichPackages, 'view' | 'sort' | 'descending' | 'filter'>) => {
    const isTree = view === 'tree'
    const level = isTree ? 'p.isTop = 1' : `p.type <> 'AIC'`
    const typed = likeText(filter)
    // One walk through a narrow index finds the texts; above what stands below others, its top is wanted.
    const hits = `with hit as materialized (select number, aic, isTop, type from package indexed by package_text where folded like '%' || :filter || '%' escape '\\' or shownState like '%' || :filter || '%' escape '\\')`
    const tops =
      'select number from hit where isTop = 1 union select a.number from hit join package a on a.id = hit.aic where a.isTop = 1'
    const found = isTree ? tops : `select number from hit where type <> 'AIC'`
    const direction = descending ? 'desc' : 'asc'
    return {
      isTree,
      level,
      isFiltered: typed !== '',
      sql: `${typed === '' ? `select p.number from package p where ${level}` : `${hits} select p.number from (${found}) f join package p on p.number = f.number`} order by p.${sorted[sort]} ${direction}, p.id ${direction}`,
      given: typed === '' ? {} : { filter: typed },
      lists: ['packages', 'objects'] satisfies Subject[],
    }
  }

  const list = (which: WhichPackages): Listed<PackageRow> => {
    const { open, offset, limit } = which
    const { isTree, level, isFiltered, sql, given, lists } = asked(which)
    const of = orders.count(lists, `select count(*) as n from package p where ${level}`, {})
    const age = asOf('packages')
    const isOpen = isTree && open.length > 0
    if (!isFiltered && !isOpen && offset < nearTop && !orders.known(lists, sql, given)) {
      const numbers = database.prepare(`${sql} limit ${limit} offset ${offset}`).all(given) as {
        number: number
      }[]
      return {
        rows: rowsOf(numbers.map(({ number }) => number)),
        total: of,
        of,
        lines: of,
        asOf: age,
      }
    }
    const order = orders.of(lists, sql, given)
    const opened = isOpen ? openRows(order, open) : []
    const lines = opened.reduce((sum, { kids }) => sum + kids.length, order.length)
    return {
      rows: rowsOf(window(order, opened, offset, limit)),
      total: order.length,
      of,
      lines,
      asOf: age,
    }
  }

  return {
    list,
    /** The line of the next row whose label begins so, from one on and then from the top; null where none does. */
    beginning: ({ begins, from, open, ...which }: WhichBeginning): number | null => {
      const { isTree, sql, given, lists } = asked(which)
      const tops = orders.of(lists, sql, given)
      const opened = isTree && open.length > 0 ? openRows(tops, open) : []
      const lines = opened.length > 0 ? Uint32Array.from(window(tops, opened, 0, Infinity)) : tops
      // As they sort, digits are padded; what stands before them leads to the rows.
      const words = sortKey(begins.replace(/\d.*$/s, ''))
      const range = `words >= :words and words < :words || char(1114111) and folded(label) like :begins || '%' escape '\\'`
      return orders.placeOf(
        lines,
        `select number from package where isTop = 1 and ${range} union select number from package where type <> 'AIC' and ${range}`,
        { words, begins: likeText(begins) },
        from,
      )
    },
    /** Makes the order of a list that was just shown, so that a jump in it is there at once. */
    prepare: (which: WhichPackages) => {
      const { sql, given, lists } = asked(which)
      orders.of(lists, sql, given)
    },
  }
}
