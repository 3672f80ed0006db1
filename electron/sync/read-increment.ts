import { openClient, type ListClient } from '../archive-client/http.ts'
import { failureOf, type Failure } from '../contract/failure.ts'
import { needed } from '../dialects/dialect.ts'
import { reach, readList, finishReading, type Reached, type Tools } from './read-lists.ts'
import { openRecent, type LongList } from './read-recent.ts'
import type { Writer } from '../store/cache/writer.ts'
import { refreshedSubjects, type Subject } from '../contract/subjects.ts'

/** What came of reading what is new alone. */
export interface ReadIncrement {
  failure: Failure | null
  changed: Subject[]
  /** New notifications that name no package: something changed, and nobody knows where. */
  nameless: number
}

/**
 * How many records an archive counts more than it gives, list by list, as was found when one was read whole
 * for it.
 */
export type Gaps = Map<LongList, number>

type Recent = ReturnType<typeof openRecent>

/** Lists that say nowhere what is new in them; one that is no longer than a few pages is read whole. */
const shortLists = refreshedSubjects.filter(
  (subject) => !['packages', 'objects', 'events', 'notifications'].includes(subject),
)
const mostRows = 500

/** One reading of what is new. */
interface Reading {
  writer: Writer
  client: ListClient
  recent: Recent
  tools: Tools
}

/** An archive that gives what is new alone has a view of its own for packages that stand in no AIC. */
const readWhole = ({ writer, client, tools }: Reading, subject: Subject) =>
  readList(writer, client, { subject, hasViews: true }, tools)

/** @returns those that were not as before */
const readShort = async (reading: Reading) => {
  const changed: Subject[] = []
  for (const subject of shortLists) {
    if (reading.recent.count(subject) > mostRows) continue
    const { hasChanged } = await readWhole(reading, subject)
    if (hasChanged) changed.push(subject)
  }
  return changed
}

const readNews = async (reading: Reading) => {
  const { nameless, areGone } = await reading.recent.news()
  if (areGone) await readWhole(reading, 'notifications')
  return nameless
}

/** What is gone, or was made long ago and came now, is known by the number of records alone. */
const readChanges = async (reading: Reading, gaps: Gaps) => {
  const { recent } = reading
  for (const [list, lacks] of await recent.changes()) {
    if (lacks === 0) gaps.delete(list)
    if (lacks === 0 || lacks === gaps.get(list)) continue
    const before = recent.count(list)
    await readWhole(reading, list)
    const gap = lacks + before - recent.count(list)
    if (gap === 0) gaps.delete(list)
    else if (Number.isFinite(lacks)) gaps.set(list, gap)
  }
  return 0
}

/** What is new: news with the packages that they name, or whatever has changed. */
export type Increment = 'news' | 'changes'

interface WantedIncrement {
  what: Increment
  reached: Reached
  /** Those that are known; what is found of them is noted there. */
  gaps: Gaps
}

/**
 * Reads what is new in an archive that gives it alone: its news, with the packages that they name, or
 * whatever has changed.
 */
export const readIncrement = async (
  writer: Writer,
  { what, reached, gaps }: WantedIncrement,
  tools: Tools,
): Promise<ReadIncrement> => {
  const changed = new Set<Subject>()
  try {
    const nameless = await reach(
      writer,
      reached,
      { open: openClient, signal: tools.signal },
      async (client) => {
        const recent = openRecent({
          writer,
          archive: client,
          recent: needed(writer.dialect.news.recent),
          now: tools.now().toISOString(),
        })
        try {
          const reading = { writer, client, recent, tools }
          if (what === 'news') return await readNews(reading)
          await readChanges(reading, gaps)
          for (const subject of await readShort(reading)) changed.add(subject)
          return 0
        } finally {
          for (const subject of recent.changed()) changed.add(subject)
        }
      },
    )
    finishReading(writer, [...changed])
    return { failure: null, changed: [...changed], nameless }
  } catch (error) {
    return { failure: failureOf(error, tools.reportBug), changed: [...changed], nameless: 0 }
  }
}
