import { SvelteMap } from 'svelte/reactivity'
import { mostChosen } from '../../electron/contract/packages.ts'

/** One that can be chosen with others, and how large it is. */
export interface Chosen {
  id: string
  bytes: number
}

/** What somebody chose of a list to do something with all of it; by id, so that it outlives sorting. */
export class Selection {
  #chosen = new SvelteMap<string, number>()
  /** Gives those of some lines, whether they are on screen or not. */
  #inLines: (offset: number, limit: number) => Promise<Chosen[]>
  /** Whether more was asked for than can be chosen at once. */
  isCut = $state(false)
  /** Where a range begins. */
  #from = 0

  constructor(inLines: (offset: number, limit: number) => Promise<Chosen[]>) {
    this.#inLines = inLines
  }
  get count() {
    return this.#chosen.size
  }
  get bytes() {
    return [...this.#chosen.values()].reduce((sum, bytes) => sum + bytes, 0)
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
  toggle = ({ id, bytes }: Chosen, line: number) => {
    this.#from = line
    if (!this.#chosen.delete(id)) this.#chosen.set(id, bytes)
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
    for (const { id, bytes } of chosen) this.#chosen.set(id, bytes)
  }
}
