import type {
  StorageMedium,
  StorageMethod,
  StorageObject,
  StoragePolicy,
  StorageRelation,
  StorageTarget,
} from '../archive-client/storage.ts'
import type { Fulfils } from '../contract/define.ts'
import { Failed } from '../contract/failure.ts'
import type { Medium, StorageChain, storage as promised } from '../contract/storage.ts'
import type { Ask } from '../questions/questions.ts'
import type { Session } from '../session/session.ts'
import type { Cache } from '../store/cache.ts'
import type { Packages } from '../store/package-rows.ts'

export const storage = ({
  session,
  cache,
  packages,
  ask,
}: {
  session: Session
  cache: Cache
  packages: Packages
  ask: Ask
}): Fulfils<typeof promised> => {
  const here = () => session.account().archive

  const mediumOf = (archive: string, it: StorageMedium): Medium => {
    const target =
      it.target === null ? undefined : cache.one<StorageTarget>(archive, 'targets', it.target)?.model
    return {
      ...it,
      target: target
        ? { id: target.id, name: target.name, path: target.path, isEnabled: target.isEnabled }
        : null,
      capacityBytes: target?.capacityBytes ?? null,
      copies: cache.where<StorageObject>(archive, 'objects', 'medium', it.id).length,
    }
  }

  const chainOf = (archive: string, media: Medium[]): StorageChain => ({
    policies: cache.all<StoragePolicy>(archive, 'policies').map(({ id, name, isActive, methods }) => ({
      id,
      name,
      isActive,
      methods: methods.map((it) => it.id),
    })),
    methods: cache.all<StorageMethod>(archive, 'methods'),
    relations: cache.all<StorageRelation>(archive, 'relations'),
    targets: cache.all<StorageTarget>(archive, 'targets').map((it) => ({
      ...it,
      usedBytes: media
        .filter(({ target }) => target?.id === it.id)
        .reduce((sum, { usedBytes }) => sum + usedBytes, 0),
    })),
  })

  return {
    overview: async () => {
      const archive = here()
      const media = cache.all<StorageMedium>(archive, 'media').map((it) => mediumOf(archive, it))
      return {
        media,
        chain: chainOf(archive, media),
        ...(await ask('holdings', archive)),
        copies: cache.count(archive, 'objects'),
        asOf: cache.asOf(archive, 'media'),
      }
    },
    risky: (which) => ask('risky', here(), which),
    medium: ({ id }) => {
      const archive = here()
      const found = cache.one<StorageMedium>(archive, 'media', id)
      if (!found) throw new Failed({ kind: 'not-found', what: id })
      const copies = cache.where<StorageObject>(archive, 'objects', 'medium', id).map((object) => {
        const it = packages.facts(archive, object.package)
        return {
          ...{ id: object.id, package: object.package, path: object.path, written: object.written },
          ...{
            label: it?.label ?? object.package,
            generation: it?.generation ?? null,
            bytes: it?.bytes ?? null,
          },
        }
      })
      return {
        medium: mediumOf(archive, found.model),
        copies,
        raw: found.raw,
        asOf: cache.asOf(archive, 'media'),
      }
    },
  }
}
