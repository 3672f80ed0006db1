import type { Archive } from '../archives/archive.ts'
import { takesPackages, type Capabilities } from '../contract/capabilities.ts'
import type { Fulfils } from '../contract/define.ts'
import { Failed } from '../contract/failure.ts'
import type { Copy, packages as promised, PremisEvent } from '../contract/packages.ts'
import { nearlyFull } from '../contract/storage.ts'
import type { Ask } from '../questions/questions.ts'
import type { Cache } from '../store/cache/cache.ts'
import type { CacheOf } from '../store/cache/caches.ts'
import type { DeskStore } from '../store/desk/desk-store.ts'
import { ofEvent, timeLineOf } from '../store/lists/time-line.ts'
import type { StorageMedium, StorageObject, StoragePolicy, StorageTarget } from '../dialects/models.ts'

interface Parts {
  /** What an archive can do, where it was asked. */
  capabilitiesOf: (archive: string) => Capabilities | null
  cacheOf: CacheOf
  store: DeskStore
  ask: Ask
  /** A person looked at a package: it counts as changed once it changes after that. */
  markSeen: (archive: string, subject: 'packages', id: string) => void
}

type Calls = Fulfils<typeof promised, [Archive]>

const copyOf = (cache: Cache, object: StorageObject): Copy => {
  const medium = object.medium === null ? undefined : cache.one<StorageMedium>('media', object.medium)?.model
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
    // A medium that is full by its own word is as it should be; one that is still written to will soon take
    // no more.
    isNearlyFull: medium?.use === 'written' && (fullness ?? 0) >= nearlyFull,
    isLost: medium?.use === 'failed',
  }
}

/** What an archive that can be reached says of a package now, beside what is held. */
const askNow = async (
  { capabilitiesOf, cacheOf }: Parts,
  { id: archive, client: clientOf, dialect }: Archive,
  id: string,
): Promise<Awaited<ReturnType<Calls['now']>>> => {
  const can = capabilitiesOf(archive)?.packages
  const client = clientOf()
  const { work } = dialect()
  const [steps, { events, copies }] = await Promise.all([
    can?.steps && work ? work.steps(client, id) : [],
    can && work ? work.eventsAndCopies(client, id, can) : { events: null, copies: null },
  ])
  const held = new Set(
    cacheOf(archive)
      .where<PremisEvent>('events', 'package', id)
      .map((event) => event.id),
  )
  return {
    steps,
    later: (events ?? []).filter((event) => !held.has(event.id)).map(ofEvent),
    copies,
  }
}

/** Everything that is held of a package, with its generations and copies. */
const pageOf = async (
  { capabilitiesOf, cacheOf, store, markSeen, ask }: Parts,
  { id: archive, dialect }: Archive,
  id: string,
): Promise<Awaited<ReturnType<Calls['one']>>> => {
  const cache = cacheOf(archive)
  const held = cache.packages
  const { readPackage, isPreserved } = dialect()
  markSeen(archive, 'packages', id)
  const read = held.whole(id, readPackage)
  if (!read) throw new Failed({ kind: 'not-found', what: id })
  if (read.aic !== null && read.isLast) markSeen(archive, 'packages', read.aic)
  const aicId = read.aic ?? read.id
  const aic = held.facts(aicId)
  const generations = held
    .generations(aicId)
    .flatMap((generation) => held.whole(generation, readPackage) ?? [])
  const current = read.type === 'AIC' ? (generations.at(-1)?.id ?? read.id) : read.id
  // What holds all generations has no policy itself where only they have one (ESSArch).
  const policyId = held.facts(id)?.policy ?? read.policy ?? held.facts(current)?.policy ?? null
  const policy = policyId === null ? undefined : cache.one<StoragePolicy>('policies', policyId)?.model
  const agreement =
    read.agreement === null ? undefined : cache.one<{ name: string }>('agreements', read.agreement)?.model
  return {
    package: read,
    aic: aic ? { id: aic.id, label: aic.label } : null,
    generations: generations.map(({ id: generationId, created, entered, bytes, items, isLast }) => ({
      id: generationId,
      created: entered ?? created,
      bytes,
      items,
      isLast,
    })),
    opensGenerations: takesPackages(capabilitiesOf(archive)),
    copies: cache.where<StorageObject>('objects', 'package', current).map((object) => copyOf(cache, object)),
    wanted: policy ? policy.methods.filter(({ isEnabled }) => isEnabled).length : null,
    isPreserved: isPreserved(held.facts(current) ?? { archived: read.archived === true, state: read.state }),
    policyName: policy?.name ?? null,
    informationClass: policy?.informationClass ?? null,
    agreementName: agreement?.name ?? null,
    timeLine: timeLineOf(
      { cache, store },
      archive,
      current,
      await ask('toldOf', archive, current, { identifier: read.identifier }),
    ),
    raw: JSON.stringify(cache.raw('packages', id), null, 2),
    asOf: cache.asOf('packages'),
  }
}

/** Packages: the list, and a package with what is held of it and what the archive says now. */
export const packages = (parts: Parts): Calls => ({
  list: (archive, which) => parts.ask('packages', archive.id, which),
  beginning: async (archive, which) => ({ line: await parts.ask('packageBeginning', archive.id, which) }),
  line: (archive, which) => parts.ask('packageLine', archive.id, which),
  facet: (archive, which) => parts.ask('packageFacet', archive.id, which),
  uniform: (archive, which) => parts.ask('packageUniform', archive.id, which),
  chosen: (archive, which) => parts.ask('chosenPackages', archive.id, which),
  now: (archive, { id }) => askNow(parts, archive, id),
  one: (archive, { id }) => pageOf(parts, archive, id),
})
