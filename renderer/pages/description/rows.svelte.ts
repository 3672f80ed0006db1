import type { RecordRow, RecordSort, WhichRecords } from '../../../electron/contract/description.ts'
import type { ListName } from '../../../electron/contract/lists.ts'
import type { ArchiveDesk } from '../../bridge.svelte.ts'
import { PagedRows } from '../../state/paged-rows.svelte.ts'
import { ListView } from '../../state/views.svelte.ts'
import { recordColumns } from './columns.ts'

/** What a list is narrowed to. */
type Narrowing = () => Pick<WhichRecords, 'filter' | 'references'>

const defaults = {
  open: [] as string[],
  columns: ['title', 'note'],
  sort: '',
  descending: false,
  top: 0,
  at: 0,
}

/** The rows of a list, or of what stands within one record, as the list was left. */
export class RecordRows {
  readonly list: ListName
  readonly rows: PagedRows<RecordRow>
  readonly view: ListView<typeof defaults>

  readonly #desk: ArchiveDesk
  readonly #narrowing: Narrowing

  constructor(
    desk: ArchiveDesk,
    list: ListName,
    within: string | null = null,
    narrowing: Narrowing = () => ({ filter: '' }),
  ) {
    this.#desk = desk
    this.#narrowing = narrowing
    this.list = list
    this.view = new ListView(`description ${list}${within === null ? '' : ' within'}`, defaults)
    this.rows = new PagedRows(
      (offset, limit) => desk.description.list({ ...this.which(within), offset, limit }),
      (begins, from) => desk.description.beginning({ ...this.which(within), begins, from }),
    )
  }

  which = (within: string | null = null) => ({
    list: this.list,
    within,
    open: this.open,
    ...this.#narrowing(),
    ...(this.sort === undefined ? {} : { sort: this.sort, descending: this.view.value.descending }),
  })
  get open() {
    return this.view.value.open
  }
  /** Undefined where records stand in the order of the archive. */
  get sort(): RecordSort | undefined {
    return recordColumns.find((name) => name === this.view.value.sort)
  }
  /** Whether rows stand below each other: what is found or sorted does not. */
  get isFlat() {
    const { filter, references = {} } = this.#narrowing()
    return filter !== '' || this.sort !== undefined || Object.keys(references).length > 0
  }
  expand = ({ id }: RecordRow, isOpen: boolean) => {
    this.view.change({ open: isOpen ? [...this.open, id] : this.open.filter((other) => other !== id) })
    this.rows.refresh()
  }
  /** How a column's heading sorts: up, down, and as the archive has them. */
  sorted = (name: RecordSort) => ({
    isSorted: this.sort === name,
    descending: this.view.value.descending,
    onclick: () => {
      const { descending } = this.view.value
      if (this.sort !== name) this.view.change({ sort: name, descending: false })
      else if (!descending) this.view.change({ descending: true })
      else this.view.change({ sort: '', descending: false })
      this.rows.refresh()
    },
  })
  listen = () => this.#desk.description.changed((news) => news.list === this.list && this.rows.renew())
}
