import type { Archive } from '../archives/archive.ts'
import { needed } from '../dialects/dialect.ts'
import type { Fulfils } from '../contract/define.ts'
import type { search as promised } from '../contract/search.ts'
import type { CacheOf } from '../store/cache/caches.ts'

/** A search of the archive's own index; which generation a file is in, what is held says. */
export const search = ({ cacheOf }: { cacheOf: CacheOf }): Fulfils<typeof promised, [Archive]> => ({
  ask: async (archive, filters) => {
    const found = await needed(archive.dialect().search)(archive.client(), filters)
    const { packages } = cacheOf(archive.id)
    const generationOf = (id: string) => packages.facts(id)?.generation ?? null
    const hits = found.hits.map((hit) => ({
      ...hit,
      generation: hit.file === null ? null : generationOf(hit.file.package),
    }))
    return { ...found, hits }
  },
})
