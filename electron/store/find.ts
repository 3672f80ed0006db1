import type { PremisEvent } from '../contract/packages.ts'
import { describedBy, type Subject } from '../archive-client/held-lists.ts'
import type { HeldRecord } from '../archive-client/records.ts'
import type { StorageMedium, StorageObject, StoragePolicy } from '../archive-client/storage.ts'
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

/** Finds what is held by its words (FTS5): those that match by name come first, of each the ones that came last. */
export const openFind = ({ database, one, all, asOf }: Pick<Cache, 'database' | 'one' | 'all' | 'asOf'>) => {
  const rowOf = database.prepare('select number, subject, id, model, raw from held where number = ?')
  const rowById = database.prepare(
    'select number, subject, id, model, raw from held where archive = ? and subject = ? and id = ?',
  )
  const packageOf = database.prepare(
    'select id, label, identifier, state, generation, type from package where archive = ? and id = ?',
  )
  const subjects = database.prepare(
    'select distinct substr(list, instr(list, ?) + 1) as subject from refreshed where substr(list, 1, length(?)) = ?',
  )
  const waiting = database.prepare(`select count(*) as n from (select 1 from stale limit ${mostWaiting})`)
  const states = database.prepare(
    `select state from package where archive = ? and type <> 'AIC' group by state order by count(*) desc limit 50`,
  )
  const types = database.prepare('select type from package where archive = ? group by type order by 1')

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

  const textsOf = (
    archive: string,
    { subject, id, model: kept }: Row,
  ): { title: string; note: string; generation: number | null; state: string; model: unknown } => {
    const plain = { generation: null, state: '' }
    if (subject === 'packages') {
      const it = packageOf.get(archive, id) as
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
      const of = packageOf.get(archive, it.package) as { label: string } | undefined
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

  const toFound = (archive: string, row: Row, group: FoundGroup, terms: QueryTerm[]): Found => {
    const { title, note, generation, state, model } = textsOf(archive, row)
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
    archive: string,
    group: FoundGroup,
    terms: QueryTerm[],
    filters: HeldFilters,
    most: number,
  ): { numbers: number[]; total: number; isMore: boolean } => {
    const nothing = { numbers: [], total: 0, isMore: false }
    const narrowing = groupFilter(
      group,
      filters,
      (agent) => one<HeldRecord>(archive, 'description/agents', agent)?.model.title ?? '',
    )
    if (!narrowing) return nothing
    const { where, match: more, given } = narrowing
    const sourceOf = ({ names, words }: Matching) => {
      const all = [words, ...(more === '' ? [] : [more])].filter((it) => it !== undefined).join(' AND ')
      const newest = `order by rowid desc limit ${lookedAt}) w cross join held h on h.number = w.number`
      if (names === undefined && all === '')
        return narrowing.plain === undefined ? undefined : { from: narrowing.plain, given: {} }
      if (names === undefined)
        return {
          from: `(select rowid as number from words_${group} where words_${group} match :words ${newest}`,
          given: { words: all },
        }
      if (all === '')
        return {
          from: `(select rowid as number from names_${group} where names_${group} match :names ${newest}`,
          given: { names },
        }
      return {
        from: `(select rowid as number from names_${group} where names_${group} match :names and rowid in (select rowid from words_${group} where words_${group} match :words) ${newest}`,
        given: { names, words: all },
      }
    }
    const run = (matching: Matching, limit: number): number[] => {
      const source = sourceOf(matching)
      if (source === undefined) return []
      const rows = database
        .prepare(`select h.number from ${source.from} where h.archive = :archive${where} limit :limit`)
        .all({ archive, ...given, ...source.given, limit })
      return rows.map(({ number }) => Number(number))
    }
    const whole = hasLongWords(terms) ? run(toMatch(terms, true), countedTo + 1) : []
    const counted = whole.length > countedTo ? whole : run(toMatch(terms), countedTo + 1)
    if (counted.length === 0) return nothing
    const named =
      most >= countedTo || terms.length === 0 ? [] : run(byName(terms, whole.length > countedTo), most)
    return {
      numbers: [...new Set([...named, ...counted])].slice(0, most),
      total: Math.min(countedTo, counted.length),
      isMore: counted.length > countedTo,
    }
  }

  const exactOf = (archive: string, typed: string): Found[] => {
    const text = typed.trim()
    if (text.length < 2 || text.length > 200) return []
    const found: Row[] = []
    const take = (subject: Subject, id: string) => {
      const row = rowById.get(archive, subject, id) as Row | undefined
      if (row) found.push(row)
    }
    if (isIdentifier.test(text)) {
      const lists = subjects.all('/', `${archive}/`, `${archive}/`) as { subject: Subject }[]
      for (const { subject } of lists) if (groupOf(subject)) take(subject, text.toLowerCase())
    } else if (/^[0-9a-f-]{4,35}$/i.test(text) && /\d/.test(text)) {
      const parts = database
        .prepare('select id from package where archive = ? and id >= ? and id < ? limit ?')
        .all(archive, text.toLowerCase(), `${text.toLowerCase()}g`, mostExact)
      for (const { id } of parts) take('packages', String(id))
    }
    for (const { id } of database
      .prepare('select id from package where archive = ? and identifier = ? order by generation desc limit ?')
      .all(archive, text, mostExact))
      take('packages', String(id))
    for (const { id, name } of all<StorageMedium>(archive, 'media'))
      if (name.toLowerCase() === text.toLowerCase()) take('media', id)
    const { names: coded } = toMatch([{ text, isPhrase: true, isExcluded: false, field: 'code' }])
    if (coded !== undefined && /[\p{L}\p{N}]/u.test(text))
      for (const group of ['units', 'tags'] as const) {
        const rows = database
          .prepare(
            `select h.subject, h.id, h.model from names_${group} w join held h on h.number = w.rowid where names_${group} match ? and h.archive = ? limit 50`,
          )
          .all(coded, archive)
        for (const { subject, id, model } of rows as unknown as Row[])
          if ((JSON.parse(model) as HeldRecord).note.toLowerCase() === text.toLowerCase()) take(subject, id)
      }
    const unique = [...new Map(found.map((row) => [row.number, row])).values()].slice(0, mostExact)
    return unique.map((row) => toFound(archive, row, groupOf(row.subject) ?? 'others', []))
  }

  return {
    ask: (archive: string, { typed, filters, most, group: only }: WhichFound): FoundAnswer => {
      const reading = readQuery(typed)
      const wanted = only === null ? foundGroups : [only]
      const { names, words } = toMatch(reading)
      const isNothing = names === undefined && words === undefined && !isFiltered(filters)
      const groups = isNothing
        ? []
        : wanted.flatMap((group) => {
            const { numbers, total, isMore } = numbersOf(archive, group, reading, filters, most)
            const hits = numbers.flatMap((number) => {
              const row = rowOf.get(number) as Row | undefined
              return row ? [toFound(archive, row, group, reading)] : []
            })
            return hits.length === 0 ? [] : [{ group, total, isMore, hits }]
          })
      return {
        reading,
        exact: only === null ? exactOf(archive, typed) : [],
        groups,
        waiting: (waiting.get() as { n: number }).n,
        asOf: asOf(archive),
      }
    },
    /** The ids of what is found, for comparing them with those of another day; those that come first, where there are more. */
    ids: (
      archive: string,
      { typed, filters, most, group: only }: WhichFound,
    ): { ids: string[]; isMore: boolean } => {
      const reading = readQuery(typed)
      const wanted = only === null ? foundGroups : [only]
      const found = wanted.map((group) => numbersOf(archive, group, reading, filters, most))
      const ids = found
        .flatMap(({ numbers }) => numbers)
        .flatMap((number) => {
          const row = rowOf.get(number) as Row | undefined
          return row ? [`${row.subject} ${row.id}`] : []
        })
      return { ids, isMore: found.some(({ isMore }) => isMore) }
    },
    /** What was found before, by the ids that ids() gave. */
    rows: (archive: string, ids: string[]): Found[] =>
      ids.flatMap((key) => {
        const at = key.indexOf(' ')
        const row = rowById.get(archive, key.slice(0, at), key.slice(at + 1)) as Row | undefined
        return row ? [toFound(archive, row, groupOf(row.subject) ?? 'others', [])] : []
      }),
    choices: (archive: string): FilterChoices => ({
      states: states.all(archive).flatMap(({ state }) => (state === '' ? [] : [String(state)])),
      types: types.all(archive).map(({ type }) => String(type)),
      policies: all<StoragePolicy>(archive, 'policies').map(({ id, name }) => ({ id, name })),
      media: all<StorageMedium>(archive, 'media')
        .slice(0, 500)
        .map(({ id, name }) => ({ id, name })),
      agents: all<HeldRecord>(archive, 'description/agents')
        .slice(0, 500)
        .map(({ id, title }) => ({ id, name: title })),
      archives: all<HeldRecord>(archive, 'description/tags')
        .filter(({ parent }) => parent === null)
        .slice(0, 500)
        .map(({ id, title }) => ({ id, name: title })),
    }),
  }
}
