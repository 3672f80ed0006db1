import type { Found, FoundAnswer, QueryTerm } from '../../contract/find.ts'
import { alternatives, markTerms } from './query-text.ts'

/** Something of this desk, as it is looked through: by the place that shows it. */
export interface LocalRecord {
  place: string
  title: string
  note: string
  state: string
  /** More that it can be found by. */
  text: string
}

const mostShown = 20

/**
 * What of this desk holds every term, and none that is excluded; no group where nothing is wanted or found.
 */
export const matchesAmong = (all: Iterable<LocalRecord>, terms: QueryTerm[]): FoundAnswer['groups'] => {
  if (terms.every(({ isExcluded }) => isExcluded)) return []
  const isIn = (text: string, term: QueryTerm) =>
    markTerms(text, [{ ...term, isExcluded: false }]).some(({ isMatch }) => isMatch)
  const hits: Found[] = []
  let total = 0
  for (const { place, title, note, state, text } of all) {
    const whole = `${title} ${note} ${text}`
    const matches = (group: QueryTerm[]) => group.some((term) => isIn(whole, term) !== term.isExcluded)
    if (!alternatives(terms).every(matches)) continue
    total += 1
    if (hits.length === mostShown) continue
    hits.push({
      id: place,
      group: 'desk',
      title: markTerms(title, terms),
      note: markTerms(note, terms),
      excerpt: [],
      to: null,
      place,
      generation: null,
      state,
      at: null,
      facts: null,
    })
  }
  return total === 0 ? [] : [{ group: 'desk', total, isMore: false, hits }]
}
