import { background, toProcess } from '../common/background.ts'
import type { Routing } from '../archive-client/routes.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import { isUnreached, type Failure } from '../contract/failure.ts'
import type { Subject } from '../contract/subjects.ts'
import type { CacheOf } from '../store/cache/caches.ts'
import type { DeskStore } from '../store/desk/desk-store.ts'
import { openListening } from '../sync/listening.ts'
import { openRefresh, type Refresh } from '../sync/refresh.ts'
import type { Thread } from '../sync/thread.ts'
import type { Archive } from './archive.ts'
import { openCapabilities } from './capabilities.ts'
import { openDescribedLists } from './described-lists.ts'

const betweenSendsMs = 5_000
/** One that ran for so long is started again as one that ended for the first time, in milliseconds. */
const steadyMs = 600_000

/** When something is tried next, and how often it was. */
interface Attempts {
  attempts: number
  triedAt: string
  nextAt: string
}

interface Parts {
  archive: Archive
  store: DeskStore
  cacheOf: CacheOf
  /** When everything was read last, and how long that took. */
  held: (archive: string) => { asOf: string | null; wholeTookMs: number }
  thread: Pick<Thread, 'read' | 'readIncrement' | 'readContents' | 'index'>
  routing: Routing
  language: () => string
  now: () => Date
  warn: (source: string, message: string, detail: unknown) => void
  /** Whether something was handed over, or waits to be, so that news of it are due soon. */
  isExpecting: (archive: string) => boolean
  /** Sends what is due. */
  send: (archive: string) => void
  /** Sees how far the archive is with what was submitted to it. */
  followSubmitted: (archive: string) => Promise<void>
  /** When one more attempt follows, later each time; and whether its time has come. */
  afterAttempt: (earlier: Pick<Attempts, 'attempts'>) => Attempts
  isDue: (attempts: Attempts) => boolean
  learnt: (archive: string, capabilities: Capabilities) => void
  /** Its lists were read: which completely, and what was wrong with the others. */
  refreshed: (archive: Archive, failure: Failure | null, complete: Subject[]) => void
}

/**
 * Whether it runs on this computer, and ended, could not be started or takes no more what it gave, after ten
 * hours: nobody signs in there by hand.
 */
const hasEnded = ({ account, connection }: Archive): boolean => {
  const { failure } = connection()
  if (!account().isHere || failure === null) return false
  return isUnreached(failure) || failure.kind === 'local-archive' || failure.kind === 'signed-out'
}

/**
 * Signs in anew to the archive on this computer where a reading ended since it takes no more what it gave.
 * One that takes not even what it gave then is left to the clock.
 */
const openRenewing = (archive: Archive, connectAnew: () => Promise<void>) => {
  let isRenewed = false
  return (failure: Failure | null) => {
    const isOver = failure?.kind === 'signed-out' && hasEnded(archive)
    if (isOver && !isRenewed) background(connectAnew(), toProcess)
    isRenewed = isOver
  }
}

/** Starts the archive on this computer again after it ended, later each time. */
const openRestarting = ({ archive, now, afterAttempt, isDue }: Parts, connectAnew: () => Promise<void>) => {
  let last: Attempts | undefined
  return () => {
    if (!hasEnded(archive)) {
      if (last && now().getTime() - Date.parse(last.nextAt) > steadyMs) last = undefined
      return
    }
    if (last && isDue(last)) background(connectAnew(), toProcess)
    // Whoever looks is told first that it ended.
    if (!last || isDue(last)) last = afterAttempt(last ?? { attempts: 0 })
  }
}

/** What goes on by itself for one archive: it is listened to, and sent to every few seconds. */
const openRoutine = (parts: Parts, refresh: Refresh, connectAnew: () => Promise<void>) => {
  const { archive, thread, routing, now, warn, isExpecting, send } = parts
  const { id } = archive
  const restart = openRestarting(parts, connectAnew)
  let listening: ReturnType<typeof openListening> | undefined
  let timer: NodeJS.Timeout | undefined
  return {
    /** The connection changed. */
    follow: () => listening?.follow(),
    /** Goes on by itself from now on. */
    start: () => {
      try {
        thread.index(id)
      } catch (error) {
        warn('archives', 'Words could not be brought into the index', error)
      }
      listening ??= openListening({
        access: archive.access,
        dialect: archive.dialect,
        connection: archive.connection,
        isHere: archive.account().isHere,
        refresh,
        routing,
        isExpecting: () => isExpecting(id),
        now,
      })
      timer ??= setInterval(() => {
        restart()
        send(id)
      }, betweenSendsMs).unref()
    },
    stop: () => {
      listening?.stop()
      listening = undefined
      clearInterval(timer)
      timer = undefined
    },
  }
}

/** What is being read as who somebody was before they signed in anew is read to its end first. */
const endFormer = async (archive: Archive, refresh: Refresh) => {
  await refresh.settled()
  await archive.endFormer()
}

export type ArchiveDesk = ReturnType<typeof openArchiveDesk>

/**
 * What goes on for one archive, at its own pace, whether it is shown or not: it is listened to, read, and
 * sent to.
 */
export const openArchiveDesk = (parts: Parts) => {
  const { archive, store, cacheOf, held, thread, routing, language, now, warn, learnt, refreshed } = parts
  const { id } = archive
  const capabilities = openCapabilities({ archive, store, now, changed: (known) => learnt(id, known) })
  /** What it can do is known before its lists are read, the first time; a later change is learnt beside. */
  const askCapabilities = (isNew: boolean) =>
    (isNew ? capabilities.askShape() : capabilities.askIfOld()).catch((error: unknown) =>
      warn('archives', 'The archive did not say what it can do', error),
    )
  const renew = openRenewing(archive, () => connectAnew())
  const refresh = openRefresh({
    archive: id,
    thread,
    findClient: archive.findClient,
    access: archive.access,
    noteExchange: archive.noteExchange,
    routesTo: routing.to,
    language,
    ready: () => askCapabilities(false),
    hasViews: () => capabilities.known()?.hasViews ?? false,
    held: () => held(id),
    now,
    began: () => archive.setRefreshing(true),
    lookedForChanges: () => archive.noteLooked(now().toISOString()),
    brought: (subjects) => {
      archive.noteExchange(null)
      refreshed(archive, null, subjects)
    },
    ended: (failure, complete) => {
      archive.setRefreshing(false)
      capabilities.rowsShown()
      archive.noteExchange(failure)
      refreshed(archive, failure, complete)
      renew(failure)
      if (failure === null) background(described.keepFresh(), toProcess)
    },
  })
  const described = openDescribedLists({ archive: id, cacheOf, refresh, now, warn })

  /** What is under way shows at once: reading everything takes a while. */
  const followed = async (read: () => Promise<void>) => {
    if (archive.findClient()) background(parts.followSubmitted(id), toProcess)
    await read()
  }
  const again = async (read: () => Promise<void>) => {
    if (!['online', 'slow', 'connecting'].includes(archive.connection().state)) await archive.connect()
    await followed(read)
    if (archive.findClient()) background(described.renew(), toProcess)
  }
  const connectAnew = async () => {
    await archive.connect()
    await followed(refresh.catchUp)
  }
  const routine = openRoutine(parts, refresh, connectAnew)

  return {
    archive,
    capabilities,
    refresh,
    /** Somebody signed in anew: what it can do is asked, then everything is read. */
    begin: async () => {
      await askCapabilities(true)
      await followed(refresh.whole)
      await endFormer(archive, refresh)
    },
    /**
     * Connects where there is no connection, and reads everything that was looked at: somebody wants to see
     * what others did.
     */
    renew: () => again(refresh.whole),
    /** The same after something was missed, with no more read than that takes. */
    catchUp: () => again(refresh.catchUp),
    /** Somebody turns to it: connects where nobody did, or where the archive on this computer has ended. */
    turnTo: async () => {
      if (archive.connection().state === 'signed-out' || hasEnded(archive)) await connectAnew()
    },
    ...routine,
  }
}
