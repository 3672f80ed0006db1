import { background, toProcess } from '../common/background.ts'
import { listOf } from '../dialects/dialect.ts'
import { recordReader, type ListReader, type Wholeness } from '../archive-client/whole-list.ts'
import type { ListDefinition } from '../dialects/listing.ts'
import { isRefusedQuery, openClient, type Access, type ListClient } from '../archive-client/http.ts'
import { fixedRouting, type Route } from '../archive-client/routes.ts'
import { Failed, failureOf, type Failure } from '../contract/failure.ts'
import type { ElementThread } from './element-thread.ts'
import { beginSnapshot, type Outcome } from '../store/reading/snapshot.ts'
import type { ListBounds } from '../store/reading/list-bounds.ts'
import type { Writer } from '../store/cache/writer.ts'
import type { Subject } from '../contract/subjects.ts'

/** How an archive is reached. */
export interface Reached {
  access: Access
  /** By which ways; only the thread of the desk can ask for them. */
  routes: Route[]
  language: string
}

/** What is to be read: lists of an archive. */
export interface Wanted extends Reached {
  subjects: readonly Subject[]
  /** Whether packages that stand in no AIC are in a view of their own. */
  hasViews: boolean
  /** Whether these are all lists that the desk works with: then the archive as a whole has an age. */
  isAll: boolean
}

/** What came of it; lists that were read completely are held, whatever failed beside them. */
export interface Read {
  failure: Failure | null
  /** The lists that were read completely. */
  complete: Subject[]
  changed: Subject[]
}

const nothing = { pass: 0, count: 0, isSure: true }

/** A list that an account may not see, or that the archive does not have, is an empty one. */
const isNoList = (error: unknown) =>
  error instanceof Failed && (error.failure.kind === 'not-allowed' || error.failure.kind === 'not-found')

/**
 * Takes the wanted elements of a second view as one of the first's passes; all of them are told apart, since
 * the archive counts them all.
 */
const besideReader = (
  reader: ListReader,
  pass: number,
  isWanted: (record: unknown) => boolean,
): ListReader => {
  const all = recordReader(() => undefined)
  return {
    take: (element, passBeside) => {
      const sighting = all.take(element, passBeside)
      if (sighting.isNew && isWanted(JSON.parse(element.toString('utf8')))) reader.take(element, pass)
      return sighting
    },
  }
}

type Asked = Pick<ListClient, 'elements' | 'answer'>
type Snapshot = ReturnType<typeof beginSnapshot>

/**
 * A snapshot that begins with the first element: an archive that does not answer has nothing compared with
 * what is held, which takes a look at all of that.
 */
const openSnapshot = (writer: Pick<Writer, 'abandon'>, begin: () => Snapshot) => {
  let begun: Snapshot | undefined
  const snapshot = () => {
    try {
      return (begun ??= begin())
    } catch (error) {
      // What other lists wrote since their last step may have been taken back by the same trouble.
      writer.abandon(error)
      throw error
    }
  }
  const reader: ListReader = {
    take: (element, pass) => snapshot().reader.take(element, pass),
    recognize: (bytes) => snapshot().reader.recognize?.(bytes) ?? 0,
    goOn: (rest, count, seen) => snapshot().reader.goOn?.(rest, count, seen),
  }
  return {
    reader,
    rowsIn: (pass: number) => snapshot().rowsIn(pass),
    finish: (wholeness: Wholeness, time: string) => snapshot().finish(wholeness, time),
    giveUp: () => begun?.giveUp(),
  }
}

/** Not every archive takes every filter. */
const unlessRefused = async <T>(asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Failed && isRefusedQuery(error.failure)) return undefined
    throw error
  }
}

interface ListInViews {
  views: NonNullable<ListDefinition<unknown>['views']>
  pageOrder: ListDefinition<unknown>['pageOrder']
}

/**
 * Reads what stands in no element of a first view. It belongs to the same list, and is seen in the pass in
 * which the rest was.
 * @returns whether that is surely all
 */
const readBeside = async (
  { reader, rowsIn }: Pick<Snapshot, 'reader' | 'rowsIn'>,
  { elements, answer }: Asked,
  { views: { beside, likely, counted, isWanted }, pageOrder }: ListInViews,
  { pass, count: tops, isSure }: Wholeness,
): Promise<boolean> => {
  const read = (path: string) => elements(path, besideReader(reader, pass ?? 0, isWanted), pageOrder)
  if (likely !== null && counted !== null && pass !== null && tops !== null && isSure) {
    const few = await unlessRefused(read(likely))
    const { count = null } = (few && (await unlessRefused(answer(counted)))) ?? {}
    // The first view has its own elements too, which the second does not show.
    if (few?.isSure && count === rowsIn(pass) - tops) return true
  }
  return (await read(beside)).isSure
}

/** Reads one list whole. */
export const readList = async (
  writer: Writer,
  client: Asked,
  { subject, hasViews }: { subject: Subject } & Pick<Wanted, 'hasViews'>,
  { now, bounds, elementThread }: Pick<Tools, 'now' | 'bounds' | 'elementThread'>,
): Promise<Outcome> => {
  const askedAfter = writer.lastElement()
  const snapshot = openSnapshot(writer, () =>
    beginSnapshot(writer, subject, {
      bounds,
      readInThread: elementThread?.(writer, subject),
      askedAfter,
    }),
  )
  try {
    const list = listOf(writer.dialect, subject)
    if (!list) return snapshot.finish(nothing, now().toISOString())
    const views = hasViews ? list.views : undefined
    const wholeness = await client
      .elements(views?.path ?? list.path, snapshot.reader, list.pageOrder)
      .catch((error: unknown) => {
        if (isNoList(error)) return nothing
        throw error
      })
    const { pageOrder } = list
    const isSure = views ? await readBeside(snapshot, client, { views, pageOrder }, wholeness) : true
    return snapshot.finish({ ...wholeness, isSure: wholeness.isSure && isSure }, now().toISOString())
  } catch (error) {
    snapshot.giveUp()
    throw error
  }
}

/** What a reading is done with. */
export interface Tools {
  now: () => Date
  reportBug: (error: unknown) => string
  /** How much a list may bring; else each by what it held and by the space on the disk. */
  bounds?: ListBounds | undefined
  /** Breaks the reading off. */
  signal?: AbortSignal
  /** Reads long lists beside the thread that writes them. */
  elementThread?: ElementThread | undefined
}

type Open<Asked> = (...access: Parameters<typeof openClient>) => Asked

/** Does some reading by connections of its own, which are let go at its end. */
export const reach = async <Asked extends Pick<ListClient, 'close' | 'stop'>, T>(
  { dialect }: Pick<Writer, 'dialect'>,
  { access, routes, language }: Reached,
  { open, signal }: { open: Open<Asked>; signal?: AbortSignal | undefined },
  read: (client: Asked) => Promise<T>,
): Promise<T> => {
  const { url, authorization } = access
  const client = open(url, authorization, () => language, dialect.conventions, fixedRouting(routes))
  const stop = () => background(client.stop(), toProcess)
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  try {
    return await read(client)
  } finally {
    signal?.removeEventListener('abort', stop)
    await client.close()
  }
}

/** Writes what came, and gives packages the policies that their agreements have now. */
export const finishReading = (writer: Writer, subjects: readonly Subject[]): void => {
  writer.commit()
  if (subjects.includes('packages') || subjects.includes('agreements'))
    writer.transaction(() => void (writer.packages.takePolicies() > 0 && writer.wrote('packages')))
}

/** Reads lists of an archive into the local copy, all of them at the same time. */
export const readLists = async (
  writer: Writer,
  wanted: Wanted,
  {
    now,
    reportBug,
    bounds,
    signal,
    elementThread,
    open = openClient,
  }: Tools & { open?: Open<Asked & Pick<ListClient, 'close' | 'stop'>> },
): Promise<Read> => {
  const { subjects, hasViews, isAll } = wanted
  const began = performance.now()
  const results = await reach(writer, wanted, { open, signal }, (client) =>
    Promise.allSettled(
      subjects.map(async (subject) => ({
        subject,
        ...(await readList(writer, client, { subject, hasViews }, { now, bounds, elementThread })),
      })),
    ),
  )
  const [finished] = await Promise.allSettled([
    new Promise<void>((done) => done(finishReading(writer, subjects))),
  ])
  const reason: unknown = [...results, finished].find((result) => result.status === 'rejected')?.reason
  const read = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const changed = read.filter(({ hasChanged }) => hasChanged).map(({ subject }) => subject)
  // What could not be written to its end is held in part at most.
  const complete = finished.status === 'fulfilled' ? read.map(({ subject }) => subject) : []
  if (reason !== undefined) return { changed, complete, failure: failureOf(reason, reportBug) }
  if (isAll) writer.complete(now().toISOString(), Math.round(performance.now() - began))
  return { changed, complete, failure: null }
}
