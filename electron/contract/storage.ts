import * as v from 'valibot'
import { query } from './define.ts'
import { paging, type Listed } from './paging.ts'
import { recordId } from './ids.ts'

/** What can be done with a medium; other where the archive says something else, or nothing. */
export type MediumUse = 'written' | 'full' | 'failed' | 'other'

/** What a method may do with a target; other where the archive says something that has no word here. */
export type RelationUse = 'written' | 'read-only' | 'migrated' | 'disabled' | 'other'

/** From this share on a medium that is still written to will soon take no more. */
export const nearlyFull = 0.9

/** A storage medium (specification 2.3) with what is known of its target and its contents. */
export interface Medium {
  id: string
  name: string
  status: string
  statusCode: number | null
  use: MediumUse
  location: string
  locationStatus: string
  usedBytes: number
  /** What its target says a medium holds; null where it is unlimited or unknown. */
  capacityBytes: number | null
  /** Codes by their meaning: "512K". */
  blockSize: string
  format: string
  mounts: number | null
  created: string | null
  agent: string
  target: { id: string; name: string; path: string; isEnabled: boolean | null } | null
  slot: unknown
  drive: unknown
  copies: number
  unknown: Record<string, unknown>
}

export interface CopyOnMedium {
  id: string
  package: string
  label: string
  generation: number | null
  bytes: number | null
  path: string
  written: string
}

/**
 * The chain from what is wanted to where it lies; ids name members of the other lists, and may name nothing.
 */
export interface StorageChain {
  policies: { id: string; name: string; isActive: boolean; methods: string[] }[]
  methods: { id: string; name: string; isEnabled: boolean; type: string; inContainers: boolean }[]
  relations: {
    id: string
    name: string
    use: RelationUse
    /** In the archive's own word. */
    status: string
    method: string | null
    target: string | null
  }[]
  targets: {
    id: string
    name: string
    isEnabled: boolean | null
    path: string
    type: string
    usedBytes: number
    capacityBytes: number | null
  }[]
}

/** In what ways packages are worse off than they should be, or media will be. */
export const riskKinds = [
  'no copies',
  'disabled target',
  'few copies',
  'one medium',
  'one room',
  'nearly full',
  'long unchanged',
  'failed medium',
] as const
export type RiskKind = (typeof riskKinds)[number]
/** Those that are about media; the others are about packages. */
export const mediumRisks: readonly RiskKind[] = ['nearly full', 'long unchanged', 'failed medium']
/** Where what is kept may be lost already. */
export const worstRisks: readonly RiskKind[] = ['no copies', 'disabled target', 'failed medium']

export interface Risk {
  kind: RiskKind
  total: number
}

/** A generation of a package, or a medium, at risk, with what the rule looked at. */
export interface RiskyRow {
  id: string
  name: string
  /** Its number among the generations that are held, from 1; null for a medium. */
  generation: number | null
  identifier: string
  /** Of a package those on media that have not failed; of a medium all that lie on it. */
  copies: number
  /** How many there should be; null where no policy says it. */
  wanted: number | null
  /** Where the copies lie. */
  where: string
  bytes: number
  /** When it was last written. */
  changed: string
}

/** What a list of what is at risk has columns for, and is sorted by. */
export const riskyColumns = ['name', 'identifier', 'copies', 'where', 'bytes', 'changed'] as const
export type RiskyColumn = (typeof riskyColumns)[number]

export const WhichRisky = v.object({
  kind: v.picklist(riskKinds),
  /** Left out, they stand by their names. */
  sort: v.optional(v.picklist(riskyColumns)),
  descending: v.optional(v.boolean()),
  ...paging,
})
export type WhichRisky = v.InferOutput<typeof WhichRisky>

/** What came in a year. */
export interface Growth {
  year: string
  generations: number
  bytes: number
}

export interface StorageOverview {
  media: Medium[]
  chain: StorageChain
  risks: Risk[]
  growth: Growth[]
  /** Packages, each with all its generations as one; AIPs of no AIC are packages of their own. */
  packages: number
  copies: number
  asOf: string | null
}

/** What a window may ask about storage media and what lies on them. */
export const storage = {
  overview: query(v.undefined()).returns<StorageOverview>(),
  /** Everything that is at risk in one way. */
  risky: query(WhichRisky).returns<Listed<RiskyRow>>(),
  medium: query(v.object({ id: recordId })).returns<{
    medium: Medium
    /** The first of those that lie on it: the medium says how many there are. */
    copies: CopyOnMedium[]
    raw: string
    asOf: string | null
  }>(),
}
