import type { StorageMedium, StorageObject, StorageTarget } from '../dialects/models.ts'
import type { Cache } from '../store/cache/cache.ts'
import type { RetrievableCopy } from './retrieval-plan.ts'

/** Copies of a package that could be fetched: on a target that is in use, on a medium that can be read. */
export const copiesOf = (cache: Cache, id: string): RetrievableCopy[] =>
  cache.where<StorageObject>('objects', 'package', id).flatMap((copy) => {
    const medium = copy.medium === null ? undefined : cache.one<StorageMedium>('media', copy.medium)?.model
    const target = medium?.target ? cache.one<StorageTarget>('targets', medium.target)?.model : undefined
    if (medium?.use === 'failed' || target?.isEnabled === false) return []
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
        isOnDisk: target?.type.toLowerCase() === 'disk',
      },
    ]
  })
