import { SvelteMap } from 'svelte/reactivity'
import type { Failure } from '../../electron/contract/failure.ts'
import { failureOf } from './query.svelte.ts'

export interface Page<Row> {
  rows: Row[]
  total: number
  of: number
  lines: number
  asOf: string | null
}

const pageLength = 100

/** A long list of which only the pages that were looked at are here. A refresh keeps the old rows in view until the new ones have come. */
export class PagedRows<Row> {
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
  #turn = 0
  #ask: (offset: number, limit: number) => Promise<Page<Row>>

  constructor(ask: (offset: number, limit: number) => Promise<Page<Row>>) {
    this.#ask = ask
    void this.refresh()
  }

  row = (index: number): Row | undefined => {
    const page = Math.floor(index / pageLength)
    const rows = this.#pages.get(page)
    if (!rows && !this.#asked.has(page)) void this.#fetch(page, this.#turn)
    return rows?.[index % pageLength]
  }

  /** Asks again for every page in view; pages out of view are forgotten and asked for when they are looked at. */
  refresh = async () => {
    this.#turn += 1
    const known = [...this.#pages.keys()]
    this.#asked.clear()
    known.forEach((page) => this.#asked.add(page))
    await Promise.all((known.length === 0 ? [0] : known).map((page) => this.#fetch(page, this.#turn)))
  }

  async #fetch(page: number, turn: number) {
    this.#asked.add(page)
    try {
      const { rows, total, of, lines, asOf } = await this.#ask(page * pageLength, pageLength)
      if (turn !== this.#turn) return
      if (rows.length === 0 && page > 0) this.#pages.delete(page)
      else this.#pages.set(page, rows)
      Object.assign(this, { total, of, lines, asOf, failure: undefined, isReady: true })
    } catch (error) {
      this.#asked.delete(page)
      if (turn === this.#turn) this.failure = failureOf(error)
    }
  }
}
