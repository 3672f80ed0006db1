import { failureOf } from '../contract/failure.ts'
import { openElementThread, type ElementThread } from './element-thread.ts'
import { noteDamage } from '../store/cache/cache-file.ts'
import { sayEvent, serveRequests } from '../common/serve-requests.ts'
import { openFiles } from '../store/open-files.ts'
import { openWriter, type Writer } from '../store/cache/writer.ts'
import { readContents } from './read-contents.ts'
import { readLists, type Read, type Tools } from './read-lists.ts'
import { readIncrement, type Gaps, type ReadIncrement } from './read-increment.ts'
import { serveLookup, type LookupRequest } from './serve-lookups.ts'
import type { Dialects } from '../dialects/dialects.ts'
import type { Closing, ReadingRequest, Report } from './thread.ts'

const say = (report: Report) => sayEvent(report)
const reportBug = (error: unknown) => {
  say({ kind: 'bug', text: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  return 'reading'
}

const nothing: Read = { changed: [], complete: [], failure: null }

/**
 * So much of a copy stands in memory while a long list is read into it for the first time: pages of
 * indexes change again and again, and each time one has no space it is written and read once more.
 */
const longListBytes = 24_000 * 1024

const restMs = 2
const betweenWordsMs = 500

/** The local copy of an archive, and what goes on with it. */
interface Copy {
  archive: string
  file: string
  writer: Writer
  readings: Set<Promise<unknown>>
  gaps: Gaps
  stop: AbortController
  hasIndexed: boolean
  /** When it was said last that words came into the index. */
  saidAt: number
  keepInMemory: Writer['keepInMemory']
  close: () => void
}

/** Copies whose words may have to be brought into the index, the one whose turn is next first. */
const toIndex = new Set<Copy>()
let indexing: NodeJS.Timeout | undefined

/** Nothing goes on with it. */
const isIdle = (copy: Copy) => copy.readings.size === 0 && !toIndex.has(copy)

const openCopies = (dialects: Dialects) =>
  openFiles<Copy, [dialect: string]>({
    open: (archive, file, dialect) => {
      const writer = openWriter({
        file,
        dialect: dialects.named(dialect),
        committed: (subjects) => say({ kind: 'written', archive, subjects }),
      })
      return {
        archive,
        file,
        writer,
        readings: new Set(),
        gaps: new Map(),
        stop: new AbortController(),
        hasIndexed: false,
        saidAt: 0,
        keepInMemory: writer.keepInMemory,
        // What could not be written any more is read anew; the others are closed all the same.
        close: () => {
          try {
            writer.close()
          } catch (error) {
            noteDamage(file, error)
            failureOf(error, reportBug)
          }
        },
      }
    },
    most: 3,
    bytes: 16_000 * 1024,
    fewestBytes: 2_000 * 1024,
    isIdle,
  })

/**
 * Nothing is known of it either that would have to be found again: a list that an archive counts otherwise
 * than it gives it would be read whole for that.
 */
const mayBeLeft = (copy: Copy) => isIdle(copy) && copy.gaps.size === 0

/** Without space there are no words for now; what is read next tries again. */
const indexSome = ({ file, writer }: Copy) => {
  try {
    return writer.indexSome()
  } catch (error) {
    noteDamage(file, error)
    failureOf(error, reportBug)
    return false
  }
}
/**
 * The words of some rows of one copy; those of the next one come after a rest, in which other things are
 * done.
 */
const indexNext = () => {
  indexing = undefined
  const [copy] = toIndex
  if (!copy) return
  toIndex.delete(copy)
  // The words of an archive follow when nothing of it is read.
  if (copy.readings.size === 0) {
    const { archive } = copy
    if (indexSome(copy)) {
      copy.hasIndexed = true
      toIndex.add(copy)
      if (performance.now() - copy.saidAt > betweenWordsMs) {
        copy.saidAt = performance.now()
        say({ kind: 'indexed', archive, isAll: false })
      }
    } else if (copy.hasIndexed) {
      copy.hasIndexed = false
      say({ kind: 'indexed', archive, isAll: true })
    }
  }
  if (toIndex.size > 0) indexing = setTimeout(indexNext, restMs)
}
const follow = (copy: Copy) => {
  toIndex.add(copy)
  indexing ??= setTimeout(indexNext)
}

/** Gives a copy more memory while a long list of it is read in another thread. */
const withMemory =
  (elementThread: ElementThread, copy: Copy, giveBack: () => void): ElementThread =>
  (writer, subject) => {
    const readInThread = elementThread(writer, subject)
    return (...body) => {
      const reading = readInThread(...body)
      if (!reading) return undefined
      copy.keepInMemory(longListBytes)
      return reading.finally(giveBack)
    }
  }

/** Does some reading for a copy, which stays open meanwhile; the words of what came follow. */
const read = async <T>(
  copy: Copy,
  elementThread: ElementThread,
  work: (tools: Tools) => Promise<T>,
): Promise<T> => {
  const { file, readings, stop } = copy
  const reading = work({
    now: () => new Date(),
    signal: stop.signal,
    elementThread,
    reportBug: (error) => {
      noteDamage(file, error)
      return reportBug(error)
    },
  })
  readings.add(reading)
  try {
    const found = await reading
    if (!stop.signal.aborted) follow(copy)
    return found
  } finally {
    readings.delete(reading)
  }
}
/**
 * Carries out what the thread is told, as the script of that thread.
 * @param dialects those that archives may speak
 * @param elementScript of the thread that reads long lists beside this one; undefined where this one is to
 * read everything
 */
export const serveReading = (dialects: Dialects, elementScript?: URL) => {
  const elementThread = openElementThread(elementScript, reportBug)
  const files = openCopies(dialects)
  /** Copies that are being closed, by the ids of their archives. */
  const closing = new Map<string, Promise<void>>()
  const closeOnceRead = async (archive: string) => {
    const copy = files.known(archive)
    copy?.stop.abort()
    await Promise.allSettled([...(copy?.readings ?? [])])
    if (copy) toIndex.delete(copy)
    files.close(archive)
  }
  /** Nothing of it is under way any more when it is closed. */
  const close = ({ archive }: Pick<ReadingRequest, 'archive'>): Promise<void> => {
    const ending = closing.get(archive) ?? closeOnceRead(archive).finally(() => closing.delete(archive))
    closing.set(archive, ending)
    return ending
  }
  /** What waited to be opened otherwise has nothing open afterwards either. */
  const release = async (request: Closing): Promise<void> => {
    do await close(request)
    while (files.known(request.archive))
  }

  const carryOut = async (request: ReadingRequest): Promise<Read | ReadIncrement> => {
    const { archive, file, dialect } = request
    const known = files.known(archive)
    // What an archive speaks can change: another writer reads anew what is held.
    const hasOther = known !== undefined && known.writer.dialect.name !== dialect
    const ending = closing.get(archive) ?? (hasOther ? close(request) : undefined)
    // By then somebody else may have opened it, or be closing it.
    if (ending) return ending.then(() => carryOut(request))
    const copy = files.of(archive, file, dialect)
    const { writer, gaps } = copy
    // Nothing waits between here and the reading, so that nobody closes the copy before it is known of.
    return read(
      copy,
      withMemory(elementThread, copy, files.share),
      (tools): Promise<Read | ReadIncrement> => {
        if (request.kind === 'read') return readLists(writer, request.wanted, tools)
        if (request.kind === 'read increment') return readIncrement(writer, { ...request, gaps }, tools)
        if (request.kind === 'read contents') return readContents(writer, request.of, request.reached, tools)
        if (request.kind === 'seen') writer.markSeen(request.subject, request.id)
        else if (request.kind === 'options') writer.holdOptions(request.list, request.body)
        else if (request.kind === 'accept shrunk') writer.acceptShrunk(request.subject)
        return Promise.resolve(nothing)
      },
    )
  }

  serveRequests<ReadingRequest | Closing | LookupRequest>(
    (request) => {
      if (request.kind === 'close') return release(request)
      if (request.kind === 'look up') return serveLookup(request, dialects, reportBug)
      return carryOut(request).catch((error: unknown): Read => {
        noteDamage(request.file, error)
        return { changed: [], complete: [], failure: failureOf(error, reportBug) }
      })
    },
    files.closeAll,
    () => files.all().every(mayBeLeft),
  )
}
