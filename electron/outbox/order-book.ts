import { idOf } from '../archive-client/records.ts'
import { contentIn, readOrder } from '../archive-client/orders.ts'
import type { StorageMedium, StorageObject, StorageTarget } from '../archive-client/storage.ts'
import type { DeskState, OrderItem, OrderKind, OrderPage, OrderRow } from '../contract/orders.ts'
import type { Failure } from '../contract/failure.ts'
import type { Cache } from '../store/cache.ts'
import type { CacheOf } from '../store/caches.ts'
import type { DeskStore } from '../store/desk.ts'
import { planWalk, type Lying } from './walk.ts'

/** An order wherever it is: put together here, on its way, or in the archive. */
export interface BookedOrder {
  id: string
  kind: OrderKind
  name: string
  content: string
  responsible: string
  made: string | null
  packages: string[]
  failure: Failure | null
}

const list = 'orders'
/** The status of a medium that can no longer be read (ESSArch: FAIL). */
const failed = 100

/** The orders of an archive with those of this desk that are not there yet, and where each ordered package is. */
export const openOrderBook = ({ store, cacheOf }: { store: DeskStore; cacheOf: CacheOf }) => {
  const { lists } = store

  const there = (archive: string, id: string): BookedOrder | undefined => {
    const raw = cacheOf(archive).raw(`description/${list}`, id)
    return raw === undefined ? undefined : { ...readOrder(raw), kind: 'archive', failure: null }
  }
  const all = (archive: string): BookedOrder[] => {
    const held = cacheOf(archive)
      .ids(`description/${list}`)
      .map((id) => there(archive, id))
      .filter((it) => it !== undefined)
    const known = new Set(held.map(({ id }) => id))
    const queued = store
      .creations(archive)
      .filter(
        (it) =>
          it.list === list && (it.state !== 'delivered' || (it.remote !== null && !known.has(it.remote))),
      )
      .map((it): BookedOrder => {
        const { name, information_packages, order_content } = it.values
        const ids = Array.isArray(information_packages)
          ? information_packages.filter((id) => typeof id === 'string')
          : []
        return {
          id: it.id,
          kind: 'queued',
          name: typeof name === 'string' ? name : it.title,
          content: contentIn(typeof order_content === 'string' ? order_content : '').content,
          responsible: '',
          made: it.made,
          packages: ids,
          failure: it.failure,
        }
      })
    const drafts = lists
      .orderDrafts(archive)
      .filter(({ placed }) => placed === null)
      .map((it): BookedOrder => ({
        id: it.id,
        name: it.name,
        content: it.content,
        made: it.made,
        packages: it.packages,
        kind: 'draft',
        responsible: '',
        failure: null,
      }))
    return [...drafts, ...queued, ...held]
  }

  const stateIn = (
    states: ReturnType<typeof lists.deskStates>,
    id: string,
  ): { state: DeskState; at: string | null } => states.get(id) ?? { state: 'asked', at: null }
  const isOpenIn = (archive: string, order: BookedOrder) => {
    const states = lists.deskStates(archive, order.id)
    return order.packages.some((id) => stateIn(states, id).state !== 'returned')
  }

  const toRow = (archive: string, order: BookedOrder): OrderRow => {
    const states = lists.deskStates(archive, order.id)
    const counts: Record<DeskState, number> = { asked: 0, fetching: 0, desk: 0, returned: 0 }
    for (const id of order.packages) counts[stateIn(states, id).state] += 1
    const { id, kind, name, made, packages: ids, failure } = order
    return {
      id,
      kind,
      name,
      made,
      packages: ids.length,
      states: counts,
      isOpen: ids.length === 0 || counts.returned < ids.length,
      failure,
    }
  }

  /** Copies that could be fetched: on a target that is in use, on a medium that can be read. */
  const copiesOf = (cache: Cache, id: string): Lying[] =>
    cache.where<StorageObject>('objects', 'package', id).flatMap((copy) => {
      const medium = copy.medium === null ? undefined : cache.one<StorageMedium>('media', copy.medium)?.model
      const target = medium?.target ? cache.one<StorageTarget>('targets', medium.target)?.model : undefined
      if (medium?.statusCode === failed || target?.isEnabled === false) return []
      const status = [medium?.locationStatus ?? '', medium?.status ?? ''].filter(Boolean).join(' · ')
      return [
        {
          medium: {
            id: medium?.id ?? copy.mediumId,
            name: medium?.name ?? copy.mediumId,
            target: target?.name ?? copy.targetName,
            status,
          },
          room: medium?.location ?? '',
          path: copy.path,
        },
      ]
    })

  /** Open orders that ask for a package, by the package; drafts among them. */
  const asking = (archive: string, orders = all(archive)) => {
    const found = new Map<string, { id: string; name: string }[]>()
    for (const order of orders.filter((it) => isOpenIn(archive, it))) {
      const states = lists.deskStates(archive, order.id)
      for (const id of order.packages)
        if (stateIn(states, id).state !== 'returned')
          found.set(id, [...(found.get(id) ?? []), { id: order.id, name: order.name }])
    }
    return found
  }

  const page = (archive: string, order: BookedOrder): OrderPage => {
    const states = lists.deskStates(archive, order.id)
    const others = asking(archive)
    const cache = cacheOf(archive)
    const items = [...new Set(order.packages)].map((id): OrderItem => {
      const facts = cache.packages.facts(id)
      const { state, at } = stateIn(states, id)
      return {
        id,
        label: facts?.label || facts?.identifier || id,
        identifier: facts?.identifier || id,
        generation: facts?.generation ?? null,
        bytes: facts?.bytes ?? null,
        isKnown: facts !== undefined,
        path: '',
        others: 0,
        state,
        since: at,
        alsoIn: (others.get(id) ?? []).filter((it) => it.id !== order.id),
      }
    })
    const { states: _, ...row } = toRow(archive, order)
    const raw =
      order.kind === 'archive' ? JSON.stringify(cache.raw(`description/${list}`, order.id), null, 2) : ''
    return {
      ...row,
      content: order.content,
      responsible: order.responsible,
      ...planWalk(items, (id) => copiesOf(cache, id)),
      raw,
      asOf: cache.asOf(`description/${list}`),
    }
  }

  return {
    all,
    toRow,
    page,
    asking,
    one: (archive: string, id: string): BookedOrder | undefined => {
      const found = there(archive, id) ?? all(archive).find((it) => it.id === id)
      if (found) return found
      // What was on its way when its page was opened is in the archive now.
      const remote =
        store.creation(id)?.remote ??
        (lists.orderDraft(id)?.placed
          ? store.creation(lists.orderDraft(id)?.placed ?? '')?.remote
          : undefined)
      return all(archive).find((it) => it.id === idOf(remote) || it.id === lists.orderDraft(id)?.placed)
    },
    /** The package that is fetched where an AIC is asked for: its newest generation. */
    fetched: (archive: string, id: string): string | undefined => {
      const { packages } = cacheOf(archive)
      const facts = packages.facts(id)
      if (!facts) return undefined
      return facts.type === 'AIC' ? (packages.generations(id).at(-1) ?? id) : id
    },
  }
}

export type OrderBook = ReturnType<typeof openOrderBook>
