import type { Archive } from '../archives/archive.ts'
import type { Fulfils } from '../contract/define.ts'
import { Failed } from '../contract/failure.ts'
import type { storage as promised } from '../contract/storage.ts'
import type { StorageMedium } from '../dialects/models.ts'
import type { Ask } from '../questions/questions.ts'
import type { CacheOf } from '../store/cache/caches.ts'
import { mediumOf } from '../store/lists/storage-overview.ts'

interface Parts {
  cacheOf: CacheOf
  ask: Ask
}

/** Where copies lie, and which of them are at risk. */
export const storage = ({ cacheOf, ask }: Parts): Fulfils<typeof promised, [Archive]> => ({
  overview: (archive) => ask('storage', archive.id),
  risky: (archive, which) => ask('risky', archive.id, which),
  medium: async ({ id: archive }, { id }) => {
    const cache = cacheOf(archive)
    const found = cache.one<StorageMedium>('media', id)
    if (!found) throw new Failed({ kind: 'not-found', what: id })
    const [all, copies] = await Promise.all([ask('copiesOfMedia', archive), ask('onMedium', archive, id)])
    return {
      medium: mediumOf(cache, found.model, all.get(id) ?? 0),
      copies,
      raw: JSON.stringify(cache.raw('media', id), null, 2),
      asOf: cache.asOf('media'),
    }
  },
})
