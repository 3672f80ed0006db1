import { background, toProcess } from '../common/background.ts'
import { openClient, type Connect } from '../archive-client/http.ts'
import { openArchiveDesk, type ArchiveDesk } from '../archives/archive-desk.ts'
import type { Archive, LookingUp } from '../archives/archive.ts'
import { openArchives, type Archives } from '../archives/archives.ts'
import type { Proxies } from '../archives/proxies.ts'
import { Failed, failureOf } from '../contract/failure.ts'
import type { Connection } from '../contract/session.ts'
import type { Destination } from '../contract/notices.ts'
import type { Thread } from '../sync/thread.ts'
import type { Registry } from './registry.ts'
import type { Events } from './events.ts'
import type { Jobs } from './jobs.ts'
import type { DeskData } from './desk-data.ts'
import type { Platform } from './platform.ts'

interface Parts {
  platform: Platform
  deskData: DeskData
  proxies: Proxies
  thread: Thread
  jobs: Pick<Jobs, 'engine' | 'transfers' | 'sendDue' | 'hasUnsent'>
  registry: Registry
  events: Events
}

export type DeskArchives = ReturnType<typeof openDeskArchives>

/**
 * What is held of an archive. Where there is no local copy, whatever asks for a list of the archive says why.
 */
const heldOf = ({ deskData, platform }: Parts, archive: string) => {
  try {
    const cache = deskData.cacheOf(archive)
    return {
      asOf: cache.asOf(),
      unreadable: cache.unreadable(),
      shrunk: cache.shrunk(),
      incomplete: cache.incomplete(),
    }
  } catch (error) {
    if (!(error instanceof Failed)) platform.reportBug(error, 'store')
    return { asOf: null, unreadable: [], shrunk: [], incomplete: [] }
  }
}

/** When everything of an archive was read last; nothing where there is no local copy. */
const wholeOf = ({ deskData }: Parts, archive: string) => {
  try {
    const cache = deskData.cacheOf(archive)
    return { asOf: cache.asOf(), wholeTookMs: cache.wholeTookMs() }
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    return { asOf: null, wholeTookMs: 0 }
  }
}

/** Reads what was missed of each archive but those in some states. */
const catchUp = ({ registry }: Parts, except: Connection['state'][]) => {
  for (const desk of registry.all())
    if (!except.includes(desk.archive.connection().state)) background(desk.catchUp(), toProcess)
}

/** What goes on for an archive, and how it is told. */
const openOne = (parts: Parts, archive: Archive) => {
  const { platform, deskData, proxies, thread, jobs, events } = parts
  return openArchiveDesk({
    archive,
    held: (id) => wholeOf(parts, id),
    store: deskData.store,
    cacheOf: deskData.cacheOf,
    thread,
    routing: proxies.routing,
    language: platform.language,
    now: platform.now,
    warn: platform.warn,
    isExpecting: jobs.transfers.isExpecting,
    send: jobs.sendDue,
    followSubmitted: jobs.transfers.followSubmitted,
    afterAttempt: (earlier) => jobs.engine.afterAttempt(earlier, null),
    isDue: jobs.engine.isDue,
    learnt: (id, capabilities) => events.emit('capabilities learnt', { archive: id, capabilities }),
    refreshed: (of, failure, complete) => events.emit('lists read', { archive: of, failure, complete }),
  })
}

/** The archive that a link calls by its id, or by its address. */
const archiveCalled = ({ store }: DeskData, name: string): string | undefined =>
  store
    .archives()
    .find(
      ({ id, url, isHere, isSignedIn }) =>
        isSignedIn && (id === name || (!isHere && URL.parse(url)?.host === name)),
    )?.id

/** Goes to a place in an archive, whichever is shown now. */
const openPlace = (
  { deskData, platform }: Parts,
  archives: Archives,
  { archive, place }: Destination,
): void => {
  const known = archive === '' ? '' : archiveCalled(deskData, archive)
  if (known === undefined) {
    platform.showLost(archive)
    return
  }
  // A window that is opened now begins with the archive that was shown last.
  if (known !== '') archives.show(known)
  platform.showPlace({ archive: known, place })
}

/**
 * What an earlier version of Lectern read in another way is read anew. An archive where that fails shows
 * nothing and says why.
 */
const prepareAll = async ({ deskData, platform, thread, registry }: Parts) => {
  const prepare = async ({ id, dialect }: Archive) => {
    try {
      await deskData.prepare(id, dialect(), thread)
    } catch (error) {
      if (!(error instanceof Failed)) platform.reportBug(error, 'store')
      else platform.warn('store', 'What is held of an archive could not be read anew', { id, error })
    }
  }
  await Promise.all(registry.all().map(({ archive }) => prepare(archive)))
}

/** How archives are spoken with. */
const connectBy =
  ({ platform, proxies }: Parts): Connect =>
  (url, authorization, conventions) =>
    openClient(url, authorization, platform.language, conventions, proxies.routing)

/** How something is looked for in their whole lists. */
const lookingUpBy =
  ({ platform, proxies, thread }: Parts): LookingUp =>
  (dialect, access) =>
    thread.lookingUp(async () => ({
      dialect: dialect.name,
      access: access(),
      routes: await proxies.routing.to(access().url),
      language: platform.language(),
    }))

/** An archive whose packages are shown may be asked what else it can do. */
const followRows = ({ events, registry }: Pick<Parts, 'events' | 'registry'>) =>
  events.on('rows written', ({ archive, subjects }) => {
    if (subjects.includes('packages')) registry.find(archive)?.capabilities.rowsShown()
  })

/** Connects with an archive where it is to be, and once there is time for that goes on with it by itself. */
const begin = async (
  desk: ArchiveDesk,
  isToConnect: boolean,
  free: Promise<void>,
  isThere: (desk: ArchiveDesk) => boolean,
) => {
  if (isToConnect) await desk.archive.connect()
  await free
  if (!isThere(desk)) return
  desk.start()
  if (isToConnect) background(desk.refresh.catchUp(), toProcess)
}

/** Everybody who is signed in, and for each of their archives what goes on there by itself. */
export const openDeskArchives = (parts: Parts) => {
  const { platform, deskData, proxies, thread, jobs, registry, events } = parts
  const { now, reportBug, vault } = platform
  let isRunning = false
  const archives = openArchives({
    store: deskData.store,
    vault,
    startLocalArchive: platform.startLocalArchive,
    connect: connectBy(parts),
    lookingUp: lookingUpBy(parts),
    dialects: deskData.dialects,
    prepare: (archive, dialect) => deskData.prepare(archive, dialect, thread),
    now,
    held: (archive) => heldOf(parts, archive),
    failureOf: (error) => failureOf(error, (unexpected) => reportBug(unexpected, 'archives')),
    entered: (archive) => {
      const desk = openOne(parts, archive)
      registry.add(desk)
      if (isRunning) desk.start()
    },
    left: (id) => {
      registry.find(id)?.stop()
      registry.remove(id)
    },
    changed: (status) => {
      events.emit('session changed', status)
      for (const desk of registry.all()) desk.follow()
    },
  })
  const goTo = (destination: Destination) => openPlace(parts, archives, destination)
  events.on('place wanted', goTo)
  followRows(parts)
  return {
    archives,
    goTo,
    prepare: () => prepareAll(parts),
    /** Reads every archive anew; one that answers late holds no other up. */
    renewAll: async () => {
      await Promise.all(registry.all().map((desk) => desk.renew()))
    },
    /** Reads what was missed while the computer slept. */
    catchUpAll: () => catchUp(parts, []),
    /** Tries anew those that could not be reached. */
    renewUnreached: () => catchUp(parts, ['online']),
    /** The computer, or its settings, may reach archives by other ways now. */
    networkChanged: () => {
      proxies.askAnew()
      catchUp(parts, ['online', 'connecting'])
    },
    /** The process of an archive on this computer ended by itself. */
    localEnded: (isSample: boolean) => {
      const archive = registry.find(isSample ? 'practice' : 'here')?.archive
      archive?.noteExchange({ kind: 'offline', address: archive.account().url, detail: 'ECONNREFUSED' })
    },
    /**
     * Goes on with every archive that somebody is signed in to, and from then on by itself; one that connects
     * late holds no other up.
     * @param free nothing is read before that
     */
    start: async (free: Promise<void>) => {
      isRunning = true
      const last = archives.last()
      // An archive on this computer is started when somebody shows it, or has something to send there.
      const isWanted = ({ id, account }: Archive) =>
        id === last?.id || !account().isHere || jobs.hasUnsent(id)
      // Somebody may have signed out meanwhile, or the program ends.
      const isThere = (desk: ArchiveDesk) => isRunning && registry.find(desk.archive.id) === desk
      const wanted = registry.all().map((desk) => ({ desk, isToConnect: isWanted(desk.archive) }))
      await Promise.all(wanted.map(({ desk, isToConnect }) => begin(desk, isToConnect, free, isThere)))
    },
    stop: () => {
      isRunning = false
      for (const desk of registry.all()) desk.stop()
    },
  }
}
