import { SvelteMap } from 'svelte/reactivity'
import { mostChosen } from '../../electron/contract/packages.ts'

/** What somebody chose of a list to do something with all of it; by id, so that it outlives sorting. */
export class Selection<Item extends { id: string }> {
  #chosen = new SvelteMap<string, Item>()
  /** Gives those of some lines, whether they are on screen or not. */
  #inLines: (offset: number, limit: number) => Promise<Item[]>
  /** Whether more was asked for than can be chosen at once. */
  isCut = $state(false)
  /** Where a range begins. */
  #from = 0

  constructor(inLines: (offset: number, limit: number) => Promise<Item[]>) {
    this.#inLines = inLines
  }
  get count() {
    return this.#chosen.size
  }
  get items() {
    return [...this.#chosen.values()]
  }
  get ids() {
    return [...this.#chosen.keys()]
  }
  has = (id: string) => this.#chosen.has(id)
  clear = () => {
    this.#chosen.clear()
    this.isCut = false
  }
  /** Chooses one more, or one less. */
  toggle = (item: Item, line: number) => {
    this.#from = line
    if (!this.#chosen.delete(item.id)) this.#chosen.set(item.id, item)
  }
  /** A range begins at this line. */
  begin = (line: number) => {
    this.#from = line
  }
  /** Chooses everything between where a range began and a line, and nothing else. */
  extend = async (line: number) => {
    const first = Math.min(this.#from, line)
    await this.#choose(first, Math.abs(this.#from - line) + 1)
  }
  all = (lines: number) => this.#choose(0, lines)
  async #choose(first: number, lines: number) {
    const chosen = await this.#inLines(first, Math.min(lines, mostChosen))
    this.#chosen.clear()
    this.isCut = lines > mostChosen
    for (const item of chosen) this.#chosen.set(item.id, item)
  }
}
