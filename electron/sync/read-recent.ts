import type { ListClient } from '../archive-client/http.ts'
import { Failed } from '../contract/failure.ts'
import type { RecentPart } from '../dialects/dialect.ts'
import { packageFamilies } from '../store/cache/package-families.ts'
import { openSingleRecordWriter } from '../store/reading/single-records.ts'
import type { Writer } from '../store/cache/writer.ts'

const longLists = ['packages', 'objects', 'events'] as const
export type LongList = (typeof longLists)[number]
type Newest = LongList | 'notifications'

const pageLength = 25
/** What has more than so many new pages is read as a whole list. */
const mostPages = 40
/** So many other generations, or packages under work, are asked for one by one; the rest waits. */
const mostGenerations = 10
const mostUnsettled = 20

interface Parts {
  writer: Writer
  archive: Pick<ListClient, 'list' | 'answer'>
  recent: RecentPart
  /** An ISO time, to mark what is new by. */
  now: string
}

/** Below a package there may be nothing that this account sees. */
const orNothing = async <T>(asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked
  } catch (error) {
    const kind = error instanceof Failed ? error.failure.kind : ''
    if (kind === 'not-allowed' || kind === 'not-found') return undefined
    throw error
  }
}

/** The identifier that a message names: archives put one in parentheses behind the label of a package. */
const namedIn = (message: string): string | undefined =>
  [...message.matchAll(/\(([^()]+)\)/g)].map(([, inside]) => inside).at(-1)

/** The parts of lists that are taken, and what is held of them. */
const openTaking = ({ writer, now }: Parts) => {
  const parts = {
    packages: openSingleRecordWriter(writer, 'packages', now),
    objects: openSingleRecordWriter(writer, 'objects', now),
    events: openSingleRecordWriter(writer, 'events', now),
    notifications: openSingleRecordWriter(writer, 'notifications', now),
  }
  return { parts, families: packageFamilies(writer.database) }
}
type Taking = ReturnType<typeof openTaking>

/**
 * Reads a list from its newest record on until one came that was known.
 * @returns the new records, and how many the archive has in all; undefined where too much is new
 */
const readNewest = async ({ archive, recent }: Parts, { parts }: Taking, list: Newest) => {
  const added: unknown[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const { body, count } = await archive.answer(recent.page(recent.newestFirst[list], page, pageLength))
    const rows: unknown[] = Array.isArray(body) ? body : []
    const outcomes = rows.map((row) => parts[list].take([row]).values().next().value)
    added.push(...rows.filter((_, index) => outcomes[index] === 'new'))
    if (outcomes.includes('same') || rows.length < pageLength) return { added, count }
  }
  return undefined
}

/** Reads packages by their identifiers. */
const openPackages = ({ writer, archive, recent }: Parts, { parts, families }: Taking) => {
  const modelsOf = (rows: unknown[]) =>
    rows.flatMap((row) => writer.dialect.lists.packages?.read(row, 0).rows ?? []).map(({ model }) => model)

  /** The packages of an identifier themselves; those that the archive has no longer are gone. */
  const take = async (identifier: string) => {
    const rows = await archive.list(recent.identified(identifier))
    const isThere = parts.packages.take(rows)
    parts.packages.remove(families.identified(identifier).filter((id) => !isThere.has(id)))
    return modelsOf(rows)
  }
  /** Their AIC, and its other generations: which of them is the last is said by each. */
  const takeFamily = async (identifier: string, aic: string) => {
    if (!families.isHeld(aic)) parts.packages.take(await archive.list(recent.inFamily(identifier)))
    for (const other of families.otherGenerations(aic, identifier, mostGenerations)) await take(other)
  }
  const takeBelow = async (id: string) => {
    const copies = await orNothing(archive.list(recent.copiesOf(id)))
    if (copies) {
      const isThere = parts.objects.take(copies)
      parts.objects.remove(families.copiesOf(id).filter((copy) => !isThere.has(copy)))
    }
    const events = await orNothing(archive.list(recent.eventsOf(id)))
    if (events) parts.events.take(events)
  }
  return {
    /** A package with its AIC, the other generations, its copies and its events. */
    read: async (identifier: string) => {
      for (const { id, aic } of await take(identifier)) {
        if (aic !== null) await takeFamily(identifier, aic)
        await takeBelow(id)
      }
    },
    /** Those that the archive works on. @returns their identifiers */
    underWork: async () => {
      const rows = await archive.list(recent.underWork)
      parts.packages.take(rows)
      return new Set(modelsOf(rows).map(({ identifier }) => identifier))
    },
  }
}

/** Reads what is new or changed in an archive, and not its whole lists. */
export const openRecent = (asking: Parts) => {
  const taking = openTaking(asking)
  const { parts, families } = taking
  const packages = openPackages(asking, taking)

  return {
    /**
     * Reads new notifications, and the packages that they name.
     * @returns how many name none; and whether notifications went that were there
     */
    news: async (): Promise<{ nameless: number; areGone: boolean }> => {
      const found = await readNewest(asking, taking, 'notifications')
      const { notifications } = asking.writer.dialect.lists
      const named = (found?.added ?? [])
        .flatMap((row) => notifications?.read(row, 0).rows ?? [])
        .map(({ model }) => namedIn(model.message))
      for (const identifier of new Set(named)) if (identifier !== undefined) await packages.read(identifier)
      return {
        nameless: named.filter((name) => name === undefined).length,
        areGone: !found || (found.count !== null && found.count !== families.count('notifications')),
      }
    },
    /**
     * Reads packages that the archive works on or worked on lately, and what is newest in the long lists.
     * @returns how many records more than are held then it has of each list, below zero where some are gone
     */
    changes: async (): Promise<Map<LongList, number>> => {
      const before = families.unsettled(mostUnsettled)
      const underWork = await packages.underWork()
      for (const identifier of before) if (!underWork.has(identifier)) await packages.read(identifier)
      const lacks = new Map<LongList, number>()
      for (const list of longLists) {
        const newest = readNewest(asking, taking, list).then((found) => found ?? { count: Infinity })
        const count = (await orNothing(newest))?.count ?? null
        if (count !== null) lacks.set(list, count - families.count(list))
      }
      return lacks
    },
    /** How many rows are held of a list. */
    count: families.count,
    changed: (): Newest[] =>
      ([...longLists, 'notifications'] as const).filter((list) => parts[list].hasChanged()),
  }
}
