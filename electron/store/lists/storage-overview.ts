import type { Medium, StorageChain } from '../../contract/storage.ts'
import type {
  StorageMedium,
  StorageMethod,
  StoragePolicy,
  StorageRelation,
  StorageTarget,
} from '../../dialects/models.ts'
import type { Cache } from '../cache/cache.ts'
import type { FullScans } from '../cache/full-scans.ts'

/** A medium with its target, and how many copies lie on it. */
export const mediumOf = (cache: Pick<Cache, 'one'>, medium: StorageMedium, copies: number): Medium => {
  const target =
    medium.target === null ? undefined : cache.one<StorageTarget>('targets', medium.target)?.model
  return {
    ...medium,
    target: target
      ? { id: target.id, name: target.name, path: target.path, isEnabled: target.isEnabled }
      : null,
    capacityBytes: target?.capacityBytes ?? null,
    copies,
  }
}

/** Where copies lie: every medium, and the chain from policies to targets. */
export const storageOverview = (
  cache: Cache,
  scans: FullScans,
  copies: Map<string, number>,
): { media: Medium[]; chain: StorageChain } => {
  const media = scans
    .all<StorageMedium>('media')
    .map((medium) => mediumOf(cache, medium, copies.get(medium.id) ?? 0))
  const usedOf = new Map<string, number>()
  for (const { target, usedBytes } of media)
    if (target) usedOf.set(target.id, (usedOf.get(target.id) ?? 0) + usedBytes)
  return {
    media,
    chain: {
      policies: scans.all<StoragePolicy>('policies').map(({ id, name, isActive, methods }) => ({
        id,
        name,
        isActive,
        methods: methods.map((method) => method.id),
      })),
      methods: scans.all<StorageMethod>('methods'),
      relations: scans.all<StorageRelation>('relations'),
      targets: scans
        .all<StorageTarget>('targets')
        .map((target) => ({ ...target, usedBytes: usedOf.get(target.id) ?? 0 })),
    },
  }
}
