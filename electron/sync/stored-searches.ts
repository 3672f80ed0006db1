import { heldFilters, readAsked } from '../contract/asked.ts'
import type { WhichFound } from '../contract/find.ts'

/** So many of each group are compared with those that were seen; where there are more, only how many there are is said. */
const mostCompared = 1_000

/** What other clients keep as a query: an object, the same as text, or the words alone. */
export const queryOf = (kept: unknown): Record<string, unknown> => {
  if (typeof kept === 'object' && kept !== null && !Array.isArray(kept))
    return kept as Record<string, unknown>
  if (typeof kept !== 'string') return {}
  try {
    const read: unknown = JSON.parse(kept)
    return typeof read === 'object' && read !== null && !Array.isArray(read)
      ? (read as Record<string, unknown>)
      : { q: kept }
  } catch {
    return { q: kept }
  }
}

/** A stored search as a question to what is held. */
export const askedOf = (kept: unknown): WhichFound => {
  const asked = readAsked(queryOf(kept))
  return { typed: asked.q, filters: heldFilters(asked), most: mostCompared, group: null }
}
