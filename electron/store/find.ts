import type { PremisEvent } from '../contract/packages.ts'
import { describedBy, type Subject } from '../archive-client/held-lists.ts'
import type { HeldRecord } from '../archive-client/records.ts'
import type { StorageMedium, StorageObject } from '../archive-client/storage.ts'
import type { RecordLink } from '../contract/description.ts'
import {
  foundGroups,
  type FilterChoices,
  type Found,
  type FoundAnswer,
  type FoundGroup,
  type QueryTerm,
  type WhichFound,
} from '../contract/find.ts'
import type { HeldFilters, MarkedText } from '../contract/search.ts'
import type { Cache } from './cache.ts'
import { groupFilter, isFiltered } from './found-filters.ts'
import { byName, hasLongWords, markTerms, readQuery, toMatch, type Matching } from './query-text.ts'
import { groupOf } from './word-index.ts'

/** Counting stops here: nobody reads that far, and walking on would take longer than a key press. */
const countedTo = 1_000
/** So many rows that match are looked at for those that a filter lets through. */
const lookedAt = 20_000
const mostExact = 5
const mostChoices = 500
const mostWaiting = 100_000

interface Row {
  number: number
  subject: Subject
  id: string
  model: string
  raw: string
}

const isIdentifier = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The words around the first place that matched. */
const excerptOf = (raw: string, terms: QueryTerm[]): MarkedText => {
  const texts: string[] = []
  const walk = (value: unknown) => {
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
  }
  walk(JSON.parse(raw))
  for (const text of texts) {
    const parts = markTerms(text.slice(0, 2_000), terms)
    const first = parts.findIndex(({ isMatch }) => isMatch)
    if (first < 0) continue
    const before = parts[first - 1]?.text ?? ''
    const after = parts[first + 1]?.text ?? ''
    return [
      { text: before.length > 40 ? `… ${before.slice(-40)}` : before, isMatch: false },
      parts[first] ?? { text: '', isMatch: true },
      { text: after.length > 80 ? `${after.slice(0, 80)} …` : after, isMatch: false },
    ]
  }
  return []
}

const choicesOf = (rows: Record<string, unknown>[]) =>
  rows.map(({ id, name }) => ({ id: String(id), name: typeof name === 'string' ? name : '' }))

/** Finds what is held by its words (FTS5): those that match by name come first, of each the ones that came last. */
export const openFind = ({ database, one, asOf }: Pick<Cache, 'database' | 'one' | 'asOf'>) => {
  const rowOf = database.prepare('select number, subject, id, model, raw from held where number = ?')
  const rowById = database.prepare(
    'select number, subject, id, model, raw from held where subject = ? and id = ?',
  )
  const packageOf = database.prepare(
    'select id, label, identifier, state, generation, type from package where id = ?',
  )
  const subjects = database.prepare('select subject from refreshed')
  const waiting = database.prepare(`select count(*) as n from (select 1 from stale limit ${mostWaiting})`)
  const states = database.prepare(
    `select state from package where type <> 'AIC' group by state order by count(*) desc limit 50`,
  )
  const types = database.prepare('select type from package group by type order by 1')
  const named = (name: string) =>
    database.prepare(
      `select id, model ->> '$.${name}' as name from held where subject = ? order by position, number limit ${mostChoices}`,
    )
  const [byNameOf, byTitle] = [named('name'), named('title')]
  // The index of parents leads to what stands at the top, however much stands below.
  const tops = database.prepare(
    `select id, model ->> '$.title' as name from held indexed by held_record_by_parent where subject = ?
       and substr(subject, 1, 12) = 'description/' and coalesce(above, '') = '' order by position limit ${mostChoices}`,
  )
  const mediumCalled = database.prepare(
    `select id from held where subject = 'media' and folded(model ->> '$.name') = folded(:text) limit ${mostExact}`,
  )

  const linkOf = (subject: Subject, id: string, model: unknown): RecordLink | null => {
    const list = describedBy(subject)
    if (list !== undefined) return { list, id }
    if (subject === 'packages') return { list: 'information-packages', id }
    if (subject === 'objects') return { list: 'information-packages', id: (model as StorageObject).package }
    if (subject === 'media') return { list: 'storage-mediums', id }
    return subject === 'deliveries' ||
      subject === 'transfers' ||
      subject === 'events' ||
      subject === 'notifications'
      ? { list: subject, id }
      : null
  }

  const textsOf = ({
    subject,
    id,
    model: kept,
  }: Row): { title: string; note: string; generation: number | null; state: string; model: unknown } => {
    const plain = { generation: null, state: '' }
    if (subject === 'packages') {
      const it = packageOf.get(id) as
        | { label: string; identifier: string; state: string; generation: number | null; type: string }
        | undefined
      return {
        title: it?.label || it?.identifier || id,
        note: it?.identifier ?? '',
        generation: it?.generation ?? null,
        state: it?.state ?? '',
        model: null,
      }
    }
    const model = JSON.parse(kept) as unknown
    if (subject === 'objects') {
      const it = model as StorageObject
      const of = packageOf.get(it.package) as { label: string } | undefined
      return { ...plain, title: of?.label ?? it.package, note: `${it.mediumId} · ${it.path}`, model }
    }
    if (subject === 'media')
      return {
        ...plain,
        title: (model as StorageMedium).name,
        note: [(model as StorageMedium).location, (model as StorageMedium).locationStatus]
          .filter(Boolean)
          .join(' · '),
        model,
      }
    if (subject === 'events')
      return {
        ...plain,
        title: (model as PremisEvent).detail || (model as PremisEvent).type,
        note: (model as PremisEvent).note,
        model,
      }
    const it = model as Partial<HeldRecord> & { name?: string; message?: string }
    return { ...plain, title: it.title ?? it.name ?? it.message ?? id, note: it.note ?? '', model }
  }

  const toFound = (row: Row, group: FoundGroup, terms: QueryTerm[]): Found => {
    const { title, note, generation, state, model } = textsOf(row)
    const marked = { title: markTerms(title, terms), note: markTerms(note, terms) }
    const isShown = terms.length === 0 || [...marked.title, ...marked.note].some(({ isMatch }) => isMatch)
    return {
      id: `${row.subject} ${row.id}`,
      group,
      ...marked,
      excerpt: isShown ? [] : excerptOf(row.raw, terms),
      to: linkOf(row.subject, row.id, model),
      place: '',
      generation,
      state,
    }
  }

  /** The numbers of rows that match, those by name first, and how many there are. */
  const numbersOf = (
    group: FoundGroup,
    terms: QueryTerm[],
    filters: HeldFilters,
    most: number,
  ): { numbers: number[]; total: number; isMore: boolean } => {
    const nothing = { numbers: [], total: 0, isMore: false }
    const narrowing = groupFilter(
      group,
      filters,
      (agent) => one<HeldRecord>('description/agents', agent)?.model.title ?? '',
    )
    if (!narrowing) return nothing
    const { where, match: more, given } = narrowing
    const sourceOf = ({ names, words }: Matching) => {
      const all = [words, ...(more === '' ? [] : [more])].filter((it) => it !== undefined).join(' AND ')
      const withWords = `select rowid from words_${group} where words_${group} match :words`
      const withNames = `select rowid from names_${group} where names_${group} match :names`
      if (names === undefined) return all === '' ? undefined : { hits: withWords, given: { words: all } }
      return all === ''
        ? { hits: withNames, given: { names } }
        : { hits: `${withNames} and rowid in (${withWords})`, given: { names, words: all } }
    }
    const run = (matching: Matching, limit: number, looked = lookedAt): number[] => {
      const source = sourceOf(matching)
      if (source === undefined && narrowing.plain === undefined) return []
      const from = source
        ? `(${source.hits} order by rowid desc limit ${looked}) w cross join held h on h.number = w.rowid`
        : narrowing.plain
      const rows = database
        .prepare(`select h.number from ${from}${where === '' ? '' : ` where ${where}`} limit :limit`)
        .all({ ...given, ...source?.given, limit })
      return rows.map(({ number }) => Number(number))
    }
    /** Whether a filter was asked about some of the hits alone. */
    const isCut = (matching: Matching) => {
      const source = where === '' ? undefined : sourceOf(matching)
      if (!source) return false
      const { n } = database
        .prepare(`select count(*) as n from (${source.hits} limit ${lookedAt + 1})`)
        .get(source.given) as { n: number }
      return n > lookedAt
    }
    const whole = hasLongWords(terms) ? run(toMatch(terms, true), countedTo + 1) : []
    const matching = toMatch(terms)
    const some = whole.length > countedTo ? whole : run(matching, countedTo + 1)
    const isMore = some.length > countedTo || isCut(matching)
    // Nothing is said to be nowhere before all of it was looked at.
    const counted = some.length === 0 && isMore ? run(matching, countedTo + 1, -1) : some
    if (counted.length === 0) return nothing
    const named =
      most >= countedTo || terms.length === 0 ? [] : run(byName(terms, whole.length > countedTo), most)
    return {
      numbers: [...new Set([...named, ...counted])].slice(0, most),
      total: Math.min(countedTo, counted.length),
      isMore,
    }
  }

  const exactOf = (typed: string): Found[] => {
    const text = typed.trim()
    if (text.length < 2 || text.length > 200) return []
    const found: Row[] = []
    const take = (subject: Subject, id: string) => {
      const row = rowById.get(subject, id) as Row | undefined
      if (row) found.push(row)
    }
    if (isIdentifier.test(text)) {
      const lists = subjects.all() as { subject: Subject }[]
      for (const { subject } of lists) if (groupOf(subject)) take(subject, text.toLowerCase())
    } else if (/^[0-9a-f-]{4,35}$/i.test(text) && /\d/.test(text)) {
      const parts = database
        .prepare('select id from package where id >= ? and id < ? limit ?')
        .all(text.toLowerCase(), `${text.toLowerCase()}g`, mostExact)
      for (const { id } of parts) take('packages', String(id))
    }
    for (const { id } of database
      .prepare('select id from package where identifier = ? order by generation desc limit ?')
      .all(text, mostExact))
      take('packages', String(id))
    for (const { id } of mediumCalled.all({ text })) take('media', String(id))
    const { names: coded } = toMatch([{ text, isPhrase: true, isExcluded: false, field: 'code' }])
    if (coded !== undefined && /[\p{L}\p{N}]/u.test(text)) {
      for (const group of ['units', 'tags'] as const) {
        const rows = database
          .prepare(
            `select h.subject, h.id, h.model from names_${group} w join held h on h.number = w.rowid where names_${group} match ? limit 50`,
          )
          .all(coded)
        for (const { subject, id, model } of rows as unknown as Row[])
          if ((JSON.parse(model) as HeldRecord).note.toLowerCase() === text.toLowerCase()) take(subject, id)
      }
    }
    const unique = [...new Map(found.map((row) => [row.number, row])).values()].slice(0, mostExact)
    return unique.map((row) => toFound(row, groupOf(row.subject) ?? 'others', []))
  }

  return {
    ask: ({ typed, filters, most, group: only }: WhichFound): FoundAnswer => {
      const reading = readQuery(typed)
      const wanted = only === null ? foundGroups : [only]
      const { names, words } = toMatch(reading)
      const isNothing = names === undefined && words === undefined && !isFiltered(filters)
      const groups = isNothing
        ? []
        : wanted.flatMap((group) => {
            const { numbers, total, isMore } = numbersOf(group, reading, filters, most)
            const hits = numbers.flatMap((number) => {
              const row = rowOf.get(number) as Row | undefined
              return row ? [toFound(row, group, reading)] : []
            })
            return hits.length === 0 ? [] : [{ group, total, isMore, hits }]
          })
      return {
        reading,
        exact: only === null ? exactOf(typed) : [],
        groups,
        waiting: (waiting.get() as { n: number }).n,
        asOf: asOf(),
      }
    },
    /** The ids of what is found, for comparing them with those of another day; those that come first, where there are more. */
    ids: ({ typed, filters, most, group: only }: WhichFound): { ids: string[]; isMore: boolean } => {
      const reading = readQuery(typed)
      const wanted = only === null ? foundGroups : [only]
      const found = wanted.map((group) => numbersOf(group, reading, filters, most))
      const ids = found
        .flatMap(({ numbers }) => numbers)
        .flatMap((number) => {
          const row = rowOf.get(number) as Row | undefined
          return row ? [`${row.subject} ${row.id}`] : []
        })
      return { ids, isMore: found.some(({ isMore }) => isMore) }
    },
    /** What was found before, by the ids that ids() gave. */
    rows: (ids: string[]): Found[] =>
      ids.flatMap((key) => {
        const at = key.indexOf(' ')
        const row = rowById.get(key.slice(0, at), key.slice(at + 1)) as Row | undefined
        return row ? [toFound(row, groupOf(row.subject) ?? 'others', [])] : []
      }),
    choices: (): FilterChoices => ({
      states: states.all().flatMap(({ state }) => (state === '' ? [] : [String(state)])),
      types: types.all().map(({ type }) => String(type)),
      policies: choicesOf(byNameOf.all('policies')),
      media: choicesOf(byNameOf.all('media')),
      agents: choicesOf(byTitle.all('description/agents')),
      archives: choicesOf(tops.all('description/tags')),
    }),
  }
}
