import type { Archive } from '../archives/archive.ts'
import { describedBy } from '../archive-client/held-lists.ts'
import { askOptions, queuedChoice, readForm } from '../archive-client/forms.ts'
import { idOf, readable, readRecord, type HeldRecord } from '../archive-client/records.ts'
import { referringTo } from '../archive-client/references.ts'
import { wayTo } from '../archive-client/ways.ts'
import type { StorageMedium } from '../archive-client/storage.ts'
import type { Capabilities, Way } from '../contract/capabilities.ts'
import { checkForm } from '../contract/check-form.ts'
import type { Fulfils } from '../contract/define.ts'
import type { description as promised, FormField, RecordLink } from '../contract/description.ts'
import { Failed, isUnreached } from '../contract/failure.ts'
import { listNamed, type ListName } from '../contract/lists.ts'
import type { Creations } from '../outbox/creations.ts'
import type { Ask } from '../questions/questions.ts'
import { isOlderThan } from '../store/age.ts'
import type { Cache } from '../store/cache.ts'
import type { CacheOf } from '../store/caches.ts'
import type { Thread } from '../sync/thread.ts'

interface Parts {
  /** What an archive can do, where it was asked. */
  able: (archive: string) => Capabilities | null
  /** Waits until an archive that is being asked has said it. */
  settled: (archive: string) => Promise<void>
  cacheOf: CacheOf
  ask: Ask
  /** Who writes the local copy. */
  thread: Pick<Thread, 'look' | 'holdOptions'>
  creations: Creations
  now: () => Date
  /** Reads a list again; what is held stays where it cannot be had. */
  refresh: (archive: string, list: ListName) => Promise<void>
}

/** Ways for which the list itself describes no fields. */
const byAnotherWay: Way[] = ['structure', 'search', 'administration', 'never']
const freshForMs = 10_000
const mostRelated = 50
/** A longer list cannot be chosen from: its field takes an id. */
const mostChoices = 5_000

/** What is held is given at once; a list that was looked at is then read anew, and its page hears when it has changed. */
export const description = ({
  able,
  settled,
  cacheOf,
  ask,
  thread,
  creations,
  now,
  refresh,
}: Parts): {
  calls: Fulfils<typeof promised, [Archive]>
  formOf: (archive: Archive, list: ListName) => Promise<FormField[] | null>
} => {
  const isStale = (archive: string, list: ListName) =>
    isOlderThan(freshForMs, cacheOf(archive).asOf(`description/${list}`), now())

  const freshen = (archive: string, list: ListName) => {
    if (isStale(archive, list)) void refresh(archive, list)
  }

  /** A vocabulary that has no place at this desk, and that a form needs all the same. */
  const elsewhere = async ({ reached }: Archive, path: string): Promise<FormField['choices']> => {
    // Where it cannot be had, its field takes an id.
    const rows =
      (await reached()
        ?.list(`${path}/`)
        .catch(() => [])) ?? []
    return rows
      .map((row) => ({ value: idOf(row), text: readable(row) || idOf(row) }))
      .filter(({ value }) => value !== '')
  }

  /** What a reference may name: the records that are held, and those of this desk that are still on their way. */
  const choicesOf = async (of: Archive, path: string): Promise<FormField['choices']> => {
    const archive = of.id
    const cache = cacheOf(archive)
    if (path === 'information-packages')
      return cache.packages
        .some(cache.count('packages') > mostChoices ? 0 : mostChoices)
        .map(({ id, label, identifier, generation }) => ({
          value: id,
          text: `${label || identifier || id}${generation === null ? '' : ` (${generation})`} – ${identifier}`,
        }))
    const list = listNamed(path)
    if (!list) return elsewhere(of, path)
    if (isStale(archive, list)) await refresh(archive, list)
    const held =
      cache.count(`description/${list}`) > mostChoices ? [] : cache.all<HeldRecord>(`description/${list}`)
    const own = creations.list(archive).filter((it) => it.list === list && it.state !== 'delivered')
    return [
      ...held.map(({ id, title, note }) => ({ value: id, text: note === '' ? title : `${title} – ${note}` })),
      ...own.map(({ id, title }) => ({ value: queuedChoice(id), text: `${title} …` })),
    ]
  }

  const formOf = async (of: Archive, list: ListName): Promise<FormField[] | null> => {
    const archive = of.id
    await settled(archive)
    const cache = cacheOf(archive)
    const way = wayTo(able(archive), list)
    const there = of.reached()
    const isPlain = !byAnotherWay.includes(way)
    const said =
      there && isPlain
        ? await askOptions(there, list).then(
            (body) => {
              if (body !== undefined) thread.holdOptions(archive, list, body)
              return body ?? cache.options(list)
            },
            (error: unknown) => {
              if (error instanceof Failed && isUnreached(error.failure))
                return cache.options(list) ?? undefined
              throw error
            },
          )
        : (cache.options(list) ?? undefined)
    const read = new Map<string, Promise<FormField['choices']>>()
    return readForm(
      list,
      said,
      (path) => {
        const reading = read.get(path) ?? choicesOf(of, path)
        read.set(path, reading)
        return reading
      },
      way,
    )
  }

  const titleOf = (cache: Cache, { list, id }: RecordLink): string | undefined => {
    if (list === 'information-packages') return cache.packages.facts(id)?.label
    if (list === 'storage-mediums') return cache.one<StorageMedium>('media', id)?.model.name
    return cache.one<HeldRecord>(`description/${list}`, id)?.model.title
  }

  const calls: Fulfils<typeof promised, [Archive]> = {
    list: ({ id: archive }, which) => {
      freshen(archive, which.list)
      return ask('records', archive, which)
    },
    beginning: async (archive, which) => ({ line: await ask('recordBeginning', archive.id, which) }),
    one: ({ id: archive }, { list, id }) => {
      freshen(archive, list)
      const cache = cacheOf(archive)
      const found = cache.one<HeldRecord>(`description/${list}`, id)
      if (!found) throw new Failed({ kind: 'not-found', what: id })
      thread.look(archive, `description/${list}`, id)
      const named = found.model.refs
        .map((ref) => listNamed(ref.replace(/:.*/s, '')))
        .filter((other) => other !== undefined)
      for (const other of new Set([...referringTo(list), ...named])) freshen(archive, other)
      const { title, note } = found.model
      return {
        title,
        note,
        raw: found.raw,
        asOf: cache.asOf(`description/${list}`),
        ...readRecord(list, JSON.parse(found.raw), (link) => titleOf(cache, link)),
        path: cache.pathTo({ list, id }).map((above) => ({ id: above.id, title: above.title })),
        related: cache.referring(`${list}:${id}`, mostRelated).flatMap(({ subject, total, ids }) => {
          const from = describedBy(subject)
          const held = ids.flatMap((other) =>
            from ? (cache.one<HeldRecord>(`description/${from}`, other)?.model ?? []) : [],
          )
          return from
            ? [{ list: from, total, rows: held.map((it) => ({ id: it.id, title: it.title, note: it.note })) }]
            : []
        }),
      }
    },
    form: async (archive, { list }) => ({
      fields: await formOf(archive, list),
      way: wayTo(able(archive.id), list),
    }),
    create: async (archive, { list, values, replaces }) => {
      const fields = await formOf(archive, list)
      if (!fields) throw new Failed({ kind: 'not-allowed', detail: '' })
      const troubles = checkForm(fields, values)
      if (troubles.size > 0)
        throw new Failed({
          kind: 'refused',
          fields: Object.fromEntries([...troubles].map(([name, trouble]) => [name, [trouble]])),
        })
      const { id, state, remote, failure } = await (replaces === undefined
        ? creations.add(archive.id, list, fields, values)
        : creations.change(replaces, fields, values))
      if (state !== 'refused' || !failure)
        return { id: state === 'delivered' ? remote : null, queued: state === 'delivered' ? null : id }
      // Refused at once: the form is still there to be corrected, and needs no twin in the outbox.
      if (replaces === undefined) creations.remove(id, now().toISOString())
      throw new Failed(failure)
    },
  }
  return { calls, formOf }
}
