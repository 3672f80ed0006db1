import { heldFilters, readAsked } from '../contract/search-filters.ts'
import type { WhichFound } from '../contract/find.ts'
import { isRecord } from '../common/records.ts'

/**
 * So many of each group are compared with those that were seen; where there are more, only how many there are
 * is said.
 */
const mostCompared = 1_000

/** What other clients keep as a query: an object, the same as text, or the words alone. */
export const queryOf = (kept: unknown): Record<string, unknown> => {
  if (isRecord(kept)) return kept
  if (typeof kept !== 'string') return {}
  try {
    const read: unknown = JSON.parse(kept)
    return isRecord(read) ? read : { q: kept }
  } catch {
    return { q: kept }
  }
}

/** A stored search as a question to what is held. */
export const askedOf = (kept: unknown): WhichFound => {
  const asked = readAsked(queryOf(kept))
  return { typed: asked.q, filters: heldFilters(asked), most: mostCompared, group: null }
}
