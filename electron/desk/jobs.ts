import { setTimeout as pass } from 'node:timers/promises'
import { background } from '../common/background.ts'
import type { Archive } from '../archives/archive.ts'
import { isUnreached, type Failure } from '../contract/failure.ts'
import type { Subject } from '../contract/subjects.ts'
import { openEngine, type Engine } from '../jobs/engine.ts'
import { openBatches } from '../jobs/kinds/batch/batches.ts'
import { openChecks } from '../jobs/kinds/check/checks.ts'
import { openCreations, type Creations } from '../jobs/kinds/creation/creations.ts'
import { openDisseminations } from '../jobs/kinds/dissemination/disseminations.ts'
import { openDownloads, type Downloads } from '../jobs/kinds/download/downloads.ts'
import { blankDraft } from '../jobs/kinds/transfer/draft.ts'
import { countSource } from '../jobs/kinds/transfer/sources.ts'
import { openTransfers, type Transfers } from '../jobs/kinds/transfer/transfers.ts'
import { judgeSavedFile } from '../reader/check-file.ts'
import type { KnownDigests } from '../reader/known-digests.ts'
import type { Registry } from './registry.ts'
import type { Events } from './events.ts'
import type { DeskData } from './desk-data.ts'
import type { Platform } from './platform.ts'

interface Parts {
  platform: Platform
  deskData: DeskData
  registry: Registry
  knownDigests: KnownDigests
  events: Events
}

/** What is fetched from archives. */
const openFetching = (engine: Engine, { platform, deskData, registry, knownDigests, events }: Parts) => {
  const { now, reportBug } = platform
  const { store } = deskData
  const downloads = openDownloads({
    engine,
    store,
    archive: registry.clientOf,
    now,
    reportBug,
    verdictOf: async (archive, { package: id, path, target, bytesDone: bytes }, signal) => {
      const preserved = await knownDigests.find(
        { archive, package: id, path },
        registry.clientOf(archive),
        signal,
      )
      return judgeSavedFile({ target, bytes, preserved, signal })
    },
    progress: (archive, download) => events.emit('download progressed', { archive, download }),
  })
  const disseminations = openDisseminations({
    engine,
    store,
    archive: registry.clientOf,
    now,
    reportBug,
    wait: async (ms, signal) => void (await pass(ms, undefined, { signal })),
    changed: (archive, dissemination) => events.emit('dissemination changed', { archive, dissemination }),
  })
  return { downloads, disseminations }
}

/** What is checked. */
const openChecking = (engine: Engine, { platform, deskData, events }: Parts) =>
  openChecks({
    engine,
    cacheOf: deskData.cacheOf,
    dialectOf: deskData.dialectOf,
    scripts: platform.scripts.packaging,
    now: platform.now,
    reportBug: platform.reportBug,
    changed: (id) => events.emit('check changed', { id }),
  })

type Store = DeskData['store']

/** How much of an archive has not reached it yet, and is to. */
const unsentOf = (store: Store, archive: string): number =>
  store.undeliveredCount(archive) + store.unsentTransfers(archive)

/** Whether something of an archive is being worked at, or is to reach it and did not yet. */
const isBusyWith = (engine: Engine, store: Store, archive: string): boolean =>
  unsentOf(store, archive) > 0 || engine.running().some((id) => store.archiveOfJob(id) === archive)

/** Lists of the local copy that say what became of what was sent. */
const followed = ['events', 'packages'] as const
/** Those that sending looks into: which packages are older than a transfer, and where it is brought. */
const lookedInto = ['packages', 'policies'] as const

const isThere = (failure: Failure | null) =>
  failure === null || !(isUnreached(failure) || failure.kind === 'signed-out')

/**
 * What goes by itself: after its lists were read an archive is followed and sent to, each by the lists that
 * it takes, and from then on it is sent to whenever the time of something has come.
 * @returns sends what is due of both kinds; where nothing is, that costs one look into an index
 */
const openSendingDue = (
  { events, registry, deskData: { store }, platform: { reportBug, now } }: Parts,
  { transfers, creations }: { transfers: Transfers; creations: Creations },
) => {
  /**
   * Those of which the lists were read, since somebody is signed in, that sending looks into. What the cache
   * holds may be of an earlier run: a package that came in between would be taken for one of this desk's.
   */
  const ready = new WeakSet<Archive>()
  events.on('lists read', ({ archive, failure, complete }) => {
    const { id } = archive
    const holds = (lists: readonly Subject[]) => lists.every((list) => complete.includes(list))
    if (holds(lookedInto)) ready.add(archive)
    const goOn = async () => {
      if (holds(followed)) await transfers.follow(id)
      if (isThere(failure) && holds(lookedInto)) await transfers.sendDue(id)
    }
    background(goOn(), reportBug)
    // Each looks itself into the list that it is for.
    if (isThere(failure)) background(creations.sendDue(id), reportBug)
  })
  return (id: string) => {
    background(creations.sendDue(id), reportBug)
    const archive = registry.find(id)?.archive
    if (!archive || !ready.has(archive) || !isThere(archive.connection().failure)) return
    if (store.hasTimed(id, 'transfer', now().toISOString())) background(transfers.sendDue(id), reportBug)
  }
}

/** Once an archive is there, what was saved of it and not compared is compared. */
const compareLeft = ({ events, platform }: Parts, downloads: Downloads) => {
  const asked = new WeakSet<Archive>()
  events.on('lists read', ({ archive, failure }) => {
    if (!isThere(failure) || asked.has(archive)) return
    asked.add(archive)
    background(downloads.compareLeft(archive.id), platform.reportBug)
  })
}

/** Many transfers out of one table or folder. */
const openBatching = (engine: Engine, { platform, deskData, events }: Parts, transfers: Transfers) => {
  const { store, cacheOf } = deskData
  const { packaging, tables } = platform.scripts
  const { now } = platform
  return openBatches({
    engine,
    store,
    cacheOf,
    transfers,
    now,
    tableScript: tables,
    countSource: (file, packing) => countSource(file, packing, packaging),
    blank: (archive, id) =>
      blankDraft(store, { archive, id, now: now(), agreements: cacheOf(archive).some('agreements', 2) }),
    profileOf: transfers.draftProfile,
    changed: (archive, id) => events.emit('batch changed', { archive, id }),
  })
}

export type Jobs = ReturnType<typeof openJobs>

/** The engine, and every kind of job that it works at. */
export const openJobs = (parts: Parts) => {
  const { platform, deskData, registry, events } = parts
  const { now, random, reportBug, version } = platform
  const { store, cacheOf, packagesFolder } = deskData
  const scripts = platform.scripts.packaging
  const engine = openEngine({ isPaused: store.isPaused, dueJobs: store.dueJobs, now, random, reportBug })
  const { downloads, disseminations } = openFetching(engine, parts)
  compareLeft(parts, downloads)
  const transfers = openTransfers({
    engine,
    store,
    cacheOf,
    findClient: registry.findClient,
    noteExchange: registry.noteExchange,
    dialectOf: deskData.dialectOf,
    capabilitiesOf: store.capabilities,
    now,
    wait: async (ms, signal) => void (await pass(ms, undefined, { signal })),
    reportBug,
    version,
    packagesFolder,
    scripts,
    changed: (id) => events.emit('transfer changed', { id }),
    progress: (progress) => events.emit('transfer progressed', progress),
  })
  /** Sees what became of what was sent to an archive, and sends what waits. */
  const follow = (archive: string) =>
    transfers
      .follow(archive)
      .then(() => transfers.sendDue(archive))
      .catch((error: unknown) => void reportBug(error))
  const creations = openCreations({
    engine,
    store,
    findClient: registry.findClient,
    noteExchange: registry.noteExchange,
    dialectOf: deskData.dialectOf,
    capabilitiesOf: (archive) => store.capabilities(archive),
    now,
    delivered: async (archive, list) => {
      await registry.find(archive)?.refresh.listAnew(list)
      background(follow(archive), reportBug)
    },
    changed: (archive, id) => events.emit('creation changed', { archive, id }),
  })
  const batches = openBatching(engine, parts, transfers)
  const checks = openChecking(engine, parts)
  return {
    engine,
    downloads,
    disseminations,
    transfers,
    creations,
    batches,
    checks,
    follow,
    /** Sends what is due of both kinds. */
    sendDue: openSendingDue(parts, { transfers, creations }),
    /** Whether something waits to be sent to an archive, or was sent and is not answered. */
    hasUnsent: (archive: string) => transfers.isExpecting(archive) || store.undeliveredCount(archive) > 0,
    isBusy: (archive: string): boolean => isBusyWith(engine, store, archive),
    /** At the start: what a killed desk left half done becomes what it was before, or goes on. */
    tidy: () => {
      const archives = store.archives().map(({ id }) => id)
      transfers.tidy(archives)
      creations.tidy(archives)
    },
    /** How much has not reached an archive yet, and is to. */
    unsent: () => store.archives().reduce((sum, { id }) => sum + unsentOf(store, id), 0),
  }
}
