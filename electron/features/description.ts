import { background, toProcess } from '../common/background.ts'
import type { Archive } from '../archives/archive.ts'
import { wayTo, type Capabilities } from '../contract/capabilities.ts'
import { needValidForm } from '../contract/check-form.ts'
import type { Fulfils } from '../contract/define.ts'
import type { description as promised, FormField, RecordLink, TreeRow } from '../contract/description.ts'
import { Failed, isUnreached } from '../contract/failure.ts'
import { listNamed, type ListName } from '../contract/lists.ts'
import type { Creations } from '../jobs/kinds/creation/creations.ts'
import type { Ask } from '../questions/questions.ts'
import { isOlderThan } from '../common/age.ts'
import type { Cache } from '../store/cache/cache.ts'
import type { CacheOf } from '../store/cache/caches.ts'
import type { DeskStore } from '../store/desk/desk-store.ts'
import type { Thread } from '../sync/thread.ts'
import { describedBy } from '../contract/subjects.ts'
import { queuedChoice } from '../contract/queued.ts'
import type { ContentsOf, HeldRecord, StorageMedium } from '../dialects/models.ts'

interface Parts {
  /** What an archive can do, where it was asked. */
  capabilitiesOf: (archive: string) => Capabilities | null
  /** Waits until an archive that is being asked has said it. */
  whenAsked: (archive: string) => Promise<void>
  cacheOf: CacheOf
  ask: Ask
  /** Who writes the local copy. */
  thread: Pick<Thread, 'markSeen' | 'holdOptions'>
  creations: Creations
  isJobOf: DeskStore['isJobOf']
  now: () => Date
  /** Reads a list again; what is held stays where it cannot be had. */
  refresh: (archive: string, list: ListName) => Promise<void>
  readContents: (archive: string, of: ContentsOf) => Promise<void>
}

const freshForMs = 10_000
const contentsFreshForMs = 60_000
/** Units whose contents are read though nobody opened them, of each archive until the program ends. */
const mostUnread = 200
const mostRelated = 50
/** A package stands in few places; more are found in the description itself. */
const mostNodes = 20
/** A longer list cannot be chosen from: its field takes an id. */
const mostChoices = 5_000

type Calls = Fulfils<typeof promised, [Archive]>

/** Lists that are read again where what is held of them is old. */
const openFreshness = ({ cacheOf, now, refresh }: Parts) => {
  const isStale = (archive: string, list: ListName) =>
    isOlderThan(freshForMs, cacheOf(archive).asOf(`description/${list}`), now())
  return {
    /** Begins to read a list again where it is stale; its page hears when it has changed. */
    freshen: (archive: string, list: ListName): void => {
      if (isStale(archive, list)) background(refresh(archive, list), toProcess)
    },
    /** The same, and waits for it. */
    fresh: async (archive: string, list: ListName): Promise<void> => {
      if (isStale(archive, list)) await refresh(archive, list)
    },
  }
}
type Freshness = ReturnType<typeof openFreshness>

/** The tree of what is described; what stands in open rows is read where an archive says it only there. */
const treeReading = (
  { cacheOf, capabilitiesOf, ask, now, readContents }: Parts,
  { freshen }: Freshness,
): Pick<Calls, 'tree' | 'treeBeginning' | 'treePath'> => {
  const placeOf = (archive: string, { kind, to: { id } }: TreeRow): ContentsOf | undefined => {
    if (kind === 'unit') return { list: 'structure-units', id }
    if (kind !== 'node') return undefined
    const node = cacheOf(archive).one<HeldRecord>('description/tags', id)
    return { list: 'tags', id, within: node?.model.within ?? null }
  }
  /** Reads what is old, one after the other. */
  const read = async (archive: string, rows: TreeRow[]) => {
    for (const row of rows) {
      const of = placeOf(archive, row)
      const asOf = of && cacheOf(archive).contentsAsOf(`${of.list}:${of.id}`)
      if (of && isOlderThan(contentsFreshForMs, asOf, now())) await readContents(archive, of)
    }
  }
  /** Units that were asked for though nobody opened them, by archive; and where that goes on now. */
  const askedUnits = new Map<string, Set<string>>()
  const reading = new Set<string>()
  /** Reads what nobody has read yet of the units of open archives: else their nodes stand beside them. */
  const readUnread = async (archive: string, units: string[]) => {
    if (reading.has(archive)) return
    const asked = askedUnits.get(archive) ?? new Set()
    askedUnits.set(archive, asked)
    reading.add(archive)
    try {
      for (const id of units) {
        if (asked.has(id)) continue
        if (asked.size >= mostUnread) return
        asked.add(id)
        const of: ContentsOf = { list: 'structure-units', id }
        const isUnread = () => cacheOf(archive).contentsAsOf(`${of.list}:${id}`) === null
        if (isUnread()) await readContents(archive, of)
        // It cannot be had now; whoever opens the unit asks again.
        if (isUnread()) return
      }
    } catch (error) {
      // One may have signed out meanwhile.
      if (!(error instanceof Failed)) throw error
    } finally {
      reading.delete(archive)
    }
  }
  /** Begins to read what is old; the tree hears when it has changed. */
  const freshenContents = async (archive: string, rows: TreeRow[], open: string[]): Promise<void> => {
    if (capabilitiesOf(archive)?.givesContents !== true) return
    const units = await ask('unreadUnits', archive, open)
    background(
      read(archive, rows).then(() => readUnread(archive, units)),
      toProcess,
    )
  }
  return {
    tree: async ({ id: archive }, which) => {
      freshen(archive, 'tags')
      freshen(archive, 'structure-units')
      const listed = await ask('tree', archive, which)
      const open = new Set(which.open)
      await freshenContents(
        archive,
        listed.rows.filter(({ id }) => open.has(id)),
        which.open,
      )
      return listed
    },
    treeBeginning: async (archive, { open, begins, from }) => ({
      line: await ask('treeBeginning', archive.id, open, begins, from),
    }),
    treePath: (archive, { list, id }) => ask('treePath', archive.id, list, id),
  }
}

const titleOf = (cache: Cache, { list, id }: RecordLink): string | undefined => {
  if (list === 'information-packages') return cache.packages.facts(id)?.label
  if (list === 'storage-mediums') return cache.one<StorageMedium>('media', id)?.model.name
  return cache.one<HeldRecord>(`description/${list}`, id)?.model.title
}

/** What may be chosen in the fields of a form that name another record. */
const openChoices = ({ cacheOf, creations, ask }: Parts, { fresh }: Freshness) => {
  /** A vocabulary that has no place at this desk, and that a form needs all the same. */
  const elsewhere = async ({ findClient, dialect }: Archive, path: string): Promise<FormField['choices']> => {
    const client = findClient()
    return (client && (await dialect().creating?.choices(client, path))) ?? []
  }

  /**
   * What a reference may name: the records that are held, and those of this desk that are still on their way.
   */
  const choicesOf = async (of: Archive, path: string): Promise<FormField['choices']> => {
    const archive = of.id
    const cache = cacheOf(archive)
    if (path === 'information-packages')
      return cache.packages
        .some(cache.count('packages') > mostChoices ? 0 : mostChoices)
        .map(({ id, label, identifier, generation }) => ({
          value: id,
          text:
            `${label || identifier || id}${generation === null ? '' : ` (${generation})`} – ` +
            `${identifier}`,
        }))
    const list = listNamed(path)
    if (!list) return elsewhere(of, path)
    await fresh(archive, list)
    const held = cache.count(`description/${list}`) > mostChoices ? [] : await ask('titles', archive, list)
    const queued = creations.of(archive, list, mostChoices).filter(({ state }) => state !== 'delivered')
    return [...held, ...queued.map(({ id, title }) => ({ value: queuedChoice(id), text: `${title} …` }))]
  }
  return choicesOf
}

/** The fields of a form for a list, as the archive describes them; null where nothing can be made in it. */
const openForms = (parts: Parts, choicesOf: ReturnType<typeof openChoices>) => {
  const { capabilitiesOf, whenAsked, cacheOf, thread } = parts
  const formOf = async (of: Archive, list: ListName): Promise<FormField[] | null> => {
    const archive = of.id
    await whenAsked(archive)
    const cache = cacheOf(archive)
    const { creating } = of.dialect()
    if (!creating) return null
    const client = of.findClient()
    const said =
      client && creating.isAsked(list, capabilitiesOf(archive))
        ? await creating.ask(client, list).then(
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
    return creating.form(
      list,
      said,
      (path) => {
        const reading = read.get(path) ?? choicesOf(of, path)
        read.set(path, reading)
        return reading
      },
      capabilitiesOf(archive),
    )
  }
  return formOf
}
type FormOf = ReturnType<typeof openForms>

/** Reading what is described: lists, and one record with what refers to it. */
const reading = (
  { cacheOf, ask, thread }: Parts,
  { freshen, fresh }: Freshness,
): Pick<Calls, 'list' | 'referred' | 'facet' | 'uniform' | 'beginning' | 'counts' | 'one'> => ({
  list: ({ id: archive }, which) => {
    freshen(archive, which.list)
    return ask('records', archive, which)
  },
  referred: ({ id }, { list }) => ask('referredLists', id, list),
  facet: async ({ id: archive }, which) => {
    const target = listNamed(which.field)
    // What a value is called stands in its own list, which may not have been read yet.
    if (target !== undefined && cacheOf(archive).asOf(`description/${target}`) === null)
      await fresh(archive, target).catch(() => undefined)
    return ask('recordFacet', archive, which)
  },
  uniform: ({ id: archive }, which) => ask('recordUniform', archive, which),
  beginning: async (archive, which) => ({ line: await ask('recordBeginning', archive.id, which) }),
  counts: (archive) => ask('listCounts', archive.id),
  one: ({ id: archive, dialect }, { list, id }) => {
    const { records } = dialect()
    freshen(archive, list)
    const cache = cacheOf(archive)
    const found = cache.one<HeldRecord>(`description/${list}`, id)
    if (!found) throw new Failed({ kind: 'not-found', what: id })
    thread.markSeen(archive, `description/${list}`, id)
    const record = cache.raw(`description/${list}`, id)
    const named = found.model.refs
      .map((ref) => listNamed(ref.replace(/:.*/s, '')))
      .filter((other) => other !== undefined)
    for (const other of new Set([...records.referringTo(list), ...named])) freshen(archive, other)
    const { title, note } = found.model
    return {
      title,
      note,
      raw: JSON.stringify(record, null, 2),
      asOf: cache.asOf(`description/${list}`),
      ...records.read(list, record, (link) => titleOf(cache, link)),
      path: cache.pathTo({ list, id }).map((above) => ({ id: above.id, title: above.title })),
      packages: cache.packagesOf({ list, id }, mostRelated),
      related: cache.referring(`${list}:${id}`, mostRelated).flatMap(({ subject, total, ids }) => {
        const from = describedBy(subject)
        const held = ids.flatMap((other) =>
          from ? (cache.one<HeldRecord>(`description/${from}`, other)?.model ?? []) : [],
        )
        return from
          ? [
              {
                list: from,
                total,
                rows: held.map((record) => ({ id: record.id, title: record.title, note: record.note })),
              },
            ]
          : []
      }),
    }
  },
})

/** Where packages stand, by what is held. */
const placing = ({ cacheOf }: Parts, { freshen }: Freshness): Pick<Calls, 'nodesOf'> => ({
  nodesOf: ({ id: archive, dialect }, { packages }) => {
    freshen(archive, 'tags')
    const cache = cacheOf(archive)
    const { records } = dialect()
    const ids = packages.flatMap((of) =>
      cache
        .referring(`information-packages:${of}`, mostNodes)
        .flatMap((from) => (describedBy(from.subject) === 'tags' ? from.ids : [])),
    )
    return [...new Set(ids)].slice(0, mostNodes).flatMap((id) => {
      const held = cache.one<HeldRecord>('description/tags', id)
      if (!held) return []
      const { title, note } = held.model
      const { fields, leading } = records.read('tags', cache.raw('description/tags', id), (link) =>
        titleOf(cache, link),
      )
      return {
        id,
        title,
        note,
        path: cache.pathTo({ list: 'tags', id }),
        fields: fields.filter(({ name }) => leading.includes(name)),
      }
    })
  },
})

/** Describing something new, or correcting what was not taken. */
const writing = (
  { capabilitiesOf, creations, isJobOf, now }: Parts,
  formOf: FormOf,
): Pick<Calls, 'form' | 'create'> => ({
  form: async (archive, { list }) => ({
    fields: await formOf(archive, list),
    way: wayTo(capabilitiesOf(archive.id), list),
  }),
  create: async (archive, { list, values, replaces }) => {
    const fields = await formOf(archive, list)
    if (!fields) throw new Failed({ kind: 'not-allowed', detail: '' })
    if (replaces !== undefined && !isJobOf(replaces, 'creation', archive.id))
      throw new Failed({ kind: 'not-found', what: replaces })
    needValidForm(fields, values)
    const { id, state, remote, failure } = await (replaces === undefined
      ? creations.add({ archive: archive.id, list, fields, values })
      : creations.change(replaces, fields, values))
    if (state !== 'refused' || !failure)
      return { id: state === 'delivered' ? remote : null, queued: state === 'delivered' ? null : id }
    // Refused at once: the form is still there to be corrected, and needs no duplicate in the outbox.
    if (replaces === undefined) creations.remove(id, now().toISOString())
    throw new Failed(failure)
  },
})

/**
 * What is held is given at once; a list that was looked at is then read anew, and its page hears when it has
 * changed.
 */
export const description = (parts: Parts): { calls: Calls; formOf: FormOf } => {
  const freshness = openFreshness(parts)
  const formOf = openForms(parts, openChoices(parts, freshness))
  return {
    calls: {
      ...reading(parts, freshness),
      ...treeReading(parts, freshness),
      ...placing(parts, freshness),
      ...writing(parts, formOf),
    },
    formOf,
  }
}
