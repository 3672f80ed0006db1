import * as v from 'valibot'
import { query } from './define.ts'

/** A storage medium (specification 2.3) with what is known of its target and its contents. */
export interface Medium {
  id: string
  name: string
  status: string
  statusCode: number | null
  location: string
  locationStatus: string
  usedBytes: number
  /** What its target says a medium holds; null where it is unlimited or unknown. */
  capacityBytes: number | null
  blockSize: number | null
  format: number | null
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

export interface StorageOverview {
  media: Medium[]
  policies: number
  methods: number
  targets: number
  copies: number
  asOf: string | null
}

/** What a window may ask about storage media and what lies on them. */
export const storage = {
  overview: query(v.undefined()).returns<StorageOverview>(),
  medium: query(v.object({ id: v.pipe(v.string(), v.maxLength(100)) })).returns<{ medium: Medium; copies: CopyOnMedium[]; raw: string; asOf: string | null }>(),
}
