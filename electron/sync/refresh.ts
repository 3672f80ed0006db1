import type { ArchiveClient } from '../dialects/dialect.ts'
import type { Access } from '../archive-client/http.ts'
import type { Route } from '../archive-client/routes.ts'
import { Failed, isUnreached, type Failure } from '../contract/failure.ts'
import type { ListName } from '../contract/lists.ts'
import type { Read } from './read-lists.ts'
import type { Thread } from './thread.ts'
import { refreshedSubjects, type Subject } from '../contract/subjects.ts'

interface Parts {
  /** Its own id on this computer. */
  archive: string
  thread: Pick<Thread, 'read'>
  findClient: () => Pick<ArchiveClient, 'stream' | 'dialect'> | undefined
  access: () => Access | undefined
  /** The routes to a URL. */
  routesTo: (url: string) => Promise<Route[]>
  language: () => string
  /** Waits until enough is known of the archive to read its lists; it never fails. */
  ready: () => Promise<void>
  /** Whether it gives its packages in views. */
  hasViews: () => boolean
  began: () => void
  /**
   * The lists were read: which of them completely, and what was wrong with the others, which stay as they
   * were.
   */
  ended: (failure: Failure | null, complete: Subject[]) => void
  /** What the exchange about a single list showed, and how long a short answer took. */
  noteExchange: (failure: Failure | null, tookMs?: number) => void
}

/** Reads lists, each one and all of them once at a time, and remembers how reading them all went. */
const openReading = (parts: Parts) => {
  const { archive, thread, routesTo, language, ready, hasViews, began } = parts
  const running = new Map<string, Promise<void>>()
  /** What was wrong when everything was read last, though the archive could be reached. */
  let broken: Failure | null = null
  let tookMs = 0

  const read = async (access: Access, subjects: readonly Subject[]) =>
    thread.read(archive, {
      access,
      routes: await routesTo(access.url),
      language: language(),
      subjects,
      hasViews: hasViews(),
      isAll: subjects === refreshedSubjects,
    })

  return {
    read,
    running: (name: string): Promise<void> | undefined => running.get(name),
    /** Asked for while the same is done, it is done once. */
    once: (name: string, work: () => Promise<void>) => {
      const current = running.get(name) ?? work().finally(() => running.delete(name))
      running.set(name, current)
      return current
    },
    all: async (access: Access): Promise<Pick<Read, 'failure' | 'complete'>> => {
      began()
      await ready()
      const started = performance.now()
      const { failure, complete } = await read(access, refreshedSubjects)
      const took = performance.now() - started
      // A reading that broke off says no more than that the whole takes at least as long.
      tookMs = failure === null ? took : Math.max(took, tookMs)
      if (failure === null || !isUnreached(failure)) broken = failure
      return { failure, complete }
    },
    broken: () => broken,
    tookMs: () => tookMs,
  }
}

export type Refresh = ReturnType<typeof openRefresh>

/**
 * Keeps the local copy of an archive fresh. `whole` reads all lists that the desk works with; asked for while
 * one runs, it is the same one. `poll` asks whether there are new notifications, and reads everything only
 * where there are. `list` reads one list of description.
 */
export const openRefresh = (parts: Parts) => {
  const { findClient, access, ended, noteExchange } = parts
  const everything = 'all'
  const reading = openReading(parts)
  /** What the last poll saw. */
  let signature: string | undefined
  /** It could not be reached at the last poll. */
  let isLost = false

  const whole = async () => {
    const proved = access()
    if (!proved) return
    await reading.once(everything, async () => {
      const { failure, complete } = await reading.all(proved)
      if (failure !== null && isUnreached(failure)) isLost = true
      ended(failure, complete)
    })
  }

  const poll = async () => {
    const [client, proved] = [findClient(), access()]
    if (!client || !proved || reading.running(everything)) return
    const started = performance.now()
    try {
      const news = await client.dialect.news.poll(client)
      // A list that is broken stays broken, though the archive is there.
      noteExchange(reading.broken(), performance.now() - started)
      // What waited for the archive goes on when it is back.
      if (isLost) {
        isLost = false
        return await whole()
      }
      if (signature === news) return
      const { changed, failure } = await reading.read(proved, ['notifications'])
      // A list that is broken is not read again with every poll.
      if (failure === null || !isUnreached(failure)) signature = news
      if (changed.length > 0 || failure !== null) await whole()
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      isLost = true
      noteExchange(error.failure)
    }
  }

  const list = (name: ListName): Promise<void> => {
    const proved = access()
    if (!proved) return Promise.resolve()
    return reading.once(name, async () => {
      const { failure } = await reading.read(proved, [`description/${name}`])
      if (failure !== null) noteExchange(failure)
    })
  }

  return {
    whole,
    /** Everything, after what can be seen there has changed. */
    wholeAnew: async () => {
      await reading.running(everything)
      await whole()
    },
    poll,
    list,
    /** A list after something was written there: a reading that began before does not know of it. */
    listAnew: async (name: ListName): Promise<void> => {
      await reading.running(name)
      await list(name)
    },
    /** How long reading all lists took last, in milliseconds. */
    wholeTookMs: reading.tookMs,
  }
}
