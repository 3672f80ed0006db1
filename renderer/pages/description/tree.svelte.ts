import type { TreeRow } from '../../../electron/contract/description.ts'
import type { ArchiveDesk } from '../../bridge.svelte.ts'
import { PagedRows } from '../../state/paged-rows.svelte.ts'
import { Selection } from '../../parts/selection.svelte.ts'
import { readLines } from '../../state/read-lines.ts'
import { stopAll } from '../../state/stop-all.ts'
import { ListView } from '../../state/views.svelte.ts'
import { isInTree } from './address.ts'

/** The rows of the tree of archives, as it was left. */
export class TreeRows {
  readonly rows: PagedRows<TreeRow>
  readonly view = new ListView('description tree', {
    open: [] as string[],
    top: 0,
    at: 0,
  })

  readonly selection: Selection<TreeRow>

  readonly #desk: ArchiveDesk

  constructor(desk: ArchiveDesk) {
    this.#desk = desk
    this.selection = new Selection(this.lines)
    this.rows = new PagedRows(this.#read, {
      beginning: (begins, from) => desk.description.treeBeginning({ open: this.open, begins, from }),
    })
  }

  #read = (offset: number, limit: number) => this.#desk.description.tree({ open: this.open, offset, limit })
  get open() {
    return this.view.value.open
  }
  #change = (open: string[]) => {
    this.view.change({ open })
    // What the keys act on stays the same row, also where the archive says something else of those above.
    this.rows.renew()
  }
  /** Rows as they are open, so many of them from a line on. */
  lines = (first: number, most: number): Promise<TreeRow[]> => readLines(this.#read, first, most)
  expand = ({ id }: TreeRow, isOpen: boolean) =>
    this.#change(isOpen ? [...this.open, id] : this.open.filter((other) => other !== id))
  /** Opens what a record stands below. */
  reveal = async (list: 'tags' | 'structure-units', id: string) => {
    const path = await this.#desk.description.treePath({ list, id })
    const closed = path.filter((key) => !this.open.includes(key))
    if (closed.length > 0) this.#change([...this.open, ...closed])
  }
  listen = () => {
    const { description, capabilities } = this.#desk
    return stopAll([
      description.changed(({ list }) => isInTree(list) && this.rows.renew()),
      // That what stands in open rows has to be asked for may be learnt while they are open.
      capabilities.changed(() => this.rows.renew()),
    ])
  }
}
