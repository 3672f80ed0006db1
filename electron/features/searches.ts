import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Archive } from '../archives/archive.ts'
import type { HeldRecord } from '../archive-client/records.ts'
import { knownKeys, readAsked, toAddress, toStored } from '../contract/asked.ts'
import type { Fulfils } from '../contract/define.ts'
import type { FormField } from '../contract/description.ts'
import { Failed } from '../contract/failure.ts'
import type { searches as promised, StoredSearch } from '../contract/searches.ts'
import type { Creations } from '../outbox/creations.ts'
import { onDisk } from '../packaging/disk.ts'
import { replaceFile } from '../replace-file.ts'
import type { Ask } from '../questions/questions.ts'
import type { CacheOf } from '../store/caches.ts'
import type { KeptSearch, SearchLook } from '../store/desk-lists.ts'
import type { DeskStore } from '../store/desk.ts'
import type { Notices } from '../sync/notices.ts'
import { askedOf, queryOf } from '../sync/stored-searches.ts'

interface Parts {
  store: DeskStore
  cacheOf: CacheOf
  creations: Creations
  notices: Pick<Notices, 'own'>
  ask: Ask
  now: () => Date
  choose: (what: 'searches') => Promise<string[]>
  chooseTarget: (what: 'searches', name: string) => Promise<string | undefined>
  words: () => { fresh: (name: string, count: number) => string; title: string }
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
const unseen: SearchLook = { at: null, ids: [], told: [], isTold: false }
const mostInFile = 1_000

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a file of searches may hold: ours, or a bare list as the interface gives it. */
const readFileOf = (text: string): { name: string; query: unknown }[] => {
  const read = parsed(text)
  const rows = Array.isArray(read)
    ? read
    : typeof read === 'object' && read !== null && 'searches' in read && Array.isArray(read.searches)
      ? read.searches
      : []
  return rows
    .slice(0, mostInFile)
    .flatMap((row: unknown) =>
      typeof row === 'object' &&
      row !== null &&
      'name' in row &&
      typeof row.name === 'string' &&
      row.name.trim() !== '' &&
      'query' in row
        ? [{ name: row.name.trim().slice(0, 255), query: row.query }]
        : [],
    )
}

export const searches = ({
  store,
  cacheOf,
  creations,
  notices,
  ask,
  now,
  choose,
  chooseTarget,
  words,
  changed,
}: Parts) => {
  const { lists } = store

  const known = (archive: string): Known[] => {
    const cache = cacheOf(archive)
    const remote = cache.all<HeldRecord>(`description/${list}`).map(({ id, title }): Known => {
      const raw = cache.raw(`description/${list}`, id) as { query?: unknown } | undefined
      return { id, name: title, keptIn: 'archive', refusal: null, query: raw?.query }
    })
    const queued = creations
      .list(archive)
      .filter(
        (it) => it.list === list && (it.state !== 'delivered' || !remote.some(({ id }) => id === it.remote)),
      )
      .map((it): Known => ({
        id: `queued:${it.id}`,
        name: it.title,
        keptIn: 'outbox',
        refusal: it.failure,
        query: creations.values(it.id)['query'],
      }))
    const own = lists.searches(archive).map((it): Known => ({
      id: `own:${it.id}`,
      name: it.name,
      keptIn: 'desk',
      refusal: it.refusal,
      query: it.query,
    }))
    return [...remote, ...queued, ...own]
  }
  const need = (archive: string, id: string): Known => {
    const found = known(archive).find((it) => it.id === id)
    if (!found) throw new Failed({ kind: 'not-found', what: id })
    return found
  }
  const own = (archive: string, id: string): KeptSearch => {
    const found = lists.searches(archive).find((it) => `own:${it.id}` === id)
    if (!found) throw new Failed({ kind: 'not-found', what: id })
    return found
  }
  const freshIn = (ids: string[], { at, ids: before }: SearchLook) => {
    const seen = new Set(before)
    return at === null ? [] : ids.filter((id) => !seen.has(id))
  }

  const toShown = async (archive: string, { query, ...it }: Known): Promise<StoredSearch> => {
    const look = lists.look(archive, it.id) ?? unseen
    const asked = readAsked(queryOf(query))
    const ids = await ask('foundIds', archive, askedOf(query))
    return {
      ...it,
      address: toAddress(asked),
      notUnderstood: Object.keys(queryOf(query)).filter((key) => !knownKeys.includes(key)),
      total: ids.ids.length,
      isMore: ids.isMore,
      since: look.at,
      isTold: look.isTold,
      news: look.at === null || ids.isMore ? null : freshIn(ids.ids, look).length,
    }
  }

  /** Tells of new hits, each once, where a person asked for it. */
  const watch = async (archive: string) => {
    for (const { id, name, query } of known(archive)) {
      const look = lists.look(archive, id)
      if (!look?.isTold) continue
      const { ids, isMore } = await ask('foundIds', archive, askedOf(query))
      const told = new Set(look.told)
      const fresh = isMore ? [] : freshIn(ids, look).filter((it) => !told.has(it))
      if (fresh.length === 0) continue
      const at = now().toISOString()
      lists.keepLook(archive, id, { ...look, told: [...look.told, ...fresh].slice(-5_000) })
      await notices.own(archive, {
        key: `s${id} ${at}`,
        title: words().title,
        body: words().fresh(name, fresh.length),
        place: `search/${encodeURIComponent(toAddress(readAsked(queryOf(query))))}`,
        isFailure: false,
      })
    }
  }

  const calls: Fulfils<typeof promised, [Archive]> = {
    list: ({ id: archive }) => {
      return Promise.all(known(archive).map((it) => toShown(archive, it)))
    },
    store: async ({ id: archive }, { name, address }) => {
      const query = toStored(readAsked(address))
      const made = await creations.add(archive, list, fields, { name, query: JSON.stringify(query) })
      const refusal = made.state === 'refused' ? made.failure : null
      if (refusal !== null) {
        // An archive that keeps no searches does not keep a person from keeping them.
        creations.remove(made.id, now().toISOString())
        lists.keepSearch({ id: randomUUID(), archive, made: now().toISOString(), name, query, refusal })
      }
      changed(archive)
      return { refusal }
    },
    fresh: async ({ id: archive }, { id }) => {
      const it = need(archive, id)
      const { ids } = await ask('foundIds', archive, askedOf(it.query))
      const fresh = freshIn(ids, lists.look(archive, id) ?? unseen)
      return ask('foundRows', archive, fresh.slice(0, 100))
    },
    look: async ({ id: archive }, { id }) => {
      const { ids } = await ask('foundIds', archive, askedOf(need(archive, id).query))
      lists.keepLook(archive, id, {
        ...(lists.look(archive, id) ?? unseen),
        at: now().toISOString(),
        ids,
        told: [],
      })
      changed(archive)
    },
    tell: async ({ id: archive }, { id, isTold }) => {
      const { ids } = await ask('foundIds', archive, askedOf(need(archive, id).query))
      const look = lists.look(archive, id) ?? unseen
      lists.keepLook(archive, id, {
        ...look,
        isTold,
        ...(look.at === null ? { at: now().toISOString(), ids } : {}),
      })
      changed(archive)
    },
    rename: (archive, { id, name }) => {
      lists.keepSearch({ ...own(archive.id, id), name })
      changed(archive.id)
    },
    remove: (archive, { id }) => {
      lists.removeSearch(own(archive.id, id).id)
      changed(archive.id)
    },
    export: async (archive) => {
      const file = await chooseTarget('searches', 'searches.json')
      if (file === undefined) return null
      const rows = known(archive.id).map(({ name, query }) => ({ name, query: queryOf(query) }))
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
      const text = await readFile(file, 'utf8')
      const rows = readFileOf(text)
      if (rows.length === 0) throw new Failed({ kind: 'bad-table', path: file, detail: '' })
      const have = new Set(known(archive).map(({ name, query }) => JSON.stringify([name, queryOf(query)])))
      const fresh = rows.filter(({ name, query }) => !have.has(JSON.stringify([name, queryOf(query)])))
      for (const { name, query } of fresh)
        lists.keepSearch({ id: randomUUID(), archive, made: now().toISOString(), name, query, refusal: null })
      changed(archive)
      return fresh.length
    },
  }
  return { calls, watch }
}
