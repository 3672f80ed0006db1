import { SvelteMap } from 'svelte/reactivity'
import type { Failure } from '../../electron/contract/failure.ts'
import { betweenKeys } from './between-keys.ts'
import { failureOf } from './command.svelte.ts'
import { oneAtATime } from './one-at-a-time.ts'

export interface Page<Row> {
  rows: Row[]
  total: number
  of: number
  lines: number
  asOf: string | null
}

type AskBeginning = (begins: string, from: number) => Promise<{ line: number | null }>

interface Parts {
  beginning?: AskBeginning
  /** Asks what has to be known before the first rows are shown; hears how many rows there are. */
  first?: (total: number) => Promise<unknown>
}

const pageLength = 50
/** Pages that stay: those in view, and their neighbours. */
const mostPages = 6

/**
 * The rows of a page anew, with those that say what they said before as they are: nothing of them is drawn
 * again.
 */
const keepingEqual = <Row extends { id: string }>(before: Row[], rows: Row[]): Row[] => {
  const known = new Map(before.map((row) => [row.id, row]))
  const kept = rows.map((row) => {
    const other = known.get(row.id)
    return other !== undefined && JSON.stringify(other) === JSON.stringify(row) ? other : row
  })
  const isSame = kept.length === before.length && kept.every((row, nth) => row === before[nth])
  return isSame ? before : kept
}

/**
 * A long list of which only the pages that were looked at last are here. A refresh keeps the old rows in view
 * until all new ones have come.
 */
export class PagedRows<Row extends { id: string }> {
  /** Counts how often the archive, not the person, changed what is shown. */
  news = $state(0)
  /** Counts how often other rows, or another order of them, came that a person asked for. */
  fromTop = $state(0)
  total = $state(0)
  of = $state(0)
  lines = $state(0)
  asOf = $state<string | null>(null)
  failure = $state.raw<Failure>()
  isReady = $state(false)
  #pages = new SvelteMap<number, Row[]>()
  // Not reactive on purpose: what was asked for changes nothing on screen.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #asked = new Set<number>()
  #missing: number[] = []
  #turn = 0
  #latest: number[] = []
  #answering = Promise.resolve()
  /** A person asked for other rows, or another order of them, and has not seen them yet. */
  #isAskedFor = false
  #isFromTop = false
  #isAsking = false
  #next: { isNews: boolean } | undefined
  #ask: (offset: number, limit: number) => Promise<Page<Row>>
  #askBeginning: (() => Promise<{ line: number | null }>) | undefined
  /** What is typed, and the line from which it is looked for. */
  #begun = { begins: '', from: 0 }
  #askFirst: Parts['first']
  /** On which day rows were drawn. */
  #drawnOn = new WeakMap<Row[], string>()
  /** Fulfilled when a person asks for other rows. */
  #overtaken = Promise.withResolvers<void>()

  constructor(ask: (offset: number, limit: number) => Promise<Page<Row>>, { beginning, first }: Parts = {}) {
    this.#ask = ask
    // Letters come faster than a long list is looked through: the word as it stands by then is looked for.
    this.#askBeginning = beginning && oneAtATime(() => beginning(this.#begun.begins, this.#begun.from))
    this.#askFirst = first
    this.refresh()
  }

  row = (index: number): Row | undefined => {
    if (index < 0) return undefined
    const page = Math.floor(index / pageLength)
    const rows = this.#pages.get(page)
    this.#noteLook(page)
    if (!rows && !this.#asked.has(page)) this.#fetch(page)
    return rows?.[index % pageLength]
  }

  #noteLook(page: number) {
    if (this.#latest.at(-1) !== page)
      this.#latest = [...this.#latest.filter((other) => other !== page), page].slice(-mostPages)
  }

  /** The rows that are here, with their places from the top; nothing is asked for. */
  held = (): { index: number; row: Row }[] =>
    [...this.#pages.entries()]
      .sort(([a], [b]) => a - b)
      .flatMap(([page, rows]) => rows.map((row, nth) => ({ index: page * pageLength + nth, row })))

  /**
   * The line of the next row that begins so, whether it is here or not; undefined where nobody can be asked
   * that.
   */
  get beginning() {
    const ask = this.#askBeginning
    return ask && ((begins: string, from: number) => this.#begin(ask, begins, from))
  }

  #begin = async (
    ask: () => Promise<{ line: number | null }>,
    begins: string,
    from: number,
  ): Promise<number | undefined> => {
    this.#begun = { begins, from }
    try {
      const { line } = await ask()
      return line === null ? undefined : await this.#lineHere(line)
    } catch (error) {
      this.failure = failureOf(error)
      return undefined
    }
  }

  /** Where the row of a line is here: while a list arrives, what is here may be older than the answer. */
  #lineHere = async (line: number): Promise<number> => {
    const page = Math.floor(line / pageLength)
    const held = this.#pages.get(page)?.[line % pageLength]
    // What is not here comes as it is now.
    if (!held && line < this.lines) return line
    const [found] = (await this.#ask(line, 1)).rows
    if (!found || found.id === held?.id) return line
    this.#noteLook(page)
    this.renew()
    await this.answered()
    return this.indexOf(found.id) ?? line
  }

  /** The place of a record among the pages that are here. */
  indexOf = (id: string): number | undefined => {
    for (const [page, rows] of this.#pages) {
      const index = rows.findIndex((row) => row.id === id)
      if (index >= 0) return page * pageLength + index
    }
    return undefined
  }

  #failed = (error: unknown) => {
    this.failure = failureOf(error)
  }

  /** Asks again for the pages that were looked at last, and shows all of them at once. */
  refresh = (): void => {
    this.#isAskedFor = true
    this.#overtaken.resolve()
    this.#overtaken = Promise.withResolvers()
    // What is on its way answers what was asked before.
    this.#turn += 1
    this.#again(false)
  }

  /**
   * Asks for other rows, or another order of them: nobody wants to see the middle of these. A list whose rows
   * have not come yet is seen as it was left.
   */
  refreshFromTop = (): void => {
    this.#isFromTop = this.isReady
    this.refresh()
  }

  /** The archive has news: what is in view stays where it is. */
  renew = (): void => this.#again(true)

  /** Ends once what was asked for last is shown, or could not be. */
  answered = (): Promise<void> => this.#answering

  /**
   * Letters and news may come faster than answers: one is waited for at a time, and of what comes meanwhile
   * the last is asked for after it.
   */
  #again(isNews: boolean) {
    this.#next = { isNews: isNews && this.#next?.isNews !== false }
    if (this.#isAsking) return
    this.#isAsking = true
    this.#answering = this.#askAll().catch(this.#failed)
  }

  async #askAll() {
    for (let next = this.#taken(); next; next = this.#taken()) {
      this.#turn += 1
      await this.#askAgain(next.isNews, this.#turn)
    }
    this.#isAsking = false
  }

  #taken() {
    const next = this.#next
    this.#next = undefined
    return next
  }

  async #askAgain(isNews: boolean, turn: number) {
    const isFromTop = this.#isFromTop
    const wanted = this.#latest.length === 0 || isFromTop ? [0] : [...this.#latest]
    this.#asked.clear()
    for (const page of wanted) this.#asked.add(page)
    try {
      const pages = await Promise.all(
        wanted.map(async (page) => ({ page, ...(await this.#ask(page * pageLength, pageLength)) })),
      )
      if (isNews && !this.#isAskedFor) await Promise.race([betweenKeys(), this.#overtaken.promise])
      if (turn !== this.#turn) return
      const [begun] = pages
      if (!this.isReady && begun) await this.#askFirst?.(begun.total)
      if (turn !== this.#turn) return
      this.#keepOnly(wanted)
      for (const { page, ...answer } of pages) this.#show(page, answer)
      // News that overtook what a person asked for shows that: nothing in view has to stay where it was.
      if (isNews && !this.#isAskedFor) this.news += 1
      this.#isAskedFor = false
      if (!isFromTop) return
      this.#isFromTop = false
      this.fromTop += 1
    } catch (error) {
      this.#asked.clear()
      if (turn === this.#turn) this.failure = failureOf(error)
    }
  }

  /** Whoever scrolls through a million rows does not keep them all. */
  #keepOnly(wanted: number[]) {
    for (const page of this.#pages.keys()) {
      if (wanted.includes(page)) continue
      this.#pages.delete(page)
      this.#asked.delete(page)
    }
  }

  /** How long ago something was is written by the day: on another day all rows are drawn again. */
  #drawn(page: number, rows: Row[]): Row[] {
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- read once
    const today = new Date().toDateString()
    const before = this.#pages.get(page)
    const drawn = before && this.#drawnOn.get(before) === today ? keepingEqual(before, rows) : rows
    this.#drawnOn.set(drawn, today)
    return drawn
  }

  #show(page: number, { rows, total, of, lines, asOf }: Page<Row>) {
    if (rows.length === 0 && page > 0) this.#pages.delete(page)
    else this.#pages.set(page, this.#drawn(page, rows))
    Object.assign(this, { total, of, lines, asOf, failure: undefined, isReady: true })
  }

  /** Pages that are missing in one look at the list are asked for together, those side by side as one. */
  #fetch(page: number) {
    this.#asked.add(page)
    this.#missing.push(page)
    if (this.#missing.length > 1) return
    queueMicrotask(() => {
      const pages = [...this.#missing].sort((a, b) => a - b)
      this.#missing = []
      const runs: number[][] = []
      for (const missing of pages) {
        const run = runs.at(-1)
        if (run?.at(-1) === missing - 1 && run.length < mostPages) run.push(missing)
        else runs.push([missing])
      }
      for (const run of runs) this.#fetchRun(run, this.#turn).catch(this.#failed)
    })
  }

  async #fetchRun(run: number[], turn: number) {
    const [first = 0] = run
    try {
      const found = await this.#ask(first * pageLength, run.length * pageLength)
      if (turn !== this.#turn) return
      for (const [index, page] of run.entries())
        this.#show(page, { ...found, rows: found.rows.slice(index * pageLength, (index + 1) * pageLength) })
      this.#keepOnly([...this.#latest, ...run])
    } catch (error) {
      for (const page of run) this.#asked.delete(page)
      if (turn === this.#turn) this.failure = failureOf(error)
    }
  }
}
