import * as v from 'valibot'
import type { RecordLink } from '../../contract/description.ts'
import { Failed } from '../../contract/failure.ts'
import type { Facet, MarkedText, SearchFilters } from '../../contract/search.ts'
import type { Client } from '../../archive-client/http.ts'
import type { IndexAnswer, IndexHit } from '../models.ts'
import * as wire from '../wire.ts'

/** Hits of a page, and how far archives let one turn pages. */
const perPage = 50
const mostHits = 10_000

const texts = v.optional(v.fallback(v.array(v.string()), []), [])
const Source = v.looseObject({
  name: wire.text,
  desc: wire.text,
  description: wire.text,
  reference_code: wire.text,
  type: wire.anything,
  size: wire.maybeNumber,
  ip: wire.maybeId,
  // Of a document: its folder in the package, and its name there.
  href: wire.text,
  filename: wire.text,
  archive: v.optional(v.fallback(v.nullable(v.looseObject({ id: wire.id, name: wire.text })), null), null),
})
const Hit = v.looseObject({
  _index: wire.text,
  _id: wire.id,
  _source: v.optional(v.fallback(Source, v.parse(Source, {})), v.parse(Source, {})),
  highlight: v.optional(v.fallback(v.record(v.string(), texts), {}), {}),
})
const Buckets = v.array(v.looseObject({ key: wire.key, doc_count: wire.number }))
const Aggregations = v.record(v.string(), v.unknown())
const Answer = v.looseObject({
  hits: v.array(v.unknown()),
  aggregations: v.optional(v.fallback(Aggregations, {}), {}),
})

/** Archives put what matched between <strong> tags, in text that is otherwise as it came. */
const marked = (text: string): MarkedText =>
  text
    .split(/<strong>(.*?)<\/strong>/s)
    .map((part, index) => ({ text: part, isMatch: index % 2 === 1 }))
    .filter((part) => part.text !== '')

const nameOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
      ? value.name
      : ''

const pageOf = (part: string, id: string, packageId: string | null): RecordLink | null => {
  if (part === 'structure_unit') return { list: 'structure-units', id }
  if (packageId !== null) return { list: 'information-packages', id: packageId }
  return part === 'component' || part === 'archive' ? { list: 'tags', id } : null
}

const toHit = (value: unknown): IndexHit[] => {
  const read = v.safeParse(Hit, value)
  if (!read.success) return []
  const { _index, _id: id, _source: source, highlight } = read.output
  const part = _index.replace(/-.*/s, '')
  const first = (...fields: string[]) =>
    fields.map((field) => highlight[field]?.[0]).find((text) => text !== undefined)
  const { name, reference_code: code, archive, size, ip, href, filename } = source
  return [
    {
      id,
      part,
      type: nameOf(source.type),
      code,
      bytes: size,
      archive,
      title: marked(first('name') ?? (name || id)),
      file:
        part === 'document' && ip !== null && filename !== ''
          ? { package: ip, path: href === '' ? filename : `${href.replace(/\/$/, '')}/${filename}` }
          : null,
      excerpt: marked(first('content', 'attachment.content', 'desc') ?? ''),
      to: pageOf(part, id, ip),
    },
  ]
}

const isIdentifier = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * What has this id in the index (specification 4.3, /api/search/<uuid>); nothing where there is no such
 * thing, or an archive knows no such path.
 */
const byId = async ({ get }: Pick<Client, 'get'>, id: string): Promise<IndexHit[]> => {
  try {
    return toHit(await get(`search/${id}/`))
  } catch (error) {
    if (error instanceof Failed) return []
    throw error
  }
}

/** The counts of a facet; ESSArch wraps them in a filter of their own. */
const facetOf = (aggregations: Record<string, unknown>, name: string): Facet[] => {
  const outer = v.safeParse(
    v.looseObject({ [name]: v.looseObject({ buckets: Buckets }) }),
    aggregations[`_filter_${name}`] ?? aggregations,
  )
  const buckets = outer.success ? (outer.output[name]?.buckets ?? []) : []
  return buckets
    .filter((bucket) => bucket.doc_count > 0)
    .map((bucket) => ({ key: bucket.key, count: bucket.doc_count }))
}

/**
 * Asks the archive's own index (specification 4.3).
 * The filters go as a query string, as ESSArch takes them; where that is not known, after the path, as the
 * specification writes them.
 */
export const askIndex = async (
  { answer, get }: Pick<Client, 'answer' | 'get'>,
  { q, indices, extensions, types, agents, archives, page }: SearchFilters,
): Promise<IndexAnswer> => {
  const lists = { indices, extension: extensions, type: types, agents, archives }
  const filters = new URLSearchParams(q === '' ? {} : { q })
  for (const [name, values] of Object.entries(lists))
    if (values.length > 0) filters.set(name, values.join(','))
  const paging = `page=${page}&page_size=${perPage}`
  const found = await answer(`search/?${filters.toString()}${filters.size > 0 ? '&' : ''}${paging}`).catch(
    (error: unknown) => {
      const isUnknown = error instanceof Failed && error.failure.kind === 'not-found'
      if (!isUnknown || filters.size === 0) throw error
      return answer(`search/${filters.toString().replaceAll('+', '%20')}/?${paging}`)
    },
  )
  const read = v.safeParse(Answer, Array.isArray(found.body) ? { hits: found.body } : found.body)
  if (!read.success)
    throw new Failed({
      kind: 'server-broke',
      address: 'search/',
      status: 200,
      detail: 'unexpected',
      excerpt: JSON.stringify(found.body ?? '').slice(0, 600),
    })
  const { hits, aggregations } = read.output
  const total = found.count
  const listed = hits.flatMap(toHit)
  // An id is no word: what has it is asked for by it.
  const named =
    isIdentifier.test(q.trim()) && page === 1 && !listed.some(({ id }) => id === q.trim())
      ? await byId({ get }, q.trim())
      : []
  return {
    hits: [...named, ...listed],
    total: total === null ? null : total + named.length,
    types: facetOf(aggregations, 'type'),
    extensions: facetOf(aggregations, 'extension'),
    pages: Math.max(page, Math.ceil(Math.min(mostHits, total ?? hits.length) / perPage)),
  }
}
