import type { Archive } from '../archives/archive.ts'
import type { Fulfils } from '../contract/define.ts'
import type { dips as promised } from '../contract/dips.ts'
import { Failed } from '../contract/failure.ts'
import type { Disseminations } from '../outbox/disseminations.ts'
import type { OrderBook } from '../outbox/order-book.ts'
import type { CacheOf } from '../store/caches.ts'

interface Parts {
  cacheOf: CacheOf
  book: OrderBook
  work: Disseminations
}

/** Dissemination packages for the orders of an archive that can make them. */
export const dips = ({ cacheOf, book, work }: Parts): Fulfils<typeof promised, [Archive]> => {
  return {
    of: (archive, { order }) => work.of(archive.id, order),
    open: (archive) => work.open(archive.id),
    agreements: (archive) =>
      cacheOf(archive.id)
        .all<{ id: string; name: string }>('agreements')
        .map(({ id, name }) => ({ id, name })),
    begin: ({ id: archive }, { order, agreement }) => {
      const found = book.one(archive, order)
      if (found?.kind !== 'archive') throw new Failed({ kind: 'not-found', what: order })
      const known = work.of(archive, order)
      if (known && known.state !== 'done') throw new Failed({ kind: 'conflict', detail: known.state })
      const { packages } = cacheOf(archive)
      // What is a DIP already needs nobody to fetch it.
      const items = found.packages.flatMap((id) => {
        const facts = packages.facts(id)
        return facts && facts.type !== 'DIP'
          ? [{ package: id, label: facts.label, identifier: facts.identifier }]
          : []
      })
      if (items.length === 0) throw new Failed({ kind: 'not-ready', missing: ['packages'] })
      return work.begin(archive, { order, label: found.name, agreement, items })
    },
    goOn: (_archive, { id }) => work.goOn(id),
    stop: (_archive, { id }) => void work.stop(id),
  }
}
