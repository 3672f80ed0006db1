import type { DeskState, OrderItem, OrderPage, OrderRow } from '../contract/orders.ts'
import { heldOrders, openBooked, orderList, type BookedOrder, type BookParts } from './booked.ts'
import { copiesOf } from './copies.ts'
import { planRetrieval } from './retrieval-plan.ts'
import type { Cache } from '../store/cache/cache.ts'

/** Where a package of an order is, and since when. */
type StateOf = (id: string) => { state: DeskState; at: string | null }

const rowOf = (
  { id, kind, name, made, packages, failure }: BookedOrder,
  stateOf: StateOf,
): Omit<OrderRow, 'bytes' | 'copies'> => {
  const counts: Record<DeskState, number> = { asked: 0, fetching: 0, desk: 0, returned: 0 }
  for (const packageId of packages) counts[stateOf(packageId).state] += 1
  return {
    id,
    kind,
    name,
    made,
    packages: packages.length,
    states: counts,
    isOpen: packages.length === 0 || counts.returned < packages.length,
    failure,
  }
}

/** How much is asked for; null where not all of it is held. */
const amountOf = (
  { packages: held }: Pick<Cache, 'packages'>,
  packages: string[],
): Pick<OrderRow, 'bytes' | 'copies'> => {
  const known = packages.flatMap((id) => held.amount(id) ?? [])
  if (known.length === 0 || known.length < packages.length) return { bytes: null, copies: null }
  return {
    bytes: known.reduce((sum, { bytes }) => sum + bytes, 0),
    copies: Math.min(...known.map(({ copies }) => copies)),
  }
}

/**
 * The orders of an archive with those of this desk that are not there yet, and where each ordered package is.
 */
export const openOrderBook = (parts: BookParts) => {
  const { archive, store, cache } = parts
  const { all, local, one } = openBooked(parts)
  /**
   * Where the packages of an order are, as this desk says, also while it was on its way to the archive;
   * nobody has done anything for those that it does not know.
   */
  const statesOf = (order: string): StateOf => {
    const onTheWay = store.creationOf(archive, orderList, order)
    const known = new Map([
      ...(onTheWay === undefined ? [] : store.lists.deskStates(archive, onTheWay)),
      ...store.lists.deskStates(archive, order),
    ])
    return (id) => known.get(id) ?? { state: 'asked', at: null }
  }

  /** Open orders that ask for a package, by the package; drafts among them. */
  const asking = () => {
    const found = new Map<string, { id: string; name: string }[]>()
    for (const { id: order, name, packages } of all()) {
      const stateOf = statesOf(order)
      for (const id of packages)
        if (stateOf(id).state !== 'returned') found.set(id, [...(found.get(id) ?? []), { id: order, name }])
    }
    return found
  }

  const page = (order: BookedOrder): OrderPage => {
    const stateOf = statesOf(order.id)
    const others = asking()
    const items = order.packages.map((id): OrderItem => {
      const facts = cache.packages.facts(id)
      const { state, at: since } = stateOf(id)
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
        since,
        alsoIn: (others.get(id) ?? []).filter((other) => other.id !== order.id),
      }
    })
    const { states: _, ...row } = rowOf(order, stateOf)
    const raw = order.kind === 'archive' ? JSON.stringify(cache.raw(heldOrders, order.id), null, 2) : ''
    return {
      ...row,
      content: order.content,
      responsible: order.responsible,
      ...planRetrieval(items, (id) => copiesOf(cache, id)),
      raw,
      asOf: cache.asOf(heldOrders),
    }
  }

  return {
    /** Those that nobody else has. */
    local,
    one,
    rows: (): OrderRow[] =>
      all().map((order) => ({ ...rowOf(order, statesOf(order.id)), ...amountOf(cache, order.packages) })),
    /** The page of one; undefined where there is none. */
    page: (id: string): OrderPage | undefined => {
      const order = one(id)
      return order && page(order)
    },
    asking,
  }
}

/**
 * The package that is fetched where an AIC is asked for: its newest generation; undefined where nothing is
 * held of it.
 */
export const fetchedFor = ({ packages }: Pick<Cache, 'packages'>, id: string): string | undefined => {
  const facts = packages.facts(id)
  if (!facts) return undefined
  return facts.type === 'AIC' ? (packages.generations(id).at(-1) ?? id) : id
}
