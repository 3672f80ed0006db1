import { randomUUID } from 'node:crypto'
import { background, toProcess } from '../common/background.ts'
import type { Archive } from '../archives/archive.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import { heldFilters, nothing } from '../contract/search-filters.ts'
import type { Fulfils } from '../contract/define.ts'
import { Failed } from '../contract/failure.ts'
import {
  lineForFile,
  longestContent,
  type Added,
  type DeskState,
  type orders as promised,
  type PastedLine,
} from '../contract/orders.ts'
import type { Creations } from '../jobs/kinds/creation/creations.ts'
import { fetchedFor } from '../orders/order-book.ts'
import type { Ask } from '../questions/questions.ts'
import type { CacheOf } from '../store/cache/caches.ts'
import type { OrderDraft, OrderWording } from '../store/desk/desk-lists.ts'
import type { DeskStore } from '../store/desk/desk-store.ts'

interface Parts {
  /** What an archive can do, where it was asked. */
  capabilitiesOf: (archive: string) => Capabilities | null
  /** Waits while an archive is being asked that; whatever comes of it. */
  whenAsked: (archive: string) => Promise<void>
  store: DeskStore
  cacheOf: CacheOf
  creations: Creations
  ask: Ask
  now: () => Date
  /** Reads the archive's orders again. */
  refresh: (archive: string, list: 'orders') => Promise<void>
  changed: (archive: string) => void
}

const mostLines = 2_000
const acts = {
  asked: 'order.asked',
  fetching: 'order.fetched',
  desk: 'order.desk',
  returned: 'order.returned',
} as const satisfies Record<DeskState, string>

type Calls = Fulfils<typeof promised, [Archive]>

const isNamed = ({ name }: Pick<OrderWording, 'name'>) => name.trim() !== ''

/** Orders that are being written and are in no archive yet. */
const openDrafts = ({ store: { lists, maybeSent }, now, changed }: Parts) => {
  const keep = (draft: OrderDraft) => {
    lists.keepOrderDraft(draft)
    changed(draft.archive)
    return draft
  }
  /** Those of which it is noted what they said when the desk's file was opened. */
  const noted = new Set<string>()
  /** What a draft said before, where a later state of the desk's file may have placed it as that. */
  const formerOf = ({ id, wasRestored, former = [], name, content, packages }: OrderDraft) => {
    if ((wasRestored !== true && !maybeSent.has(id)) || noted.has(id)) return former
    noted.add(id)
    // Without a name it was not placed as it was: every order for the same packages would be taken for it.
    return wasRestored === true || isNamed({ name }) ? [...former, { name, content, packages }] : former
  }
  return {
    keep,
    /** Keeps what somebody wrote. */
    write: (draft: OrderDraft, written: Partial<OrderWording>) => {
      const former = formerOf(draft)
      return keep({ ...draft, ...written, ...(former.length === 0 ? {} : { former }) })
    },
    /** @throws Failed not-found; conflict where it is placed already */
    need: (archive: string, id: string): OrderDraft => {
      const found = lists.orderDraft(id)
      if (found?.archive !== archive) throw new Failed({ kind: 'not-found', what: id })
      if (found.placed !== null) throw new Failed({ kind: 'conflict', detail: 'placed' })
      return found
    },
    begin: (archive: string) =>
      keep({
        id: randomUUID(),
        archive,
        made: now().toISOString(),
        name: '',
        content: '',
        packages: [],
        placed: null,
      }),
    /** One that is being written, whichever it is. */
    anyOf: (archive: string) => lists.orderDrafts(archive).find(({ placed }) => placed === null),
  }
}
type Drafts = ReturnType<typeof openDrafts>

const labelOf = ({ cacheOf }: Parts, archive: string, id: string) =>
  cacheOf(archive).packages.facts(id)?.label || id

/** The packages that a pasted text may mean: their ids, of several generations the newest. */
const packagesMeant = async ({ ask, cacheOf }: Parts, archive: string, text: string): Promise<string[]> => {
  const { exact } = await ask('found', archive, {
    typed: text,
    filters: heldFilters(nothing),
    most: 1,
    group: null,
  })
  const ids = exact.flatMap(({ to }) =>
    to?.list === 'information-packages' ? (fetchedFor(cacheOf(archive), to.id) ?? []) : [],
  )
  const facts = [...new Set(ids)].flatMap((id) => cacheOf(archive).packages.facts(id) ?? [])
  // Generations of one package carry one identifier: the newest is meant.
  const newest = new Map(
    facts
      .sort((a, b) => (a.generation ?? 0) - (b.generation ?? 0))
      .map((found) => [found.aic ?? found.id, found.id]),
  )
  return [...newest.values()]
}

/** Parts of a pasted text, each once, without quotes and separators around them. */
const partsOf = (text: string, separator: RegExp) =>
  [...new Set(text.split(separator).map((part) => part.trim().replace(/^["']|["',;]+$/g, '')))].filter(
    Boolean,
  )

/** What somebody pasted, and the packages that it may mean. */
interface Meant {
  text: string
  ids: string[]
}

/**
 * What a pasted line asks for: itself; else what commas part in it; else, where it was copied from a table,
 * the cell of it that names something.
 */
const meantBy = async (parts: Parts, archive: string, line: string): Promise<Meant[]> => {
  const meant = (texts: string[]) =>
    Promise.all(texts.map(async (text) => ({ text, ids: await packagesMeant(parts, archive, text) })))
  const isFound = ({ ids }: Meant) => ids.length > 0
  const whole = await meant([line])
  if (whole.some(isFound)) return whole
  const listed = await meant(partsOf(line, /[,;]/))
  if (listed.some(isFound)) return listed
  const cell = (await meant(partsOf(line, /\t/))).find(isFound)
  return cell ? [cell] : whole
}

/** Writing an order: its words, and what it asks for. */
const writing = (
  parts: Parts,
  drafts: Drafts,
): Pick<Calls, 'begin' | 'save' | 'add' | 'addFile' | 'takeOut' | 'remove' | 'restore'> => {
  const { store, cacheOf, ask, now, changed } = parts
  const { lists } = store
  const add = async ({ id: archive }: Archive, id: string | null, wanted: string[]): Promise<Added> => {
    const asking = await ask('asking', archive)
    const draft = id === null ? (drafts.anyOf(archive) ?? drafts.begin(archive)) : drafts.need(archive, id)
    const fetched = [...new Set(wanted.flatMap((one) => fetchedFor(cacheOf(archive), one) ?? []))]
    const fresh = fetched.filter((one) => !draft.packages.includes(one))
    const already = fresh.flatMap((one) =>
      (asking.get(one) ?? [])
        .filter((order) => order.id !== draft.id)
        .map((order) => ({ label: labelOf(parts, archive, one), order: order.name })),
    )
    drafts.write(draft, { packages: [...draft.packages, ...fresh] })
    const [only, ...others] = fetched
    const label = only !== undefined && others.length === 0 ? labelOf(parts, archive, only) : ''
    return { id: draft.id, added: fresh.length, label, already }
  }
  return {
    begin: (archive) => ({ id: drafts.begin(archive.id).id }),
    save: (archive, { id, name, content }) =>
      void drafts.write(drafts.need(archive.id, id), { name, content }),
    add: (archive, { id, packages }) => add(archive, id, packages),
    addFile: async (archive, { package: of, path }) => {
      const facts = cacheOf(archive.id).packages.facts(of)
      const identifier = facts?.identifier || of
      const line = lineForFile({ label: facts?.label || identifier, identifier }, path)
      const open = drafts.anyOf(archive.id)
      // An order whose words are full is followed by another one.
      const isFull = open !== undefined && open.content.length + line.length >= longestContent
      const added = await add(archive, isFull ? drafts.begin(archive.id).id : null, [of])
      const draft = drafts.need(archive.id, added.id)
      const lines = draft.content === '' ? [] : draft.content.split('\n')
      if (!lines.includes(line)) drafts.write(draft, { content: [...lines, line].join('\n') })
      return added
    },
    takeOut: (archive, { id, package: one }) => {
      const draft = drafts.need(archive.id, id)
      drafts.write(draft, { packages: draft.packages.filter((kept) => kept !== one) })
    },
    remove: (archive, { id }) => {
      drafts.need(archive.id, id)
      lists.removeOrderDraft(id, now().toISOString())
      changed(archive.id)
    },
    restore: (archive, { id }) => {
      if (lists.orderDraft(id)?.archive !== archive.id) throw new Failed({ kind: 'not-found', what: id })
      lists.removeOrderDraft(id, null)
      changed(archive.id)
    },
  }
}

/** Asking for packages by a list of names that somebody sent. */
const pasting = (parts: Parts, drafts: Drafts): Pick<Calls, 'paste'> => ({
  paste: async ({ id: archive }, { id, text }) => {
    const asking = await parts.ask('asking', archive)
    const found: PastedLine[] = []
    const added = new Set(drafts.need(archive, id).packages)
    const meant: Meant[] = []
    for (const line of partsOf(text, /\r?\n/).slice(0, mostLines))
      meant.push(...(await meantBy(parts, archive, line)))
    for (const { text: written, ids } of meant) {
      const [only] = ids
      const shown = ids.map((one) => ({ id: one, label: labelOf(parts, archive, one) }))
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
      found.push({ text: written, outcome, packages: shown, order: elsewhere?.name ?? '' })
    }
    // Somebody may have typed meanwhile.
    const draft = drafts.need(archive, id)
    drafts.write(draft, { packages: [...new Set([...draft.packages, ...added])] })
    return found
  },
})

/** Placing an order: from then on it is a record that is sent to the archive, exactly once. */
const placing = (parts: Parts, drafts: Drafts): Pick<Calls, 'place'> => {
  const { capabilitiesOf, whenAsked, cacheOf, creations, store, now, changed } = parts
  const { lists } = store
  return {
    place: async ({ id: archive, dialect }, { id, type }) => {
      // What an order has to say there is unknown while the archive is asked for the first time.
      if ((capabilitiesOf(archive)?.asked ?? null) === null) await whenAsked(archive)
      const draft = drafts.need(archive, id)
      const missing = [
        ...(isNamed(draft) ? [] : (['name'] as const)),
        ...(draft.packages.length === 0 ? (['packages'] as const) : []),
      ]
      if (missing.length > 0) throw new Failed({ kind: 'not-ready', missing })
      const formOf = ({ name, content, packages }: OrderWording) =>
        dialect().orders.form(
          {
            name: name.trim(),
            content,
            packages: packages.map((one) => ({
              id: one,
              name:
                `${labelOf(parts, draft.archive, one)} – ` +
                `${cacheOf(draft.archive).packages.facts(one)?.identifier ?? ''}`,
            })),
            ...(type === undefined ? {} : { type }),
          },
          capabilitiesOf(draft.archive),
        )
      const { fields, values } = formOf(draft)
      const form = { archive: draft.archive, list: 'orders', fields, values } as const
      const made = await creations.add(form, {
        wasRestored: draft.wasRestored === true,
        isMaybeSent: store.maybeSent.has(draft.id),
        former: (draft.former ?? []).map(formOf),
        // Placed in one step: a draft that were still there after a crash would be ordered again.
        alongside: (creation) => lists.keepOrderDraft({ ...draft, placed: creation.id }),
      })
      changed(draft.archive)
      if (made.state === 'refused' && made.failure) {
        store.transaction(() => {
          creations.remove(made.id, now().toISOString())
          drafts.keep(draft)
        })
        throw new Failed(made.failure)
      }
      const placed = made.remote ?? made.id
      lists.renameItem(draft.archive, id, placed)
      return { id: placed }
    },
  }
}

/** What becomes of an order at the desk of the reading room: shown, and fetched. */
const serving = (parts: Parts): Pick<Calls, 'list' | 'one' | 'setState'> => {
  const { store, ask, now, refresh, changed } = parts
  const { lists, journal } = store
  const need = async (archive: string, id: string) => {
    const found = await ask('bookedOrder', archive, id)
    if (!found) throw new Failed({ kind: 'not-found', what: id })
    return found
  }
  return {
    list: ({ id: archive }) => {
      background(refresh(archive, 'orders'), toProcess)
      return ask('orders', archive)
    },
    one: async ({ id: archive }, { id }) => {
      const page = await ask('order', archive, id)
      if (!page) throw new Failed({ kind: 'not-found', what: id })
      return page
    },
    setState: async ({ id: archive }, { id, package: one, state }) => {
      const order = await need(archive, id)
      store.transaction(() => {
        for (const each of one === null ? order.packages : [one])
          lists.keepDeskState(archive, order.id, each, state, now().toISOString())
        journal.write({
          archive,
          act: acts[state],
          name: one === null ? order.name : `${order.name}: ${labelOf(parts, archive, one)}`,
          place: `orders/${encodeURIComponent(order.id)}`,
          detail: one ?? '',
        })
      })
      changed(archive)
    },
  }
}

/**
 * Orders of packages: written at the desk, placed in the archive, followed while packages are fetched and
 * shown.
 */
export const orders = (parts: Parts): Calls => {
  const drafts = openDrafts(parts)
  return {
    ...serving(parts),
    ...writing(parts, drafts),
    ...pasting(parts, drafts),
    ...placing(parts, drafts),
  }
}
