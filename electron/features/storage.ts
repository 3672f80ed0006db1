import type { StorageMedium, StorageObject, StorageTarget } from '../archive-client/storage.ts'
import type { Fulfils } from '../contract/define.ts'
import { Failed } from '../contract/failure.ts'
import type { Package } from '../contract/packages.ts'
import type { Medium, storage as promised } from '../contract/storage.ts'
import type { Session } from '../session/session.ts'
import type { Cache } from '../store/cache.ts'

export const storage = ({ session, cache }: { session: Session; cache: Cache }): Fulfils<typeof promised> => {
  const here = () => session.account().archive

  const mediumOf = (archive: string, it: StorageMedium): Medium => {
    const target = it.target === null ? undefined : cache.one<StorageTarget>(archive, 'targets', it.target)?.model
    return {
      ...it,
      target: target ? { id: target.id, name: target.name, path: target.path, isEnabled: target.isEnabled } : null,
      capacityBytes: target?.capacityBytes ?? null,
      copies: cache.where<StorageObject>(archive, 'objects', 'medium', it.id).length,
    }
  }

  return {
    overview: () => {
      const archive = here()
      return {
        media: cache.all<StorageMedium>(archive, 'media').map((it) => mediumOf(archive, it)),
        policies: cache.count(archive, 'policies'),
        methods: cache.count(archive, 'methods'),
        targets: cache.count(archive, 'targets'),
        copies: cache.count(archive, 'objects'),
        asOf: cache.asOf(archive),
      }
    },
    medium: ({ id }) => {
      const archive = here()
      const found = cache.one<StorageMedium>(archive, 'media', id)
      if (!found) throw new Failed({ kind: 'not-found', what: id })
      const copies = cache.where<StorageObject>(archive, 'objects', 'medium', id).map((object) => {
        const it = cache.one<Package>(archive, 'packages', object.package)?.model
        return {
          ...{ id: object.id, package: object.package, path: object.path, written: object.written },
          ...{ label: it?.label ?? object.package, generation: it?.generation ?? null, bytes: it?.bytes ?? null },
        }
      })
      return { medium: mediumOf(archive, found.model), copies, raw: found.raw, asOf: cache.asOf(archive) }
    },
  }
}
