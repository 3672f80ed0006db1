import type { RecordRow } from '../../../electron/contract/description.ts'
import type { ListName } from '../../../electron/contract/lists.ts'
import type { ArchiveDesk } from '../../bridge.svelte.ts'
import { PagedRows } from '../../state/paged-rows.svelte.ts'
import { ListView } from '../../state/views.svelte.ts'

/** The rows of a list, or of what stands within one record, as the list was left. */
export class RecordRows {
  readonly list: ListName
  readonly rows: PagedRows<RecordRow>
  readonly view: ListView<{ open: string[]; filter: string; columns: string[]; top: number; at: number }>

  readonly #desk: ArchiveDesk

  constructor(desk: ArchiveDesk, list: ListName, within: string | null = null) {
    this.#desk = desk
    this.list = list
    this.view = new ListView(`description ${list}${within === null ? '' : ' within'}`, {
      open: [] as string[],
      filter: '',
      columns: ['title', 'note'],
      top: 0,
      at: 0,
    })
    this.rows = new PagedRows(
      (offset, limit) => desk.description.list({ ...this.which(within), offset, limit }),
      (begins, from) => desk.description.beginning({ ...this.which(within), begins, from }),
    )
  }

  which = (within: string | null = null) => ({
    list: this.list,
    within,
    filter: this.filter,
    open: this.open,
  })
  get open() {
    return this.view.value.open
  }
  get filter() {
    return this.view.value.filter
  }
  change = (some: { open?: string[]; filter?: string }) => {
    this.view.change(some)
    this.rows.refresh()
  }
  expand = ({ id }: RecordRow, isOpen: boolean) =>
    this.change({ open: isOpen ? [...this.open, id] : this.open.filter((other) => other !== id) })
  listen = () => this.#desk.description.changed((news) => news.list === this.list && this.rows.renew())
}
