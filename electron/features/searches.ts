import { randomUUID } from 'node:crypto'
import { withoutMark } from '../common/byte-order-mark.ts'
import type { Archive } from '../archives/archive.ts'
import { messageOf } from '../common/errors.ts'
import { entryIn, isRecord } from '../common/records.ts'
import { knownKeys, readAsked, toAddress, toStored } from '../contract/search-filters.ts'
import type { Fulfils } from '../contract/define.ts'
import type { FormField } from '../contract/description.ts'
import { Failed } from '../contract/failure.ts'
import { queuedChoice } from '../contract/queued.ts'
import type { searches as promised, StoredSearch } from '../contract/searches.ts'
import type { Creations } from '../jobs/kinds/creation/creations.ts'
import { onDisk, readChosen } from '../packaging/disk.ts'
import { replaceFile } from '../replace-file.ts'
import type { Ask } from '../questions/questions.ts'
import type { KeptSearch, SeenHits } from '../store/desk/desk-lists.ts'
import type { DeskStore } from '../store/desk/desk-store.ts'
import type { FoundIds } from '../store/search/find.ts'
import type { Notices } from '../sync/notices.ts'
import { askedOf, queryOf } from '../sync/stored-searches.ts'
import type { Dialect } from '../dialects/dialect.ts'

interface Parts {
  store: DeskStore
  dialectOf: (archive: string) => Pick<Dialect, 'storedSearches'>
  creations: Creations
  notices: Pick<Notices, 'ofDesk'>
  ask: Ask
  now: () => Date
  choose: (what: 'searches') => Promise<string[]>
  chooseTarget: (what: 'searches', name: string) => Promise<string | undefined>
  changed: (archive: string) => void
}

type Known = Pick<StoredSearch, 'id' | 'name' | 'keptIn' | 'refusal'> & { query: unknown }

const list = 'me/searches'
const field = (name: string, type: FormField['type']): FormField => ({
  name,
  label: name,
  help: '',
  type,
  isRequired: true,
  longest: null,
  choices: [],
  of: [],
})
const fields = [field('name', 'text'), field('query', 'json')]
const unseen: SeenHits = {
  at: null,
  ids: [],
  lists: [],
  isWithoutIndexFilters: false,
  told: [],
  isTold: false,
}
/** What is found is all that was seen. */
const seenNow = ({ ids, lists, isWithoutIndexFilters }: FoundIds) => ({ ids, lists, isWithoutIndexFilters })
const mostInFile = 1_000

interface InFile {
  name: string
  query: unknown
}
const keyOf = ({ name, query }: InFile) => JSON.stringify([name, queryOf(query)])

/** What a file of searches may hold: ours, or a bare list as the interface gives it. */
const rowsIn = (read: unknown): unknown[] => {
  const listed = isRecord(read) ? read['searches'] : read
  return Array.isArray(listed) ? listed : []
}

/**
 * Reads a file of searches, by what tells them from others: each is there once.
 * @throws Failed bad-searches with what is wrong
 */
const readSearches = (file: string, bytes: Buffer): Map<string, InFile> => {
  const found = new Map<string, InFile>()
  try {
    const rows = rowsIn(JSON.parse(withoutMark(bytes.toString('utf8'))))
    if (rows.length > mostInFile) throw new Error(`${rows.length} searches; at most ${mostInFile} are read`)
    for (const row of rows) {
      if (!isRecord(row) || typeof row['name'] !== 'string' || !('query' in row)) continue
      const search = { name: row['name'].trim().slice(0, 255), query: row['query'] }
      if (search.name !== '') found.set(keyOf(search), search)
    }
  } catch (error) {
    // JSON may also lie in itself deeper than anybody could write it again.
    throw badSearches(file, messageOf(error))
  }
  if (found.size === 0) throw badSearches(file, '')
  return found
}
const badSearches = (path: string, detail: string) => new Failed({ kind: 'bad-searches', path, detail })

/** The id of a search that this desk alone keeps; that of one on its way to the archive is queuedChoice. */
const localId = (search: string) => `own:${search}`

type Calls = Fulfils<typeof promised, [Archive]>

/** The list that a hit is a row of. */
const listOf = (hit: string) => hit.slice(0, hit.indexOf(' '))

/**
 * What a person saw of a search. The rows of a list that was read for the first time since are kept as seen:
 * they were in the archive then, too; and so are those that are found because a type is not asked for any
 * more.
 */
const keepFirstRead = ({ lists }: DeskStore, archive: string, id: string, found: FoundIds) => {
  const seen = lists.seenHits(archive, id)
  if (!seen) return undefined
  const { isWithoutIndexFilters } = found
  const before = seen.lists ?? found.lists
  const firstRead = new Set(found.lists.filter((list) => !before.includes(list)))
  const isWider = isWithoutIndexFilters && !seen.isWithoutIndexFilters
  const isSame = isWithoutIndexFilters === seen.isWithoutIndexFilters
  if (seen.lists !== null && firstRead.size === 0 && isSame) return seen
  const seenToo = found.ids.filter((hit) => isWider || firstRead.has(listOf(hit)))
  const completed: SeenHits = {
    ...seen,
    lists: [...before, ...firstRead],
    isWithoutIndexFilters,
    ids: [...new Set([...seen.ids, ...seenToo])],
  }
  lists.keepSeenHits(archive, id, completed)
  return completed
}

/**
 * What is new since a person looked, in the lists that had been read whole by then. That an earlier
 * generation is found in place of one that was, since that one is found no more, is nothing new.
 */
const freshIn = (found: FoundIds, { at: seenAt, ids: before, lists, told }: SeenHits): string[] => {
  if (seenAt === null) return []
  const read = new Set(lists ?? found.lists)
  const seen = new Set(before)
  const known = new Set([...before, ...told])
  return found.ids.filter(
    (id) =>
      read.has(listOf(id)) &&
      !seen.has(id) &&
      !entryIn(found.otherGenerations, id)?.some((other) => known.has(other)),
  )
}

/** The searches that are kept: in the archive, on their way there, and at this desk alone. */
const openKept = ({ store: { lists }, ask, dialectOf, creations }: Parts) => {
  const inArchive = async (archive: string): Promise<Known[]> =>
    (await ask('storedSearches', archive)).map(({ id, title, query }) => ({
      id,
      name: title,
      keptIn: 'archive',
      refusal: null,
      query,
    }))
  /** What was seen of a search while it waited counts once the archive has it. */
  const adoptSeen = (archive: string) => {
    for (const { id, remote: made } of creations.of(archive, list, mostInFile)) {
      const seen = made === null ? undefined : lists.seenHits(archive, queuedChoice(id))
      if (made !== null && seen && !lists.seenHits(archive, made)) lists.keepSeenHits(archive, made, seen)
    }
  }
  const all = async (archive: string): Promise<Known[]> => {
    const remote = await inArchive(archive)
    adoptSeen(archive)
    const queued = creations
      .of(archive, list, mostInFile)
      .filter(({ state, remote: made }) => state !== 'delivered' || !remote.some(({ id }) => id === made))
      .map((creation): Known => ({
        id: queuedChoice(creation.id),
        name: creation.title,
        keptIn: 'outbox',
        refusal: creation.failure,
        query: creations.values(creation.id)['query'],
      }))
    const local = lists.searches(archive).map((kept): Known => ({
      id: localId(kept.id),
      name: kept.name,
      keptIn: 'desk',
      refusal: kept.refusal,
      query: kept.query,
    }))
    return [...remote, ...queued, ...local]
  }
  return {
    all,
    /** @throws Failed not-found */
    need: async (archive: string, id: string): Promise<Known> => {
      const found = (await all(archive)).find((known) => known.id === id)
      if (!found) throw new Failed({ kind: 'not-found', what: id })
      return found
    },
    /** One that is kept at this desk alone. @throws Failed not-found */
    local: (archive: string, id: string): KeptSearch => {
      const found = lists.searches(archive).find((kept) => localId(kept.id) === id)
      if (!found) throw new Failed({ kind: 'not-found', what: id })
      return found
    },
    /** A query in our words, whatever archive it comes from. */
    inOurWords: (archive: string, query: unknown) => dialectOf(archive).storedSearches.read(queryOf(query)),
  }
}
type Kept = ReturnType<typeof openKept>

/** What a search finds now, and what of that is new since a person looked. */
const looking = (
  { store, ask, now, changed }: Parts,
  kept: Kept,
): Pick<Calls, 'list' | 'fresh' | 'see' | 'notify'> => {
  const { lists } = store
  const idsOf = (archive: string, query: unknown) =>
    ask('foundIds', archive, askedOf(kept.inOurWords(archive, query)))
  const seenOf = (archive: string, id: string) => lists.seenHits(archive, id) ?? unseen
  const toShown = async (archive: string, { query, ...known }: Known): Promise<StoredSearch> => {
    const ours = kept.inOurWords(archive, query)
    const found = await idsOf(archive, query)
    const seen = keepFirstRead(store, archive, known.id, found) ?? unseen
    return {
      ...known,
      address: toAddress(readAsked(ours)),
      notUnderstood: Object.keys(ours).filter((key) => !knownKeys.includes(key)),
      total: found.ids.length,
      isMore: found.isMore,
      since: seen.at,
      isTold: seen.isTold,
      news: seen.at === null || found.isMore ? null : freshIn(found, seen).length,
    }
  }
  return {
    list: async ({ id: archive }) =>
      Promise.all((await kept.all(archive)).map((known) => toShown(archive, known))),
    fresh: async ({ id: archive }, { id }) => {
      const found = await idsOf(archive, (await kept.need(archive, id)).query)
      return ask('foundRows', archive, freshIn(found, seenOf(archive, id)).slice(0, 100))
    },
    see: async ({ id: archive }, { id }) => {
      const found = await idsOf(archive, (await kept.need(archive, id)).query)
      const at = now().toISOString()
      lists.keepSeenHits(archive, id, { ...seenOf(archive, id), at, ...seenNow(found), told: [] })
      changed(archive)
    },
    notify: async ({ id: archive }, { id, isTold }) => {
      const found = await idsOf(archive, (await kept.need(archive, id)).query)
      const before = seenOf(archive, id)
      const seen = before.at === null ? { ...before, at: now().toISOString(), ...seenNow(found) } : before
      lists.keepSeenHits(archive, id, { ...seen, isTold })
      changed(archive)
    },
  }
}

/** Keeping a search, in the archive where it takes searches, and changing those of this desk. */
const keeping = (
  { store, creations, now, ask, changed }: Parts,
  kept: Kept,
): Pick<Calls, 'store' | 'rename' | 'remove'> => {
  const { lists } = store
  return {
    store: async ({ id: archive }, { name, address, isTold }) => {
      const query = toStored(readAsked(address))
      const made = await creations.add({
        archive,
        list,
        fields,
        values: { name, query: JSON.stringify(query) },
      })
      const refusal = made.state === 'refused' ? made.failure : null
      let id = queuedChoice(made.id)
      if (refusal !== null) {
        // An archive that keeps no searches does not keep a person from keeping them.
        creations.remove(made.id, now().toISOString())
        const local = randomUUID()
        lists.keepSearch({ id: local, archive, made: now().toISOString(), name, query, refusal })
        id = localId(local)
      }
      if (isTold) {
        const found = await ask('foundIds', archive, askedOf(kept.inOurWords(archive, query)))
        lists.keepSeenHits(archive, id, { ...unseen, at: now().toISOString(), ...seenNow(found), isTold })
      }
      changed(archive)
      return { refusal }
    },
    rename: (archive, { id, name }) => {
      lists.keepSearch({ ...kept.local(archive.id, id), name })
      changed(archive.id)
    },
    remove: (archive, { id }) => {
      lists.removeSearch(kept.local(archive.id, id).id)
      changed(archive.id)
    },
  }
}

/** Searches as a file, for another desk. */
const exchanging = (
  { store, now, choose, chooseTarget, changed }: Parts,
  kept: Kept,
): Pick<Calls, 'export' | 'import'> => {
  const { lists } = store
  return {
    export: async (archive) => {
      const file = await chooseTarget('searches', 'searches.json')
      if (file === undefined) return null
      const rows = (await kept.all(archive.id)).map(({ name, query }) => ({ name, query: queryOf(query) }))
      await onDisk(file, () =>
        replaceFile(
          file,
          `${JSON.stringify({ format: 'Lectern stored searches', version: 1, searches: rows }, null, 2)}\n`,
        ),
      )
      return rows.length
    },
    import: async ({ id: archive }) => {
      const [file] = await choose('searches')
      if (file === undefined) return null
      const bytes = await readChosen(file, (why) => badSearches(file, why))
      const found = readSearches(file, bytes)
      for (const have of await kept.all(archive)) found.delete(keyOf(have))
      for (const { name, query } of found.values())
        lists.keepSearch({ id: randomUUID(), archive, made: now().toISOString(), name, query, refusal: null })
      changed(archive)
      return found.size
    },
  }
}

/** Tells of new hits, each once, where a person asked for it. */
const watching =
  ({ store, notices, ask, now }: Parts, kept: Kept) =>
  async (archive: string): Promise<void> => {
    const { lists } = store
    for (const { id, name, query } of await kept.all(archive)) {
      if (!lists.seenHits(archive, id)?.isTold) continue
      const ours = kept.inOurWords(archive, query)
      const found = await ask('foundIds', archive, askedOf(ours))
      const seen = keepFirstRead(store, archive, id, found)
      if (!seen) continue
      const told = new Set(seen.told)
      const fresh = found.isMore ? [] : freshIn(found, seen).filter((hit) => !told.has(hit))
      if (fresh.length === 0) continue
      // What counts as told has a message, also where the disk is full or the desk ends in between.
      await store.transaction(() => {
        lists.keepSeenHits(archive, id, { ...seen, told: [...seen.told, ...fresh].slice(-5_000) })
        return notices.ofDesk(archive, {
          key: `s${id} ${now().toISOString()}`,
          content: { says: 'search', name, count: fresh.length },
          place: `search/${encodeURIComponent(toAddress(readAsked(ours)))}`,
          isFailure: false,
        })
      })
    }
  }

/** Stored searches, and what is new in them. */
export const searches = (parts: Parts): { calls: Calls; watch: (archive: string) => Promise<void> } => {
  const kept = openKept(parts)
  return {
    calls: { ...looking(parts, kept), ...keeping(parts, kept), ...exchanging(parts, kept) },
    watch: watching(parts, kept),
  }
}
