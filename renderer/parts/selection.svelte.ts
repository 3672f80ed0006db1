import { SvelteMap } from 'svelte/reactivity'
import { mostChosen } from '../../electron/contract/packages.ts'

/** What somebody chose of a list to do something with all of it; by id, so that it outlives sorting. */
export class Selection<Item extends { id: string }> {
  #chosen = new SvelteMap<string, Item>()
  /** Gives those of some lines, whether they are on screen or not. */
  #inLines: (offset: number, limit: number) => Promise<Item[]>
  /** Of more than can be chosen at once which are: the first, or those next to where a range begins. */
  cut = $state<'first' | 'next'>()
  /** Where a range begins: the line, and the record that stood there where the list knows records by id. */
  #from: { line: number; id: string | undefined } = { line: 0, id: undefined }
  /** How often something was chosen, or nothing any more. */
  #turn = 0
  /** The turn whose lines have not come yet. */
  #awaited: number | undefined

  constructor(inLines: (offset: number, limit: number) => Promise<Item[]>) {
    this.#inLines = inLines
  }
  get count() {
    return this.#chosen.size
  }
  /** Whether something is chosen, or will be as soon as its lines come. */
  get isBegun() {
    return this.#chosen.size > 0 || this.#awaited === this.#turn
  }
  get items() {
    return [...this.#chosen.values()]
  }
  get ids() {
    return [...this.#chosen.keys()]
  }
  has = (id: string) => this.#chosen.has(id)
  clear = () => {
    this.#turn += 1
    this.#chosen.clear()
    this.cut = undefined
  }
  /** Chooses one more, or one less. */
  toggle = (item: Item, line: number, id?: string) => {
    this.#turn += 1
    this.begin(line, id)
    if (!this.#chosen.delete(item.id)) this.#chosen.set(item.id, item)
  }
  /** A range begins at this line. */
  begin = (line: number, id?: string) => {
    this.#from = { line, id }
  }
  /** The rows have moved by so many lines, and the record at which a range was begun with them. */
  shift = (lines: number) => {
    if (this.#from.id !== undefined) this.#from.line += lines
  }
  /**
   * Chooses everything between where a range began and a line, and nothing else; of more than can be chosen
   * what is next to where it began.
   * @param indexOf where a record stands now, as far as its row is known
   */
  extend = async (line: number, indexOf?: (id: string) => number | undefined) => {
    const from = this.#beginning(indexOf)
    const end = this.reach(line, indexOf)
    await this.#choose(Math.min(from, end), Math.abs(from - end) + 1, end === line ? undefined : 'next')
  }
  /** The line at which a range to a line ends at the latest. */
  reach = (line: number, indexOf?: (id: string) => number | undefined): number => {
    const from = this.#beginning(indexOf)
    return Math.min(Math.max(line, from - mostChosen + 1), from + mostChosen - 1)
  }
  all = (lines: number) =>
    this.#choose(0, Math.min(lines, mostChosen), lines > mostChosen ? 'first' : undefined)
  #beginning(indexOf?: (id: string) => number | undefined) {
    const { line, id } = this.#from
    return (id === undefined ? undefined : indexOf?.(id)) ?? Math.max(0, line)
  }
  async #choose(first: number, lines: number, cut: 'first' | 'next' | undefined) {
    this.#turn += 1
    const turn = (this.#awaited = this.#turn)
    const chosen = await this.#inLines(first, lines).finally(() => {
      if (turn === this.#awaited) this.#awaited = undefined
    })
    // The list may have been narrowed meanwhile, or something else chosen in it.
    if (turn !== this.#turn) return
    this.#chosen.clear()
    this.cut = cut
    for (const item of chosen) this.#chosen.set(item.id, item)
  }
}
