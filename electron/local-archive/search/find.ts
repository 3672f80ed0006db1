import type { Body, Database } from '../database.ts'
import { everyMark, mark, type Part } from './index-records.ts'
import { mostHits, type SearchQuery } from './read-query.ts'

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

const candidates = `select rowid as r from words where words match :match order by rowid desc limit ${mostHits}`

const bucketsOf = (database: Database, column: 'type' | 'extension', matching: string) => {
  const rows = database.sqlite
    .prepare(
      `select i.${column} as key, count(*) as n from (${candidates}) c cross join indexed i indexed by indexed_facets where i.seq = c.r group by 1 order by n desc, key`,
    )
    .all({ match: matching }) as { key: string; n: number }[]
  const named = rows.filter(({ key }) => key !== '')
  return {
    total: rows.reduce((sum, { n }) => sum + n, 0),
    facet: {
      doc_count: named.reduce((sum, { n }) => sum + n, 0),
      [column]: {
        ...{
          doc_count_error_upper_bound: 0,
          sum_other_doc_count: named.slice(mostKeys).reduce((sum, { n }) => sum + n, 0),
        },
        buckets: named.slice(0, mostKeys).map(({ key, n }) => ({ key, doc_count: n })),
      },
    },
  }
}

interface Found {
  score: number | null
  id: string
  part: string
  body: string
  content: string
}

/** One page of hits: the best first, or by the fields that were asked for. */
const pageOf = ({ sqlite }: Database, { ordering, page, length }: SearchQuery, matching: string): Found[] => {
  const given = { match: matching, limit: length, offset: (page - 1) * length }
  if (ordering.length > 0) {
    const by = ordering
      .map(({ field, descending }) => `i.body ->> '${field}' collate nocase ${descending ? 'desc' : 'asc'}`)
      .join(', ')
    return sqlite
      .prepare(
        `select null as score, i.* from (${candidates}) c join indexed i on i.seq = c.r order by ${by}, i.seq limit :limit offset :offset`,
      )
      .all(given) as unknown as Found[]
  }
  const isFar = given.offset + length > mostRanked
  const ranked = `select rowid as r, bm25(words, 10, 2, 1, 1, 0) as score from words where words match :match order by rowid desc limit ${isFar ? mostHits : mostRanked}`
  return sqlite
    .prepare(
      `select c.score, i.* from (select r, score from (${ranked}) order by score, r desc limit :limit offset :offset) c join indexed i on i.seq = c.r order by c.score, c.r desc`,
    )
    .all(given) as unknown as Found[]
}

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The text with what was looked for between <strong> tags; undefined where none of it is in it. */
const highlighted = (text: string, wanted: Set<string>) => {
  const marked = text.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) =>
    wanted.has(folded(word)) ? `<strong>${word}</strong>` : word,
  )
  return marked === text ? undefined : marked
}

const around = 160

/** The part of a long text in which the first match stands. */
const excerpt = (content: string, wanted: Set<string>) => {
  const first = [...content.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].find(([word]) => wanted.has(folded(word)))
  return first && highlighted(content.slice(Math.max(0, first.index - around), first.index + around), wanted)
}

const toHit = ({ id, part, body, content, score }: Found, wanted: Set<string>): Body => {
  const source = JSON.parse(body) as Body
  const highlight: Record<string, string[]> = {}
  for (const field of ['name', 'reference_code', 'desc']) {
    const text = typeof source[field] === 'string' ? highlighted(source[field], wanted) : undefined
    if (text !== undefined) highlight[field] = [text]
  }
  const inside = wanted.size > 0 && content !== '' ? excerpt(content, wanted) : undefined
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
 * Runs a search (specification 4.3; the shape of the answer is ESSArch's).
 * A facet is not narrowed by its own filter. Beyond 10 000 hits nothing is counted or shown.
 */
export const find = (database: Database, query: SearchQuery, isReader: boolean) => {
  const nothing = query.hasText && query.phrases.length === 0
  const matching = nothing ? `marks : none` : match(query, isReader)
  const byType = bucketsOf(
    database,
    'type',
    nothing || query.types.length === 0 ? matching : match(query, isReader, 'types'),
  )
  const byExtension = bucketsOf(
    database,
    'extension',
    nothing || query.extensions.length === 0 ? matching : match(query, isReader, 'extensions'),
  )
  const total =
    query.types.length === 0
      ? byType.total
      : query.extensions.length === 0
        ? byExtension.total
        : bucketsOf(database, 'type', matching).total
  const last = Math.max(1, Math.ceil(total / Math.max(1, query.length)))
  if (query.page > last) return undefined
  const wanted = new Set(
    query.phrases.flatMap((phrase) =>
      [...phrase.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(([word]) => folded(word)),
    ),
  )
  return {
    total,
    answer: {
      hits: query.length === 0 ? [] : pageOf(database, query, matching).map((found) => toHit(found, wanted)),
      aggregations: { _filter_type: byType.facet, _filter_extension: byExtension.facet },
    },
  }
}

/** One indexed object with what a hit shows of it; undefined where there is none among the records that are seen. */
export const findOne = ({ sqlite, one }: Database, id: string): Body | undefined => {
  const row = sqlite.prepare('select part, body, package from indexed where id = ?').get(id) as
    { part: Part; body: string; package: string | null } | undefined
  const isSeen =
    row?.part === 'document'
      ? one('information package', row.package ?? '')
      : row?.part === 'structure_unit'
        ? one('structure unit', id)
        : one('tag', id)
  if (!row || !isSeen) return undefined
  const source = JSON.parse(row.body) as Body
  return { _id: id, _index: row.part, ...source, description: source['desc'] ?? '', _source: source }
}
