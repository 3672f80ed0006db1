import * as v from 'valibot'
import { news, query } from './define.ts'
import type { RecordLink } from './description.ts'
import type { FacetValue } from './filters.ts'
import { limit } from './paging.ts'
import { HeldFilters, type MarkedText } from './search.ts'

/** The headings under which what is held is found. */
export const foundGroups = [
  'packages',
  'copies',
  'media',
  'agents',
  'units',
  'tags',
  'locations',
  'structures',
  'deliveries',
  'transfers',
  'orders',
  'events',
  'others',
] as const
/** What is found under a heading, or among the transfers and orders that are of this desk alone. */
export type FoundHeading = FoundGroup | 'desk'
export type FoundGroup = (typeof foundGroups)[number]

/** One part of what was typed, as it was understood. */
export interface QueryTerm {
  text: string
  /** Its words stand side by side, and whole; else each word may go on. */
  isPhrase: boolean
  isExcluded: boolean
  /** Either this or the term before it is enough. */
  isAlternative: boolean
  /** Where it must stand; anywhere when null. */
  field: 'name' | 'code' | 'text' | null
}

export interface Found {
  id: string
  group: FoundHeading
  title: MarkedText
  /** What tells it from others of the same title. */
  note: MarkedText
  /** Titles of what it stands below, from the top; left out where nothing is above it. */
  within?: string[]
  /** Where it matched, if neither the title nor the note shows it. */
  excerpt: MarkedText
  /** Its page at this desk. */
  to: RecordLink | null
  /** The address of its page, where it is of this desk alone: "transfers/ID". */
  place: string
  generation: number | null
  state: string
  /** When an event happened or a message came (ISO time); null of all else. */
  at: string | null
  /** Of a package. */
  facts: FoundPackage | null
}

/** What a package is chosen by among others that were found. */
export interface FoundPackage {
  creator: string
  bytes: number
  copies: number
  /** ISO time. */
  since: string
  /** How many of its generations were found. */
  generations: number
}

/** What is narrowed by its values, counted in whatever has them: "years" by the first and last day. */
export const foundFacets = ['states', 'creators', 'policies', 'media', 'years'] as const
export type FoundFacet = (typeof foundFacets)[number]
export interface FoundFacetValues {
  field: FoundFacet
  values: FacetValue[]
  /** There may be more of each: those that came last were counted. */
  isMore: boolean
}

/** What is found as one list, the best first. */
export interface FoundList {
  reading: QueryTerm[]
  /** What the typed text names exactly: that, and no newer generation of it; it stands in the list too. */
  exact: Found[]
  /** A package stands once, by the newest generation that was found. */
  hits: Found[]
  total: number
  /** There are more; they were not counted. */
  isMore: boolean
  /** Nothing has the types, or is in the parts of the index, that were asked for: found without these. */
  isWithoutIndexFilters: boolean
  /** How many there are under each heading, whichever is chosen. */
  kinds: { group: FoundHeading; total: number; isMore: boolean }[]
  /** How many records have come whose words are not in the index yet; counting stops at 100 000. */
  waiting: number
  asOf: string | null
}

export interface FoundAnswer {
  reading: QueryTerm[]
  /** What the typed text names exactly: an id, an identifier, a medium, a reference code. */
  exact: Found[]
  groups: {
    group: FoundHeading
    total: number
    /** There are more; they were not counted. */
    isMore: boolean
    hits: Found[]
  }[]
  /** How many records have come whose words are not in the index yet; counting stops at 100 000. */
  waiting: number
  asOf: string | null
}

/** What is searched for in all that is held. */
export const WhichFound = v.object({
  typed: v.pipe(v.string(), v.maxLength(2000)),
  filters: HeldFilters,
  /** How many of each group. */
  most: limit,
  /** One group alone; all when null. */
  group: v.nullable(v.picklist(foundGroups)),
})
export type WhichFound = v.InferOutput<typeof WhichFound>

export const WhichHits = v.object({
  typed: v.pipe(v.string(), v.maxLength(2000)),
  filters: HeldFilters,
  most: limit,
})
export type WhichHits = v.InferOutput<typeof WhichHits>

/** What a filter can be set to, as far as it is held. */
export interface FilterChoices {
  states: string[]
  types: string[]
  policies: { id: string; name: string }[]
  media: { id: string; name: string }[]
  agents: { id: string; name: string }[]
  archives: { id: string; name: string }[]
}

/** Search of everything that is held, as it is typed. It needs no connection. */
export const find = {
  ask: query(WhichFound).returns<FoundAnswer>(),
  list: query(WhichHits).returns<FoundList>(),
  /** By what it can be narrowed, of that which has values of it. */
  facets: query(WhichHits).returns<FoundFacetValues[]>(),
  choices: query(v.undefined()).returns<FilterChoices>(),
  /** Words of records that came have reached the index. */
  changed: news<Record<string, never>>(),
}
