import type { Dialect, OrdersPart } from '../dialects/dialect.ts'
import type { Failure } from '../contract/failure.ts'
import type { OrderKind } from '../contract/orders.ts'
import type { Cache } from '../store/cache/cache.ts'
import type { DeskLists, OrderDraft } from '../store/desk/desk-lists.ts'
import type { DeskStore, KeptCreation } from '../store/desk/desk-store.ts'
import type { FullScans } from '../store/cache/full-scans.ts'

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

/** The list of the archive's orders, and by what its records are held. */
export const orderList = 'orders'
export const heldOrders = `description/${orderList}`

const ofDraft = ({ id, name, content, made, packages }: OrderDraft): BookedOrder => ({
  id,
  name,
  content,
  made,
  packages,
  kind: 'draft',
  responsible: '',
  failure: null,
})

const ofCreation = (
  { id, title, made, failure, values }: KeptCreation,
  { ofForm }: OrdersPart,
): BookedOrder => {
  const { name, content, packages } = ofForm(values)
  return {
    id,
    kind: 'queued',
    name: name ?? title,
    content,
    responsible: '',
    made,
    packages,
    failure,
  }
}

export interface BookParts {
  archive: string
  /** What this desk keeps of orders. */
  store: {
    lists: Pick<DeskLists, 'orderDrafts' | 'orderDraft' | 'deskStates'>
    creationsOf: DeskStore['creationsOf']
    creationOf: DeskStore['creationOf']
    creationOrRemoved: DeskStore['creationOrRemoved']
    dipsOf: DeskStore['dipsOf']
  }
  cache: Cache
  scans: Pick<FullScans, 'ids'>
  dialect: Pick<Dialect, 'orders'>
}

const mostQueued = 5_000
/** A list that was complete so long after an order was sent began to be read after that. */
const longestReadingMs = 600_000

/** Collects the orders of an archive with those of this desk that are not there yet. */
export const openBooked = ({ archive, store, cache, scans, dialect: { orders } }: BookParts) => {
  const { lists } = store
  /** When an order of the archive was placed here; null where that was done elsewhere. */
  const placedHere = (id: string): string | null => {
    const creation = store.creationOf(archive, orderList, id)
    return (creation === undefined ? undefined : store.creationOrRemoved(creation)?.made) ?? null
  }
  /** Tells the dissemination packages that were made for an order from what it asks for. */
  const openIsDip = (order: string) => {
    let made: Set<string> | undefined
    return (id: string): boolean => {
      const facts = cache.packages.facts(id)
      if (facts) return facts.type === 'DIP'
      // The archive's list of packages shows one some time after it is among those of its order.
      made ??= new Set(store.dipsOf(archive, order))
      return made.has(id)
    }
  }
  const inArchive = (id: string): BookedOrder | undefined => {
    const raw = cache.raw(heldOrders, id)
    if (raw === undefined) return undefined
    const read = orders.read(raw)
    const isDip = openIsDip(id)
    const packages = read.packages.filter((of) => !isDip(of))
    // Not every archive says when its orders were made; of those of this desk that is known.
    return { ...read, made: read.made ?? placedHere(id), packages, kind: 'archive', failure: null }
  }
  /** Those that are being written here, and those on their way to the archive. */
  const local = (): BookedOrder[] => {
    const readMs = Date.parse(cache.asOf(heldOrders) ?? '')
    /** What the archive has, and its list did not show yet; what it shows no more was cancelled there. */
    const isNew = ({ remote, triedAt, made }: KeptCreation) =>
      remote !== null && !inArchive(remote) && !(readMs > Date.parse(triedAt ?? made) + longestReadingMs)
    const queued = store
      .creationsOf(archive, orderList, mostQueued)
      .filter((creation) => creation.state !== 'delivered' || isNew(creation))
    const drafts = lists.orderDrafts(archive).filter(({ placed }) => placed === null)
    return [...drafts.map(ofDraft), ...queued.map((creation) => ofCreation(creation, orders))]
  }
  return {
    local,
    all: (): BookedOrder[] => [...local(), ...scans.ids(heldOrders).flatMap((id) => inArchive(id) ?? [])],
    /** One by its id; one that was on its way when its page was opened may be in the archive now. */
    one: (id: string): BookedOrder | undefined => {
      const found = inArchive(id) ?? local().find((order) => order.id === id)
      if (found) return found
      const placed = lists.orderDraft(id)?.placed
      const remoteOf = (creation: string) => store.creationOrRemoved(creation)?.remote
      const remote = remoteOf(id) ?? (placed ? remoteOf(placed) : undefined)
      return (remote ? inArchive(remote) : undefined) ?? local().find((order) => order.id === placed)
    },
  }
}
