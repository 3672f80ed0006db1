import { background, toProcess } from '../common/background.ts'
import type { Archive } from '../archives/archive.ts'
import type { Proxies } from '../archives/proxies.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import { failureOf } from '../contract/failure.ts'
import type { ContentsOf } from '../dialects/models.ts'
import type { ListName } from '../contract/lists.ts'
import type { NewerVersion } from '../contract/updates.ts'
import { activity } from '../features/activity.ts'
import { alerts } from '../features/alerts.ts'
import { batch } from '../features/batch.ts'
import { capabilities } from '../features/capabilities.ts'
import { changes } from '../features/changes.ts'
import { checks } from '../features/checks.ts'
import { comparisons } from '../features/comparisons.ts'
import { connection } from '../features/connection.ts'
import { description } from '../features/description.ts'
import { diagnostics } from '../features/diagnostics.ts'
import { dips } from '../features/dips.ts'
import { exports } from '../features/exports.ts'
import { files } from '../features/files.ts'
import { find } from '../features/find.ts'
import { network } from '../features/network.ts'
import { orders } from '../features/orders.ts'
import { outbox } from '../features/outbox.ts'
import { packages } from '../features/packages.ts'
import { printing } from '../features/printing.ts'
import { reader } from '../features/reader.ts'
import { search } from '../features/search.ts'
import { searches } from '../features/searches.ts'
import { session } from '../features/session.ts'
import { storage } from '../features/storage.ts'
import { transfers } from '../features/transfers.ts'
import { updates } from '../features/updates.ts'
import { views } from '../features/views.ts'
import type { Ask, Questions } from '../questions/questions.ts'
import { openFileRoles } from '../reader/file-roles.ts'
import type { KnownDigests } from '../reader/known-digests.ts'
import type { OpenedFiles } from '../reader/opened-files.ts'
import type { Thread } from '../sync/thread.ts'
import type { DeskArchives } from './archives.ts'
import type { Registry } from './registry.ts'
import type { Events } from './events.ts'
import { ofItsArchive } from './job-calls.ts'
import type { Jobs } from './jobs.ts'
import type { DeskNotices } from './notices.ts'
import type { DeskData } from './desk-data.ts'
import type { Platform } from './platform.ts'

interface Parts {
  platform: Platform
  deskData: DeskData
  proxies: Proxies
  newerVersion: () => NewerVersion | null
  thread: Thread
  questions: Questions
  ask: Ask
  jobs: Jobs
  notices: DeskNotices
  deskArchives: DeskArchives
  registry: Registry
  events: Events
  openedFiles: OpenedFiles
  knownDigests: KnownDigests
}

/** What several features are given. */
const shared = ({ deskData, registry }: Parts) => ({
  capabilitiesOf: (archive: string): Capabilities | null => deskData.store.capabilities(archive),
  /** Waits while an archive is asked what it can do. */
  whenAsked: async (archive: string) => registry.find(archive)?.capabilities.whenAsked(),
  /** Reads a list of description again; what is held stays where it cannot be had. */
  refresh: async (archive: string, list: ListName) => registry.find(archive)?.refresh.list(list),
  /** The same for somebody who knows that the archive has another one now. */
  refreshAnew: async (archive: string, list: ListName) => registry.find(archive)?.refresh.listAnew(list),
  /** Reads what stands in a unit or below a node. */
  readContents: async (archive: string, of: ContentsOf) => registry.find(archive)?.refresh.contents(of),
})

const languageOf =
  ({ language }: Pick<Platform, 'language'>) =>
  (): 'en' | 'sv' =>
    language().startsWith('sv') ? 'sv' : 'en'

/** What concerns the application as a whole. */
const openApplicationFeatures = (parts: Parts) => {
  const { platform, deskData, proxies, questions, ask, thread, jobs, deskArchives, registry } = parts
  const { archives, renewUnreached } = deskArchives
  const checked = checks({
    checks: jobs.checks,
    language: languageOf(platform),
    choose: platform.choose,
    chooseTarget: platform.chooseTarget,
    dropped: (id) => platform.sendNews('checks.dropped', { id }),
  })
  return {
    drop: checked.drop,
    features: {
      checks: checked.calls,
      session: session({
        archives,
        routing: proxies.routing,
        dialects: deskData.dialects,
        journal: deskData.store.journal,
        deskOf: registry.of,
        isBusy: jobs.isBusy,
        forget: (archive) => deskData.forget(archive, questions, thread),
      }),
      network: network({
        addressOf: (id) => archives.of(id).account().url,
        proxies,
        renew: renewUnreached,
      }),
      updates: updates({ newer: parts.newerVersion }),
      diagnostics: diagnostics({
        environment: platform.environment,
        archives,
        dialectOf: deskData.dialectOf,
        capabilitiesOf: shared(parts).capabilitiesOf,
        ask,
        now: platform.now,
        chooseTarget: platform.chooseTarget,
      }),
    },
  }
}

/** Stored searches, which are compared with what was found whenever all words are in the index. */
const openSearches = ({ platform, deskData, ask, jobs, notices, events }: Parts) => {
  const stored = searches({
    store: deskData.store,
    dialectOf: deskData.dialectOf,
    creations: jobs.creations,
    notices,
    ask,
    now: platform.now,
    choose: platform.choose,
    chooseTarget: platform.chooseTarget,
    changed: (archive) => events.emit('searches changed', { archive }),
  })
  events.on('words indexed', ({ archive, isAll }) => {
    if (isAll)
      background(stored.watch(archive), (error) =>
        platform.warn('searches', 'Stored searches could not be compared', error),
      )
  })
  return stored.calls
}

/** What reads and changes what an archive describes. */
const openDescription = (parts: Parts) => {
  const { platform, deskData, thread, ask, jobs } = parts
  const { capabilitiesOf, whenAsked, refresh, refreshAnew, readContents } = shared(parts)
  const described = description({
    capabilitiesOf,
    whenAsked,
    cacheOf: deskData.cacheOf,
    ask,
    thread,
    creations: jobs.creations,
    isJobOf: deskData.store.isJobOf,
    now: platform.now,
    refresh,
    readContents,
  })
  return {
    description: described.calls,
    changes: changes({
      capabilitiesOf,
      formOf: described.formOf,
      refresh: refreshAnew,
      journal: deskData.store.journal,
    }),
  }
}

/** Transfers, orders and what else is worked at for an archive. */
const openWorkFeatures = (parts: Parts) => {
  const { platform, deskData, ask, jobs, events } = parts
  const { store, cacheOf, packagesFolder } = deskData
  const { choose, chooseTarget, now } = platform
  const { capabilitiesOf, whenAsked, refresh } = shared(parts)
  return {
    batch: ofItsArchive('batch', store.isJobOf, batch({ batches: jobs.batches, choose, chooseTarget })),
    files: ofItsArchive(
      'download',
      store.isJobOf,
      files({ downloads: jobs.downloads, roles: openFileRoles(), chooseTarget }),
    ),
    dips: ofItsArchive(
      'dissemination',
      store.isJobOf,
      dips({ cacheOf, ask, disseminations: jobs.disseminations }),
    ),
    find: find({ ask }),
    transfers: ofItsArchive(
      'transfer',
      store.isJobOf,
      transfers({
        store,
        cacheOf,
        transfers: jobs.transfers,
        creations: jobs.creations,
        checks: jobs.checks,
        now,
        refresh,
        choose,
        scripts: platform.scripts.packaging,
        packagesFolder,
        ask,
      }),
    ),
    outbox: ofItsArchive(
      'creation',
      store.isJobOf,
      outbox({
        creations: jobs.creations,
        now,
        follow: (archive) => background(jobs.follow(archive), toProcess),
      }),
    ),
    orders: orders({
      capabilitiesOf,
      whenAsked,
      store,
      cacheOf,
      creations: jobs.creations,
      ask,
      now,
      refresh,
      changed: (archive) => events.emit('orders changed', { archive }),
    }),
  }
}

/** Comparing packages, until one signs out. */
const openComparisons = ({ platform, deskData: { cacheOf }, events }: Parts) => {
  const opened = comparisons({
    packageOf: (archive, id) => cacheOf(archive.id).packages.whole(id, archive.dialect().readPackage),
    failureOf: (error) => failureOf(error, (bug) => platform.reportBug(bug, 'comparisons')),
    progressed: (archive, comparison) => events.emit('comparison progressed', { archive, comparison }),
  })
  events.on('session changed', ({ archives }) =>
    opened.keepOnly(archives.map(({ account }) => account.archive)),
  )
  return opened.calls
}

/** What concerns one archive, and only reads. */
const openReadFeatures = (parts: Parts) => {
  const { platform, deskData, thread, ask, registry, events } = parts
  const { store, cacheOf } = deskData
  const { chooseTarget, printPdf, printPaper, now } = platform
  return {
    connection: connection({ deskOf: registry.of, acceptShrunk: thread.acceptShrunk }),
    capabilities: capabilities({ deskOf: registry.of, acceptShrunk: thread.acceptShrunk }),
    packages: packages({
      capabilitiesOf: shared(parts).capabilitiesOf,
      cacheOf,
      store,
      ask,
      markSeen: thread.markSeen,
    }),
    comparisons: openComparisons(parts),
    reader: reader({
      opened: parts.openedFiles,
      knownDigests: parts.knownDigests,
      thumbnails: deskData.thumbnails,
      cacheOf,
      store,
      now,
      failureOf: (error) => failureOf(error, (bug) => platform.reportBug(bug, 'reader')),
      checked: (archive, check) => platform.sendNewsOf(archive, 'reader.checked', check),
      indexed: (archive, files) => platform.sendNewsOf(archive, 'reader.indexed', files),
    }),
    search: search({ cacheOf }),
    storage: storage({ cacheOf, ask }),
    activity: activity({ store, ask, chooseTarget }),
    exports: exports({ store, ask, language: languageOf(platform), chooseTarget }),
    printing: printing({
      store,
      ask,
      language: languageOf(platform),
      chooseTarget,
      printPdf,
      printPaper,
    }),
    views: views({ store }),
    alerts: alerts({
      cacheOf,
      store,
      now,
      seen: (archive: Archive) => events.emit('alerts seen', { archive }),
    }),
  }
}

/** Everything that the contract promises to the page, but the settings and what the window itself answers. */
export const openFeatures = (parts: Parts) => {
  const { features, drop } = openApplicationFeatures(parts)
  const archiveFeatures = {
    searches: openSearches(parts),
    ...openReadFeatures(parts),
    ...openDescription(parts),
    ...openWorkFeatures(parts),
  }
  return { features, archiveFeatures, drop }
}
