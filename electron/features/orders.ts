import { randomUUID } from 'node:crypto'
import type { Archive } from '../archives/archive.ts'
import { idOf } from '../archive-client/records.ts'
import { contentWith } from '../archive-client/orders.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import { heldFilters, nothing } from '../contract/asked.ts'
import type { Fulfils } from '../contract/define.ts'
import type { FormField } from '../contract/description.ts'
import { Failed } from '../contract/failure.ts'
import type { DeskState, orders as promised, PastedLine, SlipSize } from '../contract/orders.ts'
import type { Creations } from '../outbox/creations.ts'
import type { OrderBook } from '../outbox/order-book.ts'
import { asFileName, onDisk } from '../packaging/disk.ts'
import { replaceFile } from '../replace-file.ts'
import type { Ask } from '../questions/questions.ts'
import type { CacheOf } from '../store/caches.ts'
import type { OrderDraft } from '../store/desk-lists.ts'
import type { DeskStore } from '../store/desk.ts'

interface Parts {
  /** What an archive can do, where it was asked. */
  able: (archive: string) => Capabilities | null
  store: DeskStore
  cacheOf: CacheOf
  creations: Creations
  book: OrderBook
  ask: Ask
  now: () => Date
  /** Reads the archive's orders again. */
  refresh: (archive: string, list: 'orders') => Promise<void>
  chooseTarget: (what: 'slips', name: string) => Promise<string | undefined>
  printPdf: (size: SlipSize) => Promise<Uint8Array>
  /** Whether it was printed: a person may think better of it. */
  printPaper: (size: SlipSize) => Promise<boolean>
  changed: (archive: string) => void
}

const field = (name: string, type: FormField['type']): FormField => ({
  name,
  label: name,
  help: '',
  type,
  isRequired: name === 'name',
  longest: null,
  choices: [],
  of: [],
})
const fields = [
  field('name', 'text'),
  field('information_packages', 'choices'),
  field('order_content', 'long text'),
  field('type', 'text'),
]
const mostLines = 2_000
const acts = {
  asked: 'order.asked',
  fetching: 'order.fetched',
  desk: 'order.desk',
  returned: 'order.returned',
} as const satisfies Record<DeskState, string>

export const orders = ({
  able,
  store,
  cacheOf,
  creations,
  book,
  ask,
  now,
  refresh,
  chooseTarget,
  printPdf,
  printPaper,
  changed,
}: Parts): Fulfils<typeof promised, [Archive]> => {
  const { lists, journal } = store

  const draft = (id: string): OrderDraft => {
    const found = lists.orderDraft(id)
    if (!found) throw new Failed({ kind: 'not-found', what: id })
    if (found.placed !== null) throw new Failed({ kind: 'conflict', detail: 'placed' })
    return found
  }
  const keep = (it: OrderDraft) => {
    lists.keepOrderDraft(it)
    changed(it.archive)
    return it
  }
  const begin = (archive: string) =>
    keep({
      id: randomUUID(),
      archive,
      made: now().toISOString(),
      name: '',
      content: '',
      packages: [],
      placed: null,
    })
  const labelOf = (archive: string, id: string) => cacheOf(archive).packages.facts(id)?.label || id
  const need = (archive: string, id: string) => {
    const found = book.one(archive, id)
    if (!found) throw new Failed({ kind: 'not-found', what: id })
    return found
  }

  /** The packages that a pasted text may mean. */
  const meant = async (archive: string, text: string): Promise<string[]> => {
    const { exact } = await ask('found', archive, {
      typed: text,
      filters: heldFilters(nothing),
      most: 1,
      group: null,
    })
    const ids = exact.flatMap(({ to }) =>
      to?.list === 'information-packages' ? (book.fetched(archive, to.id) ?? []) : [],
    )
    const facts = [...new Set(ids)].flatMap((id) => cacheOf(archive).packages.facts(id) ?? [])
    // Generations of one package carry one identifier: the newest is meant.
    const newest = new Map(
      facts.sort((a, b) => (a.generation ?? 0) - (b.generation ?? 0)).map((it) => [it.aic ?? it.id, it.id]),
    )
    return [...newest.values()]
  }

  return {
    list: ({ id: archive }) => {
      void refresh(archive, 'orders')
      return {
        rows: book.all(archive).map((it) => book.toRow(archive, it)),
        asOf: cacheOf(archive).asOf('description/orders'),
      }
    },
    one: ({ id: archive }, { id }) => {
      return book.page(archive, need(archive, id))
    },
    begin: (archive) => ({ id: begin(archive.id).id }),
    save: (_archive, { id, name, content }) => void keep({ ...draft(id), name, content }),
    add: ({ id: archive }, { id, packages: wanted }) => {
      const it =
        id === null
          ? (lists.orderDrafts(archive).find(({ placed }) => placed === null) ?? begin(archive))
          : draft(id)
      const fresh = [...new Set(wanted.flatMap((one) => book.fetched(archive, one) ?? []))].filter(
        (one) => !it.packages.includes(one),
      )
      const asking = book.asking(archive)
      const already = fresh.flatMap((one) =>
        (asking.get(one) ?? [])
          .filter((order) => order.id !== it.id)
          .map((order) => ({ label: labelOf(archive, one), order: order.name })),
      )
      keep({ ...it, packages: [...it.packages, ...fresh] })
      return { id: it.id, added: fresh.length, already }
    },
    paste: async ({ id: archive }, { id, text }) => {
      const lines = [
        ...new Set(text.split(/\r?\n/).map((line) => line.trim().replace(/^["']|["',;]+$/g, ''))),
      ]
        .filter(Boolean)
        .slice(0, mostLines)
      const asking = book.asking(archive)
      const found: PastedLine[] = []
      const added = new Set(draft(id).packages)
      for (const line of lines) {
        const ids = await meant(archive, line)
        const [only] = ids
        const shown = ids.map((one) => ({ id: one, label: labelOf(archive, one) }))
        const elsewhere = only === undefined ? undefined : asking.get(only)?.find((order) => order.id !== id)
        const outcome =
          only === undefined
            ? 'not found'
            : ids.length > 1
              ? 'several'
              : added.has(only)
                ? 'there already'
                : elsewhere
                  ? 'ordered elsewhere'
                  : 'added'
        // What another order asks for is added too: a person was warned, and may know better.
        if (only !== undefined && ids.length === 1) added.add(only)
        found.push({ text: line, outcome, packages: shown, order: elsewhere?.name ?? '' })
      }
      // Somebody may have typed meanwhile.
      keep({ ...draft(id), packages: [...new Set([...draft(id).packages, ...added])] })
      return found
    },
    takeOut: (_archive, { id, package: one }) =>
      void keep({ ...draft(id), packages: draft(id).packages.filter((it) => it !== one) }),
    place: async (_archive, { id, type }) => {
      const it = draft(id)
      const missing = [
        ...(it.name.trim() === '' ? (['name'] as const) : []),
        ...(it.packages.length === 0 ? (['packages'] as const) : []),
      ]
      if (missing.length > 0) throw new Failed({ kind: 'not-ready', missing })
      const named = it.packages.map((one) => ({
        id: one,
        name: `${labelOf(it.archive, one)} – ${cacheOf(it.archive).packages.facts(one)?.identifier ?? ''}`,
      }))
      const content =
        able(it.archive)?.order.nameField === 'label' ? contentWith(it.content, named) : it.content
      const values = {
        name: it.name.trim(),
        information_packages: it.packages,
        order_content: content,
        ...(type === undefined ? {} : { type }),
      }
      const made = await creations.add(it.archive, 'orders', fields, values, {
        wasRestored: it.wasRestored === true,
        // Placed in one step: a draft that were still there after a crash would be ordered again.
        alongside: (creation) => lists.keepOrderDraft({ ...it, placed: creation.id }),
      })
      changed(it.archive)
      if (made.state === 'refused' && made.failure) {
        store.transaction(() => {
          creations.remove(made.id, now().toISOString())
          keep(it)
        })
        throw new Failed(made.failure)
      }
      const placed = made.remote === null ? made.id : idOf(made.remote)
      lists.renameItem(it.archive, id, placed)
      return { id: placed }
    },
    remove: (archive, { id }) => {
      draft(id)
      lists.removeOrderDraft(id, now().toISOString())
      changed(archive.id)
    },
    restore: (archive, { id }) => {
      lists.removeOrderDraft(id, null)
      changed(archive.id)
    },
    setState: ({ id: archive }, { id, package: one, state }) => {
      const order = need(archive, id)
      store.transaction(() => {
        for (const it of one === null ? order.packages : [one])
          lists.keepDeskState(archive, order.id, it, state, now().toISOString())
        journal.write({
          archive,
          act: acts[state],
          name: one === null ? order.name : `${order.name}: ${labelOf(archive, one)}`,
          place: `orders/${encodeURIComponent(order.id)}`,
          detail: one ?? '',
        })
      })
      changed(archive)
    },
    print: async ({ id: archive }, { id, name, size, on }) => {
      const order = need(archive, id)
      const isPrinted = on === 'paper' ? await printPaper(size) : await savePdf(name, size)
      if (isPrinted)
        journal.write({
          archive,
          act: 'order.printed',
          name: order.name,
          place: `orders/${encodeURIComponent(order.id)}`,
          detail: `${size} ${on}`,
        })
      return isPrinted
    },
  }

  async function savePdf(name: string, size: SlipSize) {
    const file = await chooseTarget('slips', asFileName(`${name}.pdf`))
    if (file === undefined) return false
    await onDisk(file, async () => replaceFile(file, await printPdf(size)))
    return true
  }
}
