import * as v from 'valibot'
import { command, news, query } from './define.ts'
import type { Found } from './find.ts'
import type { Failure } from './failure.ts'
import { recordId } from './ids.ts'

/** A search that was stored, by whatever client, and what it finds among what is held here. */
export interface StoredSearch {
  /** "own:…" where this desk alone keeps it, "queued:…" on its way to the archive, else its id there. */
  id: string
  name: string
  /** As a search is written in an address of this desk. */
  address: string
  keptIn: 'archive' | 'outbox' | 'desk'
  /** Why the archive does not keep it. */
  refusal: Failure | null
  /** Parts of the query that this desk cannot ask; empty where it understands all of it. */
  notUnderstood: string[]
  total: number
  /** There are more than are counted. */
  isMore: boolean
  /** How many were not there when a person looked last; null before the first look. */
  news: number | null
  /** When a person looked last. */
  since: string | null
  /** Whether a notice tells of new hits. */
  isTold: boolean
}

const Which = v.object({ id: recordId })
const name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(255))
const address = v.pipe(v.string(), v.maxLength(20_000))

/** Stored searches (specification 4.1, /api/me/searches/), run against what is held. */
export const searches = {
  list: query(v.undefined()).returns<StoredSearch[]>(),
  /**
   * Stores a search in the archive, else at this desk: then the failure says why.
   * isTold: a notice tells of what is found from now on.
   */
  store: command(v.object({ name, address, isTold: v.boolean() })).returns<{ refusal: Failure | null }>(),
  /** What is new since the last look. */
  fresh: query(Which).returns<Found[]>(),
  /** A person looked: what there is now is not new any more. */
  see: command(Which).returns<void>(),
  notify: command(v.object({ ...Which.entries, isTold: v.boolean() })).returns<void>(),
  /** Of those that this desk alone keeps. */
  rename: command(v.object({ ...Which.entries, name })).returns<void>(),
  remove: command(Which).returns<void>(),
  /** Saves all of them as a file; how many, or null when the person cancelled. */
  export: command(v.undefined()).returns<number | null>(),
  /** Takes searches from a file; how many. */
  import: command(v.undefined()).returns<number | null>(),
  changed: news<Record<string, never>>(),
}
