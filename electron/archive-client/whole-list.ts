import type { Conventions } from './conventions.ts'
import { badAnswer } from './answers.ts'
import { mostBarrenPages, readNumbered, type LongList } from './numbered-pages.ts'
import type { Concurrency } from './concurrency.ts'
import { readElement, type ElementReader } from './split-array.ts'

/**
 * One answer of a list: a way to read its elements as they arrive, how many the archive says there are, and
 * where the next page is.
 */
export interface Page {
  read: (reader: ElementReader) => Promise<void>
  /** How many there are in all; null where the archive does not say. */
  count: number | null
  /** The address of the next page (Link, RFC 8288). */
  next: string | null
  /** It names a next page where nothing of this archive is: there is more, and nobody knows where. */
  isCut?: boolean
}

/**
 * Asks for a page.
 * @param address the address that a page named as the next one; else the list itself with these parameters
 * @param isHeld whether all of the page comes into memory before it is read
 * @returns undefined where the archive refuses these parameters
 */
export type Ask = (
  what: { address: string } | { parameters: Record<string, string>; isHeld?: boolean },
) => Promise<Page | undefined>

/** Whether an element's record was seen before: in this pass, and at all. */
export interface Sighting {
  isNewInPass: boolean
  isNew: boolean
}

/** Who reads a whole list. */
export interface ListReader {
  /**
   * Takes an element and the pass it came in; the same record may come again, in the same pass or a later
   * one.
   */
  take: (element: Buffer, pass: number) => Sighting
  recognize?: ElementReader['recognize']
  /**
   * Goes on with a long page elsewhere.
   * @param rest what follows the elements of this page that were taken
   * @param seen hears of each element in turn
   * @returns undefined where that is not possible now
   */
  goOn?: (
    rest: AsyncIterable<Buffer>,
    count: number,
    seen: (sighting: Sighting) => void,
  ) => Promise<void> | undefined
}

/** How a whole list was found. */
export interface Wholeness {
  /** Records last seen in an earlier pass are gone by now; null keeps those of every pass. */
  pass: number | null
  /** How many the archive says there are. */
  count: number | null
  /** Whether what was read is surely all: the archive's own count says so, or it gave one plain array. */
  isSure: boolean
}

const mostPasses = 4
const mostPages = 500_000

/** What tells a record from others: its id, else all that it says. */
export const keyOf = (record: unknown): string => {
  const { id, pk } = (typeof record === 'object' && record !== null ? record : {}) as {
    id?: unknown
    pk?: unknown
  }
  const key = id ?? pk
  // Of larger integers, two may have become one when they were read.
  return typeof key === 'string' || Number.isSafeInteger(key) ? String(key) : `= ${JSON.stringify(record)}`
}

/** Reads each element as a record, and knows records again by their keys. */
export const recordReader = (take: (record: unknown, key: string, pass: number) => void): ListReader => {
  const seenIn = new Map<string, number>()
  return {
    take: (element, pass) => {
      const record = readElement(element.toString('utf8'))
      const key = keyOf(record)
      const before = seenIn.get(key)
      seenIn.set(key, pass)
      take(record, key, pass)
      return { isNew: before === undefined, isNewInPass: before !== pass }
    },
  }
}

/** How the passes of one list are read. */
interface Passes {
  ask: Ask
  /** Takes the elements of one page: how many there were, and how many of them were new in this pass. */
  takePage: (page: Page, pass: number) => Promise<{ length: number; fresh: number }>
  /** How long a page is where the archive cuts its lists. */
  lengths: number[]
  pageParameter: string
}

/** Whether an address is that of the second page. */
const isSecond = (address: string | null, pageParameter: string) =>
  address !== null && URL.parse(address)?.searchParams.get(pageParameter) === '2'

/**
 * The plain list, which is the whole one by the specification. Where it is the first page of several that
 * have numbers: how many rows there are, and how long one took in milliseconds.
 */
const readPlain = async (
  { ask, takePage, pageParameter }: Passes,
  usualLength: number,
): Promise<{ whole: Wholeness } | { count: number; rowMs: number } | undefined> => {
  const began = performance.now()
  const page = await ask({ parameters: {} })
  if (!page) return undefined
  const { length, fresh } = await takePage(page, 0)
  const { count, next, isCut = false } = page
  if (next === null && !isCut && (count === null ? length !== usualLength : fresh === count))
    return { whole: { pass: 0, count, isSure: true } }
  return count !== null && count > length && length > 0 && isSecond(next, pageParameter)
    ? { count, rowMs: (performance.now() - began) / length }
    : undefined
}

/** Reads from the first page to the last; undefined where the archive refuses these parameters. */
const readPass = async (
  { ask, takePage, lengths, pageParameter }: Passes,
  pass: number,
  parameters: Record<string, string>,
): Promise<Wholeness | undefined> => {
  let inPass = 0
  const visited = new Set<string>()
  const counts = new Set<number>()
  let page = await ask({ parameters })
  if (!page) return undefined
  const isPaged = page.next !== null
  let [firstLength, barren, isLeftCut] = [0, 0, false]
  for (let number = 1; page; number += 1) {
    const { length, fresh } = await takePage(page, pass)
    inPass += fresh
    barren = fresh > 0 ? 0 : barren + 1
    if (page.count !== null) counts.add(page.count)
    if (number === 1) firstLength = length
    const { next, count, isCut = false }: Page = page
    isLeftCut = isCut
    // Links may lead on for ever, each to another address.
    if (barren >= mostBarrenPages) break
    if (number >= mostPages && next !== null)
      throw badAnswer({ address: next, status: 200 }, 'too-long', `${mostPages} pages`)
    if (next !== null && !visited.has(next)) {
      visited.add(next)
      page = await ask({ address: next })
      continue
    }
    const isShort = count !== null && inPass < count
    // An archive that says nothing may still cut: a page as long as pages are is followed by a look at the
    // next.
    const isSilent = count === null && !isPaged && length === firstLength && lengths.includes(firstLength)
    page =
      fresh > 0 && (isShort || isSilent || (isCut && count === null))
        ? await ask({ parameters: { ...parameters, [pageParameter]: String(number + 1) } })
        : undefined
  }
  const [count = null] = counts
  const isWhole = counts.size <= 1 && (count === null ? !isLeftCut : inPass === count)
  return { pass, count, isSure: isWhole }
}

/** A list of more rows is not read again and again in one go, since that takes hours. */
const mostToRepeat = 5_000
const mostLongPasses = 2

/** Reads a list by the numbers of its pages, a long one once more where rows moved meanwhile. */
const readLong = async (
  list: LongList,
  { ask, takePage }: Passes,
  { concurrency, conventions }: Pick<Reading, 'concurrency' | 'conventions'>,
): Promise<Wholeness | undefined> => {
  let found: Wholeness | undefined
  for (let pass = 1; pass <= mostLongPasses; pass += 1) {
    const numbered = await readNumbered(list, {
      ask,
      concurrency,
      conventions,
      take: (page) => takePage(page, pass),
    })
    found = numbered && { pass, ...numbered }
    if (!found || found.isSure || (found.count ?? 0) <= mostToRepeat) break
  }
  return found
}

interface Reading {
  /** By what the list is told apart from others of the archive. */
  name: string
  order?: LongList['order'] | undefined
  ask: Ask
  concurrency: Concurrency
  conventions: Pick<Conventions, 'usualLength' | 'pageParameter' | 'sizeParameter' | 'pageMs' | 'readings'>
}

/**
 * Reads the whole of a list, however the archive cuts it: as one plain array, in pages that have numbers or
 * that Link or Count or nothing at all announces, with a last page that is given again and again, or in an
 * order that changes between pages.
 *
 * The list is asked for plainly first. Where that gives one page of several, one pass goes from the first
 * page to the last. It is whole where nothing moved and as many different records came as the archive
 * counts; else a list that is not long is read again, first in one piece, then in the order of ids. Where no
 * pass is whole, what came in any of them is kept, and that it is not sure.
 */
export const readWholeList = async (
  { name, order = {}, ask, concurrency, conventions }: Reading,
  { take, recognize, goOn }: ListReader,
): Promise<Wholeness> => {
  const { usualLength, pageParameter, sizeParameter, readings } = conventions
  /** Different records in all passes. */
  let seen = 0
  const takePage = async ({ read }: Page, pass: number) => {
    let [length, fresh] = [0, 0]
    const count = ({ isNewInPass, isNew }: Sighting) => {
      length += 1
      if (isNewInPass) fresh += 1
      if (isNew) seen += 1
    }
    await read({
      take: (element) => count(take(element, pass)),
      ...(recognize ? { recognize } : {}),
      ...(goOn ? { goOn: (rest, taken) => goOn(rest, taken, count) } : {}),
    })
    return { length, fresh }
  }
  const lengths = [usualLength, readings[0]?.length ?? usualLength]
  const passes: Passes = { ask, takePage, lengths, pageParameter }

  const plain = await readPlain(passes, usualLength)
  if (plain && 'whole' in plain) return plain.whole
  const long = plain && sizeParameter !== null ? { name, order, ...plain } : undefined
  let last = long && (await readLong(long, passes, { concurrency, conventions }))
  if (last?.isSure) return last
  const hasPassed = last !== undefined
  if ((last?.count ?? 0) > mostToRepeat) return { pass: null, count: last?.count ?? null, isSure: false }
  for (let index = hasPassed ? 1 : 0; index < mostPasses; index += 1) {
    const pass = mostLongPasses + 1 + index
    const found =
      (await readPass(passes, pass, readings[index]?.parameters ?? {})) ??
      (index === 0 ? await readPass(passes, pass, {}) : undefined)
    if (found?.isSure) return found
    last = found ?? last
    // What several passes brought together may be all there is.
    if (last?.count === seen && index > 0) return { pass: null, count: last.count, isSure: true }
  }
  return { pass: null, count: last?.count ?? null, isSure: false }
}
