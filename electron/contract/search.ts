import * as v from 'valibot'
import { dayBound } from './calendar-day.ts'
import { query } from './define.ts'
import type { RecordLink } from './description.ts'

const words = v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(200))), v.maxLength(50))

/**
 * What narrows a search of what is held here. Dates are days, the first and the last that count; empty where
 * there is no bound.
 */
export const HeldFilters = v.object({
  /** Headings under which it is found. */
  kinds: words,
  states: words,
  policies: words,
  media: words,
  /** What packages call those who created what is in them. */
  creators: words,
  types: words,
  agents: words,
  archives: words,
  indices: words,
  from: dayBound,
  to: dayBound,
})
export type HeldFilters = v.InferOutput<typeof HeldFilters>

/**
 * What a search asks: of what is held here, and of the archive's own index (specification 4.3), which knows
 * no states, policies, media or dates.
 */
export const SearchFilters = v.object({
  ...HeldFilters.entries,
  q: v.pipe(v.string(), v.maxLength(2000)),
  extensions: words,
  page: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)),
})
export type SearchFilters = v.InferOutput<typeof SearchFilters>

/** A text in parts, those that matched told apart. */
export type MarkedText = { text: string; isMatch: boolean }[]
export const wholeText = (marked: readonly { text: string }[]): string =>
  marked.map(({ text }) => text).join('')

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
  /** The file in a package that it is, by the path under which its content is asked for. */
  file: { package: string; path: string } | null
  /** Which generation of its package a file is in, the first being 1; null where that is not held. */
  generation: number | null
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
