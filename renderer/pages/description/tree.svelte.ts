import type { TreeRow } from '../../../electron/contract/description.ts'
import type { ArchiveDesk } from '../../bridge.svelte.ts'
import { PagedRows } from '../../state/paged-rows.svelte.ts'
import { ListView } from '../../state/views.svelte.ts'
import { isInTree } from './address.ts'

/** So many rows are asked for at once. */
const partLength = 500

/** The rows of the tree of archives, as it was left. */
export class TreeRows {
  readonly rows: PagedRows<TreeRow>
  readonly view = new ListView('description tree', {
    open: [] as string[],
    columns: ['title', 'note'],
    top: 0,
    at: 0,
  })

  readonly #desk: ArchiveDesk

  constructor(desk: ArchiveDesk) {
    this.#desk = desk
    this.rows = new PagedRows(
      (offset, limit) => desk.description.tree({ open: this.open, offset, limit }),
      (begins, from) => desk.description.treeBeginning({ open: this.open, begins, from }),
    )
  }

  get open() {
    return this.view.value.open
  }
  #change = (open: string[]) => {
    this.view.change({ open })
    this.rows.refresh()
  }
  /** The first rows as they are open, so many of them. */
  first = async (most: number): Promise<TreeRow[]> => {
    const found: TreeRow[] = []
    for (let offset = 0; offset < most; offset += partLength) {
      const { rows, lines } = await this.#desk.description.tree({
        open: this.open,
        offset,
        limit: partLength,
      })
      found.push(...rows)
      if (offset + partLength >= lines) break
    }
    return found
  }
  expand = ({ id }: TreeRow, isOpen: boolean) =>
    this.#change(isOpen ? [...this.open, id] : this.open.filter((other) => other !== id))
  /** Opens what a record stands below. */
  reveal = async (list: 'tags' | 'structure-units', id: string) => {
    const path = await this.#desk.description.treePath({ list, id })
    const closed = path.filter((key) => !this.open.includes(key))
    if (closed.length > 0) this.#change([...this.open, ...closed])
  }
  listen = () => this.#desk.description.changed(({ list }) => isInTree(list) && this.rows.renew())
}
