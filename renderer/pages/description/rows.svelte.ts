import {
  recordSorts,
  type RecordRow,
  type RecordSort,
  type WhichRecords,
} from '../../../electron/contract/description.ts'
import type { ListName } from '../../../electron/contract/lists.ts'
import type { ArchiveDesk } from '../../bridge.svelte.ts'
import { Selection } from '../../parts/selection.svelte.ts'
import { columnDefaults, openColumns, type ColumnStyle } from '../../state/columns.svelte.ts'
import { PagedRows } from '../../state/paged-rows.svelte.ts'
import { readLines } from '../../state/read-lines.ts'
import { openSorting } from '../../state/sorting.ts'
import { compareFirst } from '../../state/uniform-columns.svelte.ts'
import { ListView } from '../../state/views.svelte.ts'

/** What a list is narrowed to. */
type Narrowing = () => Pick<WhichRecords, 'filter' | 'references'>

const defaults = {
  open: [] as string[],
  ...columnDefaults,
  sort: '',
  descending: false,
  top: 0,
  at: 0,
}

/** The columns that every list of records has. */
const styles = {
  title: { width: 'minmax(120px, 1fr)' },
  note: { width: 'minmax(64px, 35%)' },
  uses: { width: '80px', isRight: true },
  id: { width: 'minmax(80px, 30%)' },
} as const satisfies Record<RecordSort, ColumnStyle>

/** The rows of a list, or of what stands within one record, as the list was left. */
export class RecordRows {
  readonly list: ListName
  readonly rows: PagedRows<RecordRow>
  readonly view: ListView<typeof defaults>
  readonly columns: ReturnType<typeof openColumns<RecordSort>>
  /** A third click gives records the order of the archive back. */
  readonly sorting: ReturnType<typeof openSorting<RecordSort>>
  readonly selection: Selection<RecordRow>

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
    this.columns = openColumns({ styles, title: 'title', usual: ['title', 'note', 'uses'], view: this.view })
    this.sorting = openSorting({
      columns: recordSorts,
      view: this.view,
      isGivenUp: true,
      onchange: () => this.rows.refreshFromTop(),
    })
    const read = (offset: number, limit: number) =>
      desk.description.list({ ...this.which(within), offset, limit })
    this.selection = new Selection((offset, limit) => readLines(read, offset, limit))
    this.rows = new PagedRows(read, {
      beginning: (begins, from) => desk.description.beginning({ ...this.which(within), begins, from }),
      // What stands within one record is told by its titles alone.
      ...(within === null ? { first: compareFirst(this.#compare) } : {}),
    })
  }

  which = (within: string | null = null) => ({
    list: this.list,
    within,
    open: this.open,
    ...this.#narrowing(),
    sort: this.sorting.column,
    descending: this.sorting.descending,
  })
  get open() {
    return this.view.value.open
  }
  /** Whether rows stand below each other: what is found or sorted does not. */
  get isFlat() {
    const { filter, references = {} } = this.#narrowing()
    return filter !== '' || this.sorting.column !== undefined || Object.keys(references).length > 0
  }
  expand = ({ id }: RecordRow, isOpen: boolean) => {
    this.view.change({ open: isOpen ? [...this.open, id] : this.open.filter((other) => other !== id) })
    // What the keys act on stays the same row, also where the archive says something else of those above.
    this.rows.renew()
  }
  listen = () =>
    this.#desk.description.changed(({ list }) => {
      if (list === this.list) this.rows.renew()
    })
  /** Which of its columns say the same in every record that it is narrowed to. */
  #compare = async () =>
    this.columns.keepUniform(
      await this.#desk.description.uniform({ list: this.list, within: null, ...this.#narrowing() }),
    )
}
