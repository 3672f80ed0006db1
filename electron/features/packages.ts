import type { Archive } from '../archives/archive.ts'
import type { StorageMedium, StorageObject, StoragePolicy, StorageTarget } from '../archive-client/storage.ts'
import { readBeside, readWork } from '../archive-client/work.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import type { Fulfils } from '../contract/define.ts'
import { Failed } from '../contract/failure.ts'
import type { Copy, packages as promised, PremisEvent } from '../contract/packages.ts'
import type { Ask } from '../questions/questions.ts'
import type { Cache } from '../store/cache.ts'
import type { CacheOf } from '../store/caches.ts'
import type { DeskStore } from '../store/desk.ts'
import { nearlyFull } from '../store/holdings.ts'
import { ofEvent, timeLineOf } from '../store/time-line.ts'

interface Parts {
  /** What an archive can do, where it was asked. */
  able: (archive: string) => Capabilities | null
  cacheOf: CacheOf
  desk: DeskStore
  ask: Ask
  /** A person looked at a package: it no longer counts as changed. */
  look: (archive: string, subject: 'packages', id: string) => void
}

export const packages = ({ able, cacheOf, desk, ask, look }: Parts): Fulfils<typeof promised, [Archive]> => {
  const copyOf = (cache: Cache, object: StorageObject): Copy => {
    const medium =
      object.medium === null ? undefined : cache.one<StorageMedium>('media', object.medium)?.model
    const target = medium?.target ? cache.one<StorageTarget>('targets', medium.target)?.model : undefined
    const capacity = target?.capacityBytes ?? null
    const fullness = medium && capacity !== null ? medium.usedBytes / capacity : null
    return {
      id: object.id,
      mediumId: object.mediumId,
      medium: medium?.id ?? null,
      path: object.path,
      container: object.container,
      location: medium?.location ?? '',
      locationStatus: medium?.locationStatus ?? '',
      status: medium?.status ?? '',
      targetName: object.targetName,
      targetPath: object.targetPath,
      written: object.written,
      fullness,
      // A medium that is full by its own word is as it should be; one that is still written to will soon take no more.
      isNearlyFull: medium?.statusCode === 20 && (fullness ?? 0) >= nearlyFull,
    }
  }

  return {
    list: async ({ id: archive }, which) => {
      const listed = await ask('packages', archive, which)
      // Whoever sees the top of a list jumps in it next.
      if (which.offset === 0 && listed.lines > listed.rows.length)
        void ask('packageOrder', archive, which).catch(() => undefined)
      return listed
    },
    beginning: async (archive, which) => ({ line: await ask('packageBeginning', archive.id, which) }),
    now: async ({ id: archive, reach }, { id }) => {
      const can = able(archive)?.packages
      const there = reach()
      const [steps, beside] = await Promise.all([
        can?.steps ? readWork(there, id) : [],
        can ? readBeside(there, id, can) : { events: null, copies: null },
      ])
      const held = new Set(
        cacheOf(archive)
          .where<PremisEvent>('events', 'package', id)
          .map((it) => it.id),
      )
      return {
        steps,
        later: (beside.events ?? []).filter((it) => !held.has(it.id)).map(ofEvent),
        copies: beside.copies,
      }
    },
    one: ({ id: archive }, { id }) => {
      const cache = cacheOf(archive)
      const held = cache.packages
      const it = held.whole(id)
      if (!it) throw new Failed({ kind: 'not-found', what: id })
      for (const looked of [id, ...(it.aic !== null && it.isLast ? [it.aic] : [])])
        look(archive, 'packages', looked)
      const aicId = it.aic ?? it.id
      const aic = held.facts(aicId)
      const generations = held.generations(aicId).flatMap((own) => held.whole(own) ?? [])
      const policyId = held.facts(id)?.policy ?? it.policy
      const policy = policyId === null ? undefined : cache.one<StoragePolicy>('policies', policyId)?.model
      const agreement =
        it.agreement === null ? undefined : cache.one<{ name: string }>('agreements', it.agreement)?.model
      const current = it.type === 'AIC' ? (generations.at(-1)?.id ?? it.id) : it.id
      return {
        package: it,
        aic: aic ? { id: aic.id, label: aic.label } : null,
        generations: generations.map(({ id: own, generation, created, entered, bytes, items, isLast }) => ({
          id: own,
          generation,
          created: entered ?? created,
          bytes,
          items,
          isLast,
        })),
        copies: cache
          .where<StorageObject>('objects', 'package', current)
          .map((object) => copyOf(cache, object)),
        wanted: policy ? policy.methods.filter(({ isEnabled }) => isEnabled).length : null,
        policyName: policy?.name ?? null,
        agreementName: agreement?.name ?? null,
        timeLine: timeLineOf({ cache, desk }, archive, it, current),
        raw: JSON.stringify(cache.raw('packages', id), null, 2),
        asOf: cache.asOf('packages'),
      }
    },
  }
}
