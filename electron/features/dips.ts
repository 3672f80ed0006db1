import type { Archive } from '../archives/archive.ts'
import type { Fulfils } from '../contract/define.ts'
import type { dips as promised } from '../contract/dips.ts'
import { Failed } from '../contract/failure.ts'
import type { Disseminations } from '../jobs/kinds/dissemination/disseminations.ts'
import type { Ask } from '../questions/questions.ts'
import type { CacheOf } from '../store/cache/caches.ts'
import { heldAgreements } from '../store/lists/held-agreements.ts'

interface Parts {
  cacheOf: CacheOf
  ask: Ask
  disseminations: Disseminations
}

/** Dissemination packages for the orders of an archive that can make them. */
export const dips = ({ cacheOf, ask, disseminations }: Parts): Fulfils<typeof promised, [Archive]> => {
  return {
    of: (archive, { order }) => disseminations.of(archive.id, order),
    unfinished: (archive) => disseminations.unfinished(archive.id),
    agreements: (archive) => heldAgreements(cacheOf(archive.id)),
    begin: async ({ id: archive }, { order, agreement }) => {
      const found = await ask('bookedOrder', archive, order)
      if (found?.kind !== 'archive') throw new Failed({ kind: 'not-found', what: order })
      const known = disseminations.of(archive, order)
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
      return disseminations.begin(archive, { order, label: found.name, agreement, items })
    },
    goOn: (_archive, { id }) => disseminations.goOn(id),
    stop: (_archive, { id }) => void disseminations.stop(id),
    forget: (_archive, { id }) => disseminations.forget(id),
  }
}
