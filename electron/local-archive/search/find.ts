import { storedBody, type Body, type Database } from '../database.ts'
import { everyMark, mark, type Part } from './index-records.ts'
import { unmarked } from '../../common/fold.ts'
import { openSlices } from '../../common/slices.ts'
import { mostHits, type SearchQuery } from './read-query.ts'
import { prepare, prepareArrays, prepareOne } from '../../common/statements.ts'

/** Only the newest so many candidates are ranked: ranking is linear in their number. */
const mostRanked = 2_000
const mostKeys = 100

type Filter = 'indices' | 'extensions' | 'types' | 'agents' | 'archives'

const marksOf = ({ indices, extensions, types, agents, archives }: SearchQuery, leftOut?: Filter) =>
  [
    { filter: 'indices', marks: indices.map((value) => mark('part', value)) },
    { filter: 'extensions', marks: extensions.map((value) => mark('extension', value)) },
    { filter: 'types', marks: types.map((value) => mark('type', value)) },
    { filter: 'agents', marks: agents.map((value) => mark('agent', value)) },
    { filter: 'archives', marks: archives.map((value) => mark('archive', value)) },
  ].filter(({ filter, marks }) => filter !== leftOut && marks.length > 0)

const quoted = (text: string) => `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"`

/** The query in the language of FTS5: texts and marks alike, all of them wanted. */
const match = (query: SearchQuery, isReader: boolean, leftOut?: Filter) =>
  [
    ...query.phrases.map((phrase) => `{reference_code name description content} : ${quoted(phrase)}`),
    ...marksOf(query, leftOut).map(({ marks }) => `marks : (${marks.map(quoted).join(' OR ')})`),
    ...(query.phrases.length === 0 ? [`marks : ${everyMark}`] : []),
  ].join(' AND ') + (isReader ? ` NOT marks : ${mark('restricted', 'yes')}` : '')

/** The search took longer than anybody should wait for. */
export class SearchTooLong extends Error {}
const longestMs = 10_000

interface Work {
  database: Database
  isDue: () => boolean
  /** Gives others their turn. @throws SearchTooLong */
  giveTurn: () => Promise<void>
}

/**
 * The newest entries that match, at most 10 000, by their numbers. The statement is read row by row, since to
 * find the next row is work of its own: a phrase of common words costs a millisecond for each long text.
 */
const candidatesOf = async ({ database, isDue, giveTurn }: Work, matching: string): Promise<number[]> => {
  const rows = prepareArrays<[seq: number]>(
    database.sqlite,
    `select rowid from words where words match ? order by rowid desc limit ${mostHits}`,
  )
  const found: number[] = []
  for (const [seq] of rows.iterate(matching)) {
    found.push(seq)
    if (isDue()) await giveTurn()
  }
  return found
}

const among = (how = '') => `json_each(:candidates) c cross join indexed i ${how} on i.seq = c.value`

const bucketsOf = ({ sqlite }: Database, column: 'type' | 'extension', candidates: number[]) => {
  const rows = prepare<{ key: string; n: number }>(
    sqlite,
    `select i.${column} as key, count(*) as n from ${among('indexed by indexed_facets')} group by 1
          order by n desc, key`,
  ).all({ candidates: JSON.stringify(candidates) })
  const named = rows.filter(({ key }) => key !== '')
  return {
    doc_count: named.reduce((sum, { n }) => sum + n, 0),
    [column]: {
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: named.slice(mostKeys).reduce((sum, { n }) => sum + n, 0),
      buckets: named.slice(0, mostKeys).map(({ key, n }) => ({ key, doc_count: n })),
    },
  }
}

interface Ranked {
  seq: number
  score: number | null
}

const orderedBy = ({ sqlite }: Database, { ordering }: SearchQuery, candidates: number[]): Ranked[] => {
  const by = ordering
    .map(({ field, descending }) => `i.body ->> '${field}' collate nocase ${descending ? 'desc' : 'asc'}`)
    .join(', ')
  return prepare<Ranked>(sqlite, `select i.seq, null as score from ${among()} order by ${by}, i.seq`).all({
    candidates: JSON.stringify(candidates),
  })
}

/** The best first. */
const rankedBy = async (
  { database, isDue, giveTurn }: Work,
  { page, length }: SearchQuery,
  matching: string,
): Promise<Ranked[]> => {
  const most = page * length > mostRanked ? mostHits : mostRanked
  const scores = database.sqlite
    .prepare(
      `select rowid as r, bm25(words, 10, 2, 1, 1, 0) as score from words where words match :match
          order by rowid desc limit :most`,
    )
    .iterate({ match: matching, most })
  const ranked: Ranked[] = []
  for (const { r, score } of scores) {
    ranked.push({ seq: Number(r), score: Number(score) })
    if (isDue()) await giveTurn()
  }
  return ranked.sort((a, b) => (a.score ?? 0) - (b.score ?? 0) || b.seq - a.seq)
}

/** The text with what was looked for between <strong> tags; undefined where none of it is in it. */
const highlighted = (text: string, wanted: Set<string>) => {
  const marked = text.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) =>
    wanted.has(unmarked(word)) ? `<strong>${word}</strong>` : word,
  )
  return marked === text ? undefined : marked
}

const around = 160
/** What is looked through for an excerpt, and in how many hits; others are shown without one. */
const longestHighlit = 20_000
const longestSearched = 200_000
const mostExcerpts = 100

/** The part of a text in which the first match stands. */
const excerpt = (content: string, wanted: Set<string>) => {
  const words = /[\p{L}\p{N}\p{M}]+/gu
  for (let match = words.exec(content); match; match = words.exec(content))
    if (wanted.has(unmarked(match[0])))
      return highlighted(content.slice(Math.max(0, match.index - around), match.index + around), wanted)
  return undefined
}

const toHit = (
  { sqlite }: Database,
  { seq, score }: Ranked,
  wanted: Set<string>,
  hasExcerpt: boolean,
): Body => {
  const { id, part, body, content } = prepareOne<{ id: string; part: string; body: string; content: string }>(
    sqlite,
    `select id, part, body, substr(content, 1, ${longestSearched}) as content from indexed where seq = ?`,
  ).get(seq)
  const source = storedBody(body)
  const highlight: Record<string, string[]> = {}
  for (const field of ['name', 'reference_code', 'desc']) {
    const text = source[field]
    const marked = typeof text === 'string' ? highlighted(text.slice(0, longestHighlit), wanted) : undefined
    if (marked !== undefined) highlight[field] = [marked]
  }
  const inside = hasExcerpt && wanted.size > 0 && content !== '' ? excerpt(content, wanted) : undefined
  if (inside !== undefined) highlight['content'] = [inside]
  return {
    _index: part,
    _type: '_doc',
    _id: id,
    _score: score === null ? null : -score,
    _source: source,
    ...(Object.keys(highlight).length > 0 ? { highlight } : {}),
  }
}

/**
 * Runs a search (specification 4.3; the shape of the answer is ESSArch's), and gives others their turn all
 * the while. A facet is not narrowed by its own filter. Beyond 10 000 hits nothing is counted or shown.
 * @returns undefined for a page that is not there
 * @throws SearchTooLong after ten seconds
 */
export const find = async (database: Database, query: SearchQuery, isReader: boolean) => {
  const ends = performance.now() + longestMs
  const slices = openSlices()
  const giveTurn = async () => {
    if (performance.now() > ends) throw new SearchTooLong()
    await slices.next()
  }
  const work = { database, isDue: slices.isOver, giveTurn }
  const nothing = query.hasText && query.phrases.length === 0
  const matching = match(query, isReader)
  const matched = async (leftOut?: Filter) =>
    nothing ? [] : candidatesOf(work, match(query, isReader, leftOut))
  const candidates = await matched()
  const byType = query.types.length === 0 ? candidates : await matched('types')
  const byExtension = query.extensions.length === 0 ? candidates : await matched('extensions')
  const total = candidates.length
  const last = Math.max(1, Math.ceil(total / Math.max(1, query.length)))
  if (query.page > last) return undefined
  const wanted = new Set(
    query.phrases.flatMap((phrase) =>
      [...phrase.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(([word]) => unmarked(word)),
    ),
  )
  const from = (query.page - 1) * query.length
  const isAsked = total > 0 && query.length > 0
  const ranked = !isAsked
    ? []
    : query.ordering.length > 0
      ? orderedBy(database, query, candidates)
      : await rankedBy(work, query, matching)
  const hits: Body[] = []
  for (const found of ranked.slice(from, from + query.length)) {
    hits.push(toHit(database, found, wanted, hits.length < mostExcerpts))
    if (slices.isOver()) await giveTurn()
  }
  return {
    total,
    answer: {
      hits,
      aggregations: {
        _filter_type: bucketsOf(database, 'type', byType),
        _filter_extension: bucketsOf(database, 'extension', byExtension),
      },
    },
  }
}

/**
 * One indexed object with what a hit shows of it; undefined where there is none among the records that are
 * seen.
 */
export const findOne = ({ sqlite, one }: Database, id: string): Body | undefined => {
  const row = prepare<{ part: Part; body: string; package: string | null }>(
    sqlite,
    'select part, body, package from indexed where id = ?',
  ).get(id)
  const isSeen =
    row?.part === 'document'
      ? one('information package', row.package ?? '')
      : row?.part === 'structure_unit'
        ? one('structure unit', id)
        : one('tag', id)
  if (!row || !isSeen) return undefined
  const source = storedBody(row.body)
  return { _id: id, _index: row.part, ...source, description: source['desc'] ?? '', _source: source }
}
