import type { Routing } from '../archive-client/routes.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import type { Failure } from '../contract/failure.ts'
import { listNames, type ListName } from '../contract/lists.ts'
import { isOlderThan } from '../store/age.ts'
import type { CacheOf } from '../store/caches.ts'
import type { DeskStore } from '../store/desk.ts'
import { openListening } from '../sync/listening.ts'
import { openRefresh } from '../sync/refresh.ts'
import type { Thread } from '../sync/thread.ts'
import type { Archive } from './archive.ts'
import { openCapabilities } from './capabilities.ts'

/** Lists of description are read again so often, for searching; a page that shows one reads it at once. */
const describedForMs = 600_000
const searched = [
  'orders',
  'me/searches',
  'agents',
  'structures',
  'structure-units',
  'tags',
  'locations',
] as const satisfies ListName[]
const betweenSendsMs = 5_000

interface Parts {
  archive: Archive
  store: DeskStore
  cacheOf: CacheOf
  thread: Pick<Thread, 'read' | 'index'>
  routing: Routing
  language: () => string
  now: () => Date
  warn: (room: string, what: string, detail: unknown) => void
  /** Whether something was handed over, or waits to be, so that news of it are due soon. */
  isExpecting: (archive: string) => boolean
  /** Sends what is due. */
  send: (archive: string) => void
  learnt: (archive: string, capabilities: Capabilities) => void
  /** Its lists are complete (null) or could not be had. */
  refreshed: (archive: Archive, failure: Failure | null) => void
}

export type ArchiveDesk = ReturnType<typeof openArchiveDesk>

/** What goes on for one archive, at its own pace, whether it is shown or not: it is listened to, read, and sent to. */
export const openArchiveDesk = ({
  archive,
  store,
  cacheOf,
  thread,
  routing,
  language,
  now,
  warn,
  isExpecting,
  send,
  learnt,
  refreshed,
}: Parts) => {
  const { id } = archive
  const capabilities = openCapabilities({ archive, store, now, changed: (it) => learnt(id, it) })
  /** What it can do is known before its lists are read, the first time; a later change is learnt beside. */
  const askCapabilities = (isNew: boolean) =>
    (isNew ? capabilities.askShape() : capabilities.askIfOld()).catch((error: unknown) =>
      warn('archives', 'The archive did not say what it can do', error),
    )
  const refresh = openRefresh({
    archive: id,
    thread,
    reached: archive.reached,
    access: archive.access,
    met: archive.met,
    routesTo: routing.to,
    language,
    ready: () => askCapabilities(false),
    hasViews: () => capabilities.known()?.hasViews ?? false,
    began: () => archive.setRefreshing(true),
    ended: (failure) => {
      archive.setRefreshing(false)
      archive.met(failure)
      refreshed(archive, failure)
      // The archive on this computer lets nobody sign in by hand; what it gave ends after ten hours.
      if (failure?.kind === 'signed-out' && archive.account().isHere) void archive.connect()
      if (failure === null) void keepDescribed()
    },
  })
  /** What is described is searched too, so it is read when nobody looks at it, one list after the other. */
  const readDescribed = async (forMs = describedForMs) => {
    const cache = cacheOf(id)
    const looked = listNames.filter((name) => cache.asOf(`description/${name}`) !== null)
    for (const name of new Set<ListName>([...searched, ...(forMs === 0 ? looked : [])]))
      if (isOlderThan(forMs, cache.asOf(`description/${name}`), now())) await refresh.list(name)
  }
  const keepDescribed = (forMs?: number) =>
    readDescribed(forMs).catch((error: unknown) =>
      warn('archives', 'What is described could not be read', error),
    )

  let listening: ReturnType<typeof openListening> | undefined
  let timer: NodeJS.Timeout | undefined
  return {
    archive,
    capabilities,
    refresh,
    /** Somebody signed in anew: what it can do is asked, then everything is read. */
    begin: async () => {
      await askCapabilities(true)
      await refresh.whole()
    },
    /** Connects where there is no connection, and reads everything that was looked at: somebody wants to see what others did. */
    renew: async () => {
      if (!['online', 'slow', 'connecting'].includes(archive.connection().state)) await archive.connect()
      await refresh.whole()
      if (archive.reached()) void keepDescribed(0)
    },
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
        connection: archive.connection,
        isHere: archive.account().isHere,
        refresh,
        routing,
        isExpecting: () => isExpecting(id),
      })
      timer ??= setInterval(() => send(id), betweenSendsMs).unref()
    },
    stop: () => {
      listening?.stop()
      listening = undefined
      clearInterval(timer)
      timer = undefined
    },
  }
}
