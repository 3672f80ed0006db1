import { SvelteMap } from 'svelte/reactivity'
import type { RecordRow } from '../../../electron/contract/description.ts'
import type { ListName } from '../../../electron/contract/lists.ts'
import { bridge } from '../../bridge.svelte.ts'
import { PagedRows } from '../../state/paged-rows.svelte.ts'

/** Open rows and filters of each list: kept while the window lives, so that coming back finds it as it was. */
const kept = new SvelteMap<string, { open: string[]; filter: string }>()

/** The rows of a list, or of what stands within one record. */
export class RecordRows {
  readonly list: ListName
  readonly rows: PagedRows<RecordRow>
  readonly #key: string

  constructor(list: ListName, within: string | null = null) {
    this.list = list
    this.#key = `${list} ${within ?? ''}`
    this.rows = new PagedRows((offset, limit) => bridge.description.list({ list, within, filter: this.filter, open: this.open, offset, limit }))
  }

  get open() {
    return kept.get(this.#key)?.open ?? []
  }
  get filter() {
    return kept.get(this.#key)?.filter ?? ''
  }
  change = (some: { open?: string[]; filter?: string }) => {
    kept.set(this.#key, { open: this.open, filter: this.filter, ...some })
    void this.rows.refresh()
  }
  expand = ({ id }: RecordRow, isOpen: boolean) => this.change({ open: isOpen ? [...this.open, id] : this.open.filter((it) => it !== id) })
  listen = () => bridge.description.changed((news) => news.list === this.list && void this.rows.renew())
}
