import { Failed } from '../contract/failure.ts'
import type { Conventions } from './conventions.ts'
import type { Concurrency } from './concurrency.ts'
import { readElement } from './split-array.ts'
import { keyOf, type Ask, type Page } from './whole-list.ts'

/** Rows of a page at most; sizes are powers of two, so that a page can be divided and two can be joined. */
const mostRows = 2_048
/** So many pages are asked for, or wait in memory, before their turn. */
const mostAhead = 4
/** A list is left where so many pages in a row brought nothing that this pass had not brought before. */
export const mostBarrenPages = 10
/** How often the end of a list that grows is looked for again. */
const mostEnds = 5

/** A long list of which the first rows were seen. */
export interface LongList {
  /** By what it is told apart from others of the archive. */
  name: string
  /** How many rows it has. */
  count: number
  /** How long one of its rows took to come, in milliseconds. */
  rowMs: number
  /** Parameters that go with each page: an order in which what comes or changes stands at the end. */
  order: Readonly<Record<string, string>>
}

interface Parts {
  ask: Ask
  concurrency: Concurrency
  conventions: Pick<Conventions, 'pageParameter' | 'sizeParameter' | 'pageMs'>
  /** Takes the rows of a page: how many there were, and how many had not come before in this reading. */
  take: (page: Page) => Promise<{ length: number; fresh: number }>
}

/** What was found; undefined where the archive does not give pages of the size that is asked for. */
export type Numbered = { count: number; isSure: boolean } | undefined

/**
 * Statuses of an archive, or a gateway before it, to which a request was too much (RFC 9110 15.5, 15.6): a
 * smaller page may come at once. It is another question than whether the same page may come later
 * (`isTransient`): a page that is too large is so for good, and an archive that fails at one of its records
 * (500) does so at each page with it.
 */
const overburdened = [413, 429, 502, 503, 504]
const isTooMuch = (error: unknown): boolean => {
  const failure = error instanceof Failed ? error.failure : undefined
  if (failure?.kind !== 'server-broke') return false
  const { detail, status } = failure
  return detail === 'too-slow' || detail === 'too-long' || overburdened.includes(status)
}

const raise = (error: unknown): never => {
  throw error
}
const unlessTooMuch = (error: unknown): undefined => (isTooMuch(error) ? undefined : raise(error))

/** The largest power of two that is no larger, and at least one. */
const powerBelow = (rows: number) => 2 ** Math.floor(Math.log2(Math.max(1, rows)))

/** How many rows a page of a list has, by how long those before took to come. */
const openSizes = ({ rowMs, count }: LongList, pageMs: number) => {
  const enough = 2 ** Math.ceil(Math.log2(Math.max(1, count)))
  let most = mostRows
  let size = powerBelow(Math.min(pageMs / Math.max(rowMs, 0.01), most, enough))
  return {
    /** The next page, where `from` rows stand before it. */
    next: (from: number) => {
      let rows = size
      while (from % rows !== 0) rows /= 2
      return rows
    },
    took: (rows: number, tookMs: number) => {
      if (rows !== size) return
      if (tookMs > pageMs && rows > 1) size = rows / 2
      else if (tookMs * 3 < pageMs && rows < most) size = rows * 2
    },
    allows: (rows: number) => rows <= most,
    /** A page may have so many rows at most. */
    limit: (rows: number) => {
      most = Math.min(most, powerBelow(rows))
      size = Math.min(size, most)
    },
  }
}

/** Rows that stand side by side, and what they came in. */
interface Stretch {
  from: number
  rows: number
  page: Page
}

/** Asks for the rows behind `from` others as one page, or in parts where the archive does not bear that. */
const openPages = (list: LongList, { ask, concurrency, conventions }: Parts) => {
  const { pageParameter, sizeParameter, pageMs } = conventions
  const sizes = openSizes(list, pageMs)
  const askFor = async (from: number, rows: number) => {
    const parameters = {
      ...list.order,
      [sizeParameter ?? '']: String(rows),
      [pageParameter]: String(from / rows + 1),
    }
    const { came, tookMs } = await concurrency.run(`${list.name} ${rows}`, () =>
      ask({ parameters, isHeld: true }),
    )
    if (came) sizes.took(rows, tookMs)
    return came
  }
  const read = async (from: number, rows: number): Promise<Stretch[]> => {
    const page = sizes.allows(rows)
      ? await askFor(from, rows).catch(rows > 1 ? unlessTooMuch : raise)
      : undefined
    if (page) return [{ from, rows, page }]
    if (rows === 1) throw new Failed({ kind: 'not-found', what: list.name })
    sizes.limit(rows / 2)
    return [...(await read(from, rows / 2)), ...(await read(from + rows / 2, rows / 2))]
  }
  /** The row at a place, counted from one; undefined where the archive gives no single rows. */
  const rowAt = async (place: number): Promise<{ key: string; count: number } | undefined> => {
    const page = await askFor(place - 1, 1)
    const keys: string[] = []
    await page?.read({ take: (element) => void keys.push(keyOf(readElement(element.toString('utf8')))) })
    const [key] = keys
    return key === undefined || keys.length > 1 || typeof page?.count !== 'number'
      ? undefined
      : { key, count: page.count }
  }
  /** All rows as one page; undefined where they do not fit on one. */
  const whole = async (): Promise<Page | undefined> => {
    const rows = sizes.next(0)
    if (rows < list.count) return undefined
    const page = await askFor(0, rows).catch(unlessTooMuch)
    if (!page) sizes.limit(rows / 2)
    return page
  }
  return { read, sizes, rowAt, whole }
}

/** Takes the rows from one place to another. @returns how many had not come before; undefined as above */
const takeRows = async (
  { read, sizes }: ReturnType<typeof openPages>,
  take: Parts['take'],
  [first, end]: [number, number],
): Promise<number | undefined> => {
  let [from, came, isProved, barren] = [first, 0, first > 0, 0]
  const ahead: Promise<Stretch[]>[] = []
  const askAhead = () => {
    while (ahead.length < (isProved ? mostAhead : 1) && from < end) {
      const rows = sizes.next(from)
      const asked = read(from, rows)
      // One before it may fail first.
      asked.catch(() => undefined)
      ahead.push(asked)
      from += rows
    }
  }
  for (askAhead(); ahead.length > 0; askAhead())
    for (const stretch of (await ahead.shift()) ?? []) {
      const { length, fresh } = await take(stretch.page)
      came += fresh
      barren = fresh > 0 ? 0 : barren + 1
      // What is said to be a longer list than it is may give its last page again and again.
      if (barren >= mostBarrenPages) return came
      if (isProved) continue
      const wanted = Math.min(stretch.rows, end)
      // An archive that gives fewer than it is asked for says by that how many it gives.
      if (length < wanted && length > 1) {
        sizes.limit(length)
        from = 0
      } else if (length !== wanted) return undefined
      else isProved = true
    }
  return came
}

/**
 * Reads a long list by the numbers of its pages, some of them side by side, each as large as the archive
 * gives in good time; they are taken in their order.
 *
 * A row that goes away, or moves to the end, moves all behind it one place to the front, and one of them may
 * stand on neither of two pages. So a row that is the last one at the beginning is looked for again at the
 * end: where it has kept its place, none before it has moved. What came behind it is read too.
 */
export const readNumbered = async (list: LongList, parts: Parts): Promise<Numbered> => {
  const pages = openPages(list, parts)
  const whole = await pages.whole()
  const taken = whole && (await parts.take(whole))
  if (taken !== undefined && taken.fresh === whole?.count) return { count: taken.fresh, isSure: true }
  if (taken && taken.length > 0) pages.sizes.limit(taken.length)
  const first = await pages.rowAt(list.count)
  if (!first) return undefined
  const place = Math.min(list.count, first.count)
  let [from, end, came] = [0, first.count, taken?.fresh ?? 0]
  for (let ends = 0; ends < mostEnds; ends += 1) {
    const some = await takeRows(pages, parts.take, [from, end])
    const last = await pages.rowAt(place)
    if (some === undefined || !last) return undefined
    came += some
    // Beyond its end an archive may give the last page again.
    const hasStood = last.key === first.key && last.count >= place
    if (!hasStood || last.count <= end) return { count: last.count, isSure: hasStood && came === last.count }
    ;[from, end] = [end, last.count]
  }
  return { count: end, isSure: false }
}
