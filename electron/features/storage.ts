import type { Archive } from '../archives/archive.ts'
import type {
  StorageMedium,
  StorageMethod,
  StoragePolicy,
  StorageRelation,
  StorageTarget,
} from '../archive-client/storage.ts'
import type { Fulfils } from '../contract/define.ts'
import { Failed } from '../contract/failure.ts'
import type { Medium, StorageChain, storage as promised } from '../contract/storage.ts'
import type { Ask } from '../questions/questions.ts'
import type { Cache } from '../store/cache.ts'
import type { CacheOf } from '../store/caches.ts'

export const storage = ({
  cacheOf,
  ask,
}: {
  cacheOf: CacheOf
  ask: Ask
}): Fulfils<typeof promised, [Archive]> => {
  const mediumOf = (cache: Cache, it: StorageMedium, copies: Map<string, number>): Medium => {
    const target = it.target === null ? undefined : cache.one<StorageTarget>('targets', it.target)?.model
    return {
      ...it,
      target: target
        ? { id: target.id, name: target.name, path: target.path, isEnabled: target.isEnabled }
        : null,
      capacityBytes: target?.capacityBytes ?? null,
      copies: copies.get(it.id) ?? 0,
    }
  }

  const chainOf = (cache: Cache, media: Medium[]): StorageChain => ({
    policies: cache.all<StoragePolicy>('policies').map(({ id, name, isActive, methods }) => ({
      id,
      name,
      isActive,
      methods: methods.map((it) => it.id),
    })),
    methods: cache.all<StorageMethod>('methods'),
    relations: cache.all<StorageRelation>('relations'),
    targets: cache.all<StorageTarget>('targets').map((it) => ({
      ...it,
      usedBytes: media
        .filter(({ target }) => target?.id === it.id)
        .reduce((sum, { usedBytes }) => sum + usedBytes, 0),
    })),
  })

  return {
    overview: async ({ id: archive }) => {
      const [copies, { risks, growth }] = await Promise.all([
        ask('copiesOfMedia', archive),
        ask('holdings', archive),
      ])
      const cache = cacheOf(archive)
      const media = cache.all<StorageMedium>('media').map((it) => mediumOf(cache, it, copies))
      return {
        media,
        chain: chainOf(cache, media),
        risks,
        growth,
        copies: cache.count('objects'),
        asOf: cache.asOf('media'),
      }
    },
    risky: (archive, which) => ask('risky', archive.id, which),
    medium: async ({ id: archive }, { id }) => {
      const cache = cacheOf(archive)
      const found = cache.one<StorageMedium>('media', id)
      if (!found) throw new Failed({ kind: 'not-found', what: id })
      const [all, copies] = await Promise.all([ask('copiesOfMedia', archive), ask('onMedium', archive, id)])
      return {
        medium: mediumOf(cache, found.model, all),
        copies,
        raw: found.raw,
        asOf: cache.asOf('media'),
      }
    },
  }
}
