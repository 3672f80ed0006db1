import { subjectsTogether, type Subject } from '../archive-client/held-lists.ts'
import { glanceAt } from '../archive-client/activity.ts'
import type { Access, Reach } from '../archive-client/http.ts'
import type { Route } from '../archive-client/routes.ts'
import { Failed, isUnreached, type Failure } from '../contract/failure.ts'
import type { ListName } from '../contract/lists.ts'
import type { Thread } from './thread.ts'

interface Parts {
  /** Its own id on this computer. */
  archive: string
  thread: Pick<Thread, 'read'>
  reached: () => Pick<Reach, 'skim'> | undefined
  access: () => Access | undefined
  /** The routes to a URL. */
  routesTo: (url: string) => Promise<Route[]>
  language: () => string
  /** Waits until enough is known of the archive to read its lists; it never fails. */
  ready: () => Promise<void>
  /** Whether it gives its packages in views. */
  hasViews: () => boolean
  began: () => void
  /** The lists are complete (null) or could not be had; those held before stay as they were. */
  ended: (failure: Failure | null) => void
  /** What the talk about a single list showed, and how long a short answer took. */
  met: (failure: Failure | null, tookMs?: number) => void
}

export type Refresh = ReturnType<typeof openRefresh>

/**
 * Keeps the local copy of an archive fresh. `whole` reads all lists that the desk works with; asked for while one runs, it is the
 * same one. `glance` asks whether there are new notifications, and reads everything only where there are. `list` reads one list of
 * description.
 */
export const openRefresh = ({
  archive,
  thread,
  reached,
  access,
  routesTo,
  language,
  ready,
  hasViews,
  began,
  ended,
  met,
}: Parts) => {
  const all = 'all'
  const running = new Map<string, Promise<void>>()
  /** What the last glance saw. */
  let signature: string | undefined
  /** It could not be reached at the last glance. */
  let isLost = false
  /** What was wrong when everything was read last, though the archive could be reached. */
  let broken: Failure | null = null
  /** How long reading all lists took last, in milliseconds. */
  let wholeTookMs = 0
  const once = (name: string, work: () => Promise<void>) => {
    const under = running.get(name) ?? work().finally(() => running.delete(name))
    running.set(name, under)
    return under
  }
  const read = async (how: Access, subjects: Subject[]) =>
    thread.read(archive, {
      access: how,
      routes: await routesTo(how.url),
      language: language(),
      subjects,
      hasViews: hasViews(),
      isAll: subjects === subjectsTogether,
    })

  const whole = async () => {
    const how = access()
    if (!how) return
    await once(all, async () => {
      began()
      await ready()
      const started = performance.now()
      const { failure } = await read(how, subjectsTogether)
      const tookMs = performance.now() - started
      // A reading that broke off says no more than that the whole takes at least as long.
      wholeTookMs = failure === null ? tookMs : Math.max(tookMs, wholeTookMs)
      if (failure === null) broken = null
      else if (isUnreached(failure)) isLost = true
      else broken = failure
      ended(failure)
    })
  }

  const glance = async () => {
    const [there, how] = [reached(), access()]
    if (!there || !how || running.has(all)) return
    const started = performance.now()
    try {
      const seen = await glanceAt(there)
      // A list that is broken stays broken, though the archive is there.
      met(broken, performance.now() - started)
      // What waited for the archive goes on when it is back.
      if (isLost) {
        isLost = false
        return await whole()
      }
      if (signature === seen) return
      const { changed, failure } = await read(how, ['notifications'])
      // A list that is broken is not read again with every glance.
      if (failure === null || !isUnreached(failure)) signature = seen
      if (changed.length > 0 || failure !== null) await whole()
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      isLost = true
      met(error.failure)
    }
  }

  const list = (name: ListName): Promise<void> => {
    const how = access()
    if (!how) return Promise.resolve()
    return once(name, async () => {
      const { failure } = await read(how, [`description/${name}`])
      if (failure !== null) met(failure)
    })
  }

  return {
    whole,
    /** Everything, after what can be seen there has changed. */
    wholeAnew: async () => {
      await running.get(all)
      await whole()
    },
    glance,
    list,
    /** A list after something was written there: a reading that began before does not know of it. */
    listAnew: async (name: ListName): Promise<void> => {
      await running.get(name)
      await list(name)
    },
    wholeTookMs: () => wholeTookMs,
  }
}
