import { background, toProcess } from '../common/background.ts'
import type { ArchiveClient } from '../dialects/dialect.ts'
import type { ContentsOf } from '../dialects/models.ts'
import type { Access } from '../archive-client/http.ts'
import type { Route } from '../archive-client/routes.ts'
import { Failed, isUnreached, type Failure } from '../contract/failure.ts'
import type { ListName } from '../contract/lists.ts'
import type { Increment } from './read-increment.ts'
import type { Read } from './read-lists.ts'
import { isDear, isRecent } from './polling.ts'
import type { Thread } from './thread.ts'
import { refreshedSubjects, type Subject } from '../contract/subjects.ts'

interface Parts {
  /** Its own id on this computer. */
  archive: string
  thread: Pick<Thread, 'read' | 'readIncrement' | 'readContents'>
  findClient: () => Pick<ArchiveClient, 'stream' | 'dialect'> | undefined
  access: () => Access | undefined
  /** The routes to a URL. */
  routesTo: (url: string) => Promise<Route[]>
  language: () => string
  /** Waits until enough is known of the archive to read its lists; it never fails. */
  ready: () => Promise<void>
  /** Whether it gives its packages in views. */
  hasViews: () => boolean
  /** When everything was read last (an ISO time), in this run or an earlier one, and how long that took. */
  held: () => { asOf: string | null; wholeTookMs: number }
  now: () => Date
  began: () => void
  /**
   * The lists were read: which of them completely, and what was wrong with the others, which stay as they
   * were.
   */
  ended: (failure: Failure | null, complete: Subject[]) => void
  /** What has changed was read without a failure. */
  lookedForChanges: () => void
  /** What was new was read, and nothing else: these lists are as new as one knows. */
  brought: (subjects: Subject[]) => void
  /** What the exchange about a single list showed, and how long a short answer took. */
  noteExchange: (failure: Failure | null, tookMs?: number) => void
}

/** The name under which reading all lists goes on. */
const everything = 'all'

/** Reads lists, each one and all of them once at a time, and remembers how reading them all went. */
const openReading = (parts: Parts) => {
  const { archive, thread, routesTo, language, ready, hasViews, began } = parts
  const running = new Map<string, Promise<void>>()
  /** What was wrong when everything was read last, though the archive could be reached. */
  let broken: Failure | null = null
  let tookMs = 0
  let hasReadAll = false
  /** The archive could not be reached when it was asked last. */
  let isLost = false
  /** The last increment: a list that is read whole meanwhile would not know what it brings. */
  let increment: Promise<unknown> = Promise.resolve()

  const reached = async (access: Access) => ({
    access,
    routes: await routesTo(access.url),
    language: language(),
  })
  const read = async (access: Access, subjects: readonly Subject[]) =>
    thread.read(archive, {
      ...(await reached(access)),
      subjects,
      hasViews: hasViews(),
      isAll: subjects === refreshedSubjects,
    })

  return {
    read,
    /** Whether everything was read, so that what is new since then can be read alone. */
    hasReadAll: () => hasReadAll,
    /** What an earlier run has read is as good. */
    goOnFromHeld: () => void (hasReadAll = true),
    /** Reads what is new, after all lists and after the increment before: some lead to a whole list. */
    increment: async (access: Access, what: Increment) => {
      const how = await reached(access)
      for (let whole = running.get(everything); whole; whole = running.get(everything))
        await Promise.allSettled([whole])
      const read = increment.then(() => thread.readIncrement(archive, what, how))
      increment = Promise.allSettled([read])
      return read
    },
    contents: async (access: Access, of: ContentsOf) =>
      thread.readContents(archive, of, await reached(access)),
    running: (name: string): Promise<void> | undefined => running.get(name),
    settled: () => Promise.allSettled([...running.values(), increment]),
    /** Asked for while the same is done, it is done once. */
    once: (name: string, work: () => Promise<void>) => {
      const current = running.get(name) ?? work().finally(() => running.delete(name))
      running.set(name, current)
      return current
    },
    all: async (access: Access): Promise<Pick<Read, 'failure' | 'complete'>> => {
      began()
      await ready()
      await increment
      const started = performance.now()
      const { failure, complete } = await read(access, refreshedSubjects)
      const took = performance.now() - started
      // A reading that broke off says no more than that the whole takes at least as long.
      tookMs = failure === null ? took : Math.max(took, tookMs)
      if (failure === null || !isUnreached(failure)) broken = failure
      if (failure === null) hasReadAll = true
      if (failure !== null && isUnreached(failure)) isLost = true
      return { failure, complete }
    },
    broken: () => broken,
    noteLost: () => void (isLost = true),
    /** It is reached now. @returns whether it could not be reached before */
    noteReached: (): boolean => {
      const wasLost = isLost
      isLost = false
      return wasLost
    },
    tookMs: () => (hasReadAll && tookMs > 0 ? tookMs : Math.max(tookMs, parts.held().wholeTookMs)),
  }
}

/** So long after the last of a burst of news, and so long after its first at most, in milliseconds. */
const afterLastMs = 2_000
const afterFirstMs = 10_000

/** Does something once after a burst of calls. */
const openSettling = (work: () => Promise<void>) => {
  let timer: NodeJS.Timeout | undefined
  let beganAt = 0
  return () => {
    const now = performance.now()
    if (timer === undefined) beganAt = now
    clearTimeout(timer)
    const act = () => {
      timer = undefined
      background(work(), toProcess)
    }
    timer = setTimeout(act, Math.min(afterLastMs, Math.max(0, beganAt + afterFirstMs - now)))
    timer.unref()
  }
}

const changing: Subject[] = ['packages', 'objects', 'events']

/** Reads what is new alone, in an archive that gives it so; where that fails, everything is read. */
const openIncrements = (
  { findClient, access, hasViews, brought, lookedForChanges, noteExchange }: Parts,
  reading: ReturnType<typeof openReading>,
  whole: () => Promise<void>,
) => {
  const givesIncrements = () => hasViews() && findClient()?.dialect.news.recent !== null
  const isPossible = () => reading.hasReadAll() && givesIncrements()
  const take = async (
    proved: Access,
    what: Increment,
    subjects: Subject[],
  ): Promise<{ failure: Failure | null; nameless: number }> => {
    const { failure, changed, nameless } = await reading.increment(proved, what)
    if (failure === null && changed.length > 0) brought([...new Set([...subjects, ...changed])])
    else if (failure !== null && isUnreached(failure)) noteExchange(failure)
    else if (failure !== null) await whole()
    if (failure === null && what === 'changes') lookedForChanges()
    return { failure, nameless }
  }
  let failed: Failure | null = null
  /** @returns what was wrong with them; nothing is where they are not to be read now */
  const changes = async (): Promise<Failure | null> => {
    const proved = access()
    if (!proved || !isPossible() || reading.running(everything)) return null
    await reading.once(
      'changes',
      async () => void ({ failure: failed } = await take(proved, 'changes', changing)),
    )
    return failed
  }
  const changesSoon = openSettling(async () => void (await changes()))
  return {
    givesIncrements,
    isPossible,
    changes,
    /** New notifications, and the packages that they name; where they name none, whatever has changed. */
    news: async (proved: Access): Promise<Failure | null> => {
      const { failure, nameless } = await take(proved, 'news', [...changing, 'notifications'])
      if (nameless > 0) changesSoon()
      return failure
    },
  }
}

/** Looks whether there are news, and reads them. */
const openLooking = (
  { findClient, access, noteExchange }: Parts,
  reading: ReturnType<typeof openReading>,
  increments: ReturnType<typeof openIncrements>,
  { whole, again }: Record<'whole' | 'again', () => Promise<void>>,
) => {
  /** What the last poll saw. */
  let signature: string | undefined
  /** Somebody wanted to know of news while they were read. */
  let isWantedAgain = false

  const readLists = async (proved: Access) => {
    const { changed, failure } = await reading.read(proved, ['notifications'])
    if (changed.length > 0 || failure !== null) await whole()
    return failure
  }
  const pollOnce = async () => {
    const [client, proved] = [findClient(), access()]
    if (!client || !proved || reading.running(everything)) return
    const started = performance.now()
    try {
      const news = await client.dialect.news.poll(client)
      // A list that is broken stays broken, though the archive is there.
      noteExchange(reading.broken(), performance.now() - started)
      // What waited for the archive goes on when it is back.
      if (reading.noteReached()) return await again()
      if (signature === news) return
      const failure = await (increments.isPossible() ? increments.news(proved) : readLists(proved))
      // A list that is broken is not read again with every poll.
      if (failure === null || !isUnreached(failure)) signature = news
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      reading.noteLost()
      noteExchange(error.failure)
    }
  }
  return (): Promise<void> => {
    isWantedAgain = reading.running('news') !== undefined
    return reading.once('news', async () => {
      do {
        isWantedAgain = false
        await pollOnce()
      } while (isWantedAgain)
    })
  }
}

export type Refresh = ReturnType<typeof openRefresh>

/**
 * Keeps the local copy of an archive fresh. `whole` reads all lists that the desk works with; asked for while
 * one runs, it is the same one. `catchUp` does so unless that takes long and was done lately: then what has
 * changed since is read. `poll` asks whether there are new notifications; where there are, it reads
 * what they speak of, or everything in an archive that gives nothing else. `changes` reads what is new.
 * `list` reads one list of description, `contents` what stands in a unit or below a node.
 */
export const openRefresh = (parts: Parts) => {
  const { access, began, ended, held, noteExchange, now, ready } = parts
  const reading = openReading(parts)

  const whole = async () => {
    const proved = access()
    if (!proved) return
    await reading.once(everything, async () => {
      const { failure, complete } = await reading.all(proved)
      ended(failure, complete)
    })
  }
  const increments = openIncrements(parts, reading, whole)
  const wholeAgeMs = () => {
    const { asOf } = held()
    const age = asOf === null ? null : now().getTime() - Date.parse(asOf)
    // It was stamped by a clock that was ahead: nobody knows how old it is.
    return age !== null && age < 0 ? null : age
  }
  const catchUp = async () => {
    if (!access()) return
    await ready()
    if (
      reading.running(everything) ||
      !isRecent(wholeAgeMs()) ||
      !isDear({ wholeTookMs: reading.tookMs(), givesChanges: increments.givesIncrements() })
    )
      return whole()
    reading.goOnFromHeld()
    began()
    const failure = await increments.changes()
    // Where the archive refused that, everything was read, and what came of it is said.
    if (failure === null || isUnreached(failure)) ended(failure, [])
  }

  const list = (name: ListName): Promise<void> => {
    const proved = access()
    if (!proved) return Promise.resolve()
    return reading.once(name, async () => {
      const { failure } = await reading.read(proved, [`description/${name}`])
      if (failure !== null) noteExchange(failure)
    })
  }

  const contents = (of: ContentsOf): Promise<void> => {
    const proved = access()
    if (!proved) return Promise.resolve()
    return reading.once(`contents of ${of.list}:${of.id}`, async () => {
      const { failure } = await reading.contents(proved, of)
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
    catchUp,
    poll: openLooking(parts, reading, increments, { whole, again: catchUp }),
    /** What is new or changed, where the archive gives that alone. */
    changes: increments.changes,
    givesChanges: increments.isPossible,
    list,
    contents,
    /** A list after something was written there: a reading that began before does not know of it. */
    listAnew: async (name: ListName): Promise<void> => {
      await reading.running(name)
      await list(name)
    },
    /** Waits for all that is being read now. */
    settled: reading.settled,
    /** How long reading all lists took last, in milliseconds. */
    wholeTookMs: reading.tookMs,
    /** How long ago everything was read, in milliseconds; null where it never was, or nobody knows. */
    wholeAgeMs,
  }
}
