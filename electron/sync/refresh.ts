import { subjectsTogether, type Subject } from '../archive-client/held-lists.ts'
import { glanceAt } from '../archive-client/activity.ts'
import type { Access, Reach } from '../archive-client/http.ts'
import type { Route } from '../archive-client/routes.ts'
import { Failed, isUnreached, type Failure } from '../contract/failure.ts'
import type { ListName } from '../contract/lists.ts'
import type { Thread } from './thread.ts'

interface Parts {
  thread: Pick<Thread, 'read'>
  reached: () => { account: { archive: string }; access: Access; archive: Pick<Reach, 'skim'> } | undefined
  /** The routes to an archive. */
  routesTo: (url: string) => Promise<Route[]>
  language: () => string
  /** Waits until enough is known of the archive that is shown to read its lists; it never fails. */
  ready: () => Promise<void>
  /** Whether an archive gives its packages in views. */
  hasViews: (archive: string) => boolean
  began: (archive: string) => void
  /** The lists are complete (null) or could not be had; those held before stay as they were. */
  ended: (archive: string, failure: Failure | null) => void
  /** What the talk about a single list showed. */
  met: (failure: Failure | null, archive: string, tookMs: number) => void
}

export type Refresh = ReturnType<typeof openRefresh>

/**
 * Keeps the local copy fresh. `whole` reads all lists that the desk works with; asked for while one runs, it is the same one.
 * `glance` asks whether
 * there are new notifications, and reads everything only where there are. `list` reads one list of description.
 */
export const openRefresh = ({
  thread,
  reached,
  routesTo,
  language,
  ready,
  hasViews,
  began,
  ended,
  met,
}: Parts) => {
  const running = new Map<string, Promise<void>>()
  /** What the last glance at each archive saw. */
  const signatures = new Map<string, string>()
  /** Archives that could not be reached at the last glance. */
  const lost = new Set<string>()
  /** What was wrong when everything was read last, though the archive could be reached. */
  const broken = new Map<string, Failure>()
  /** How long reading all lists of an archive took last, in milliseconds. */
  const wholeTookMs = new Map<string, number>()
  const once = (name: string, work: () => Promise<void>) => {
    const under = running.get(name) ?? work().finally(() => running.delete(name))
    running.set(name, under)
    return under
  }
  const read = async (there: { account: { archive: string }; access: Access }, subjects: Subject[]) =>
    thread.read({
      archive: there.account.archive,
      access: there.access,
      routes: await routesTo(there.access.url),
      language: language(),
      subjects,
      hasViews: hasViews(there.account.archive),
      isAll: subjects === subjectsTogether,
    })

  const whole = async () => {
    const there = reached()
    if (!there) return
    const { archive } = there.account
    await once(`all of ${archive}`, async () => {
      began(archive)
      await ready()
      const started = performance.now()
      const { failure } = await read(there, subjectsTogether)
      const tookMs = performance.now() - started
      // A reading that broke off says no more than that the whole takes at least as long.
      wholeTookMs.set(archive, failure === null ? tookMs : Math.max(tookMs, wholeTookMs.get(archive) ?? 0))
      if (failure === null) broken.delete(archive)
      else if (isUnreached(failure)) lost.add(archive)
      else broken.set(archive, failure)
      ended(archive, failure)
    })
  }

  const glance = async () => {
    const there = reached()
    if (!there || running.has(`all of ${there.account.archive}`)) return
    const { archive } = there.account
    const began = performance.now()
    try {
      const signature = await glanceAt(there.archive)
      // A list that is broken stays broken, though the archive is there.
      met(broken.get(archive) ?? null, archive, performance.now() - began)
      // What waited for the archive goes on when it is back.
      if (lost.delete(archive)) return await whole()
      if (signatures.get(archive) === signature) return
      const { changed, failure } = await read(there, ['notifications'])
      // A list that is broken is not read again with every glance.
      if (failure === null || !isUnreached(failure)) signatures.set(archive, signature)
      if (changed.length > 0 || failure !== null) await whole()
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      lost.add(archive)
      met(error.failure, archive, 0)
    }
  }

  const list = (archive: string, name: ListName): Promise<void> => {
    const there = reached()
    if (there?.account.archive !== archive) return Promise.resolve()
    return once(`${archive}/${name}`, async () => {
      const { failure } = await read(there, [`description/${name}`])
      if (failure !== null) met(failure, archive, 0)
    })
  }

  /** The same after something was written there: a reading that began before does not know of it. */
  const listAnew = async (archive: string, name: ListName): Promise<void> => {
    await running.get(`${archive}/${name}`)
    await list(archive, name)
  }

  /** Everything, after what can be seen there has changed. */
  const wholeAnew = async () => {
    const there = reached()
    if (there) await running.get(`all of ${there.account.archive}`)
    await whole()
  }

  /** Whether an archive that is not shown has anything new to tell; its notifications are read then. */
  const aside = async (
    archive: string,
    there: { access: Access; archive: Pick<Reach, 'skim'> },
  ): Promise<boolean> => {
    const signature = await glanceAt(there.archive)
    if (signatures.get(archive) === signature) return false
    const { failure } = await thread.read({
      archive,
      access: there.access,
      routes: await routesTo(there.access.url),
      language: language(),
      subjects: ['notifications'],
      hasViews: false,
      isAll: false,
    })
    if (failure === null) signatures.set(archive, signature)
    return failure === null
  }

  return {
    whole,
    wholeAnew,
    glance,
    list,
    listAnew,
    aside,
    wholeTookMs: (archive: string) => wholeTookMs.get(archive) ?? 0,
  }
}
