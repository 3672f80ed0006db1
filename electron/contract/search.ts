import * as v from 'valibot'
import { query } from './define.ts'
import type { RecordLink } from './description.ts'

const words = v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(200))), v.maxLength(50))

/** What a search of the archive's own index asks (specification 4.3). */
export const SearchFilters = v.object({
  q: v.pipe(v.string(), v.maxLength(2000)),
  indices: words,
  extensions: words,
  types: words,
  agents: words,
  archives: words,
  page: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)),
})
export type SearchFilters = v.InferOutput<typeof SearchFilters>

/** A text in parts, those that matched told apart. */
export type MarkedText = { text: string; isMatch: boolean }[]

export interface SearchHit {
  id: string
  /** Which index it is from: component, document, structure_unit, archive. */
  part: string
  type: string
  title: MarkedText
  code: string
  /** Where in its text or description it matched; empty where it did so by name. */
  excerpt: MarkedText
  archive: { id: string; name: string } | null
  bytes: number | null
  /** Its page at this desk; null where it has none. */
  to: RecordLink | null
}

export interface Facet {
  key: string
  count: number
}

export interface SearchAnswer {
  hits: SearchHit[]
  /** How many the archive counts; null where it does not say. Many archives count no further than 10 000. */
  total: number | null
  pages: number
  types: Facet[]
  extensions: Facet[]
}

/** What a window may ask of the archive's own index. It needs the connection. */
export const search = {
  ask: query(SearchFilters).returns<SearchAnswer>(),
}
