import type { Archive } from '../archives/archive.ts'
import type { Fulfils } from '../contract/define.ts'
import type { find as promised, Found, FoundAnswer, QueryTerm } from '../contract/find.ts'
import type { OrderBook } from '../outbox/order-book.ts'
import type { Ask } from '../questions/questions.ts'
import type { DeskStore } from '../store/desk.ts'
import { isFiltered } from '../store/found-filters.ts'
import { markTerms } from '../store/query-text.ts'

interface Own {
  place: string
  title: string
  note: string
  state: string
  text: string
}

const mostOwn = 20

export const find = ({
  store,
  book,
  ask,
}: {
  store: DeskStore
  book: OrderBook
  ask: Ask
}): Fulfils<typeof promised, [Archive]> => {
  /** Transfers and orders that nobody else has: few enough to be looked through. */
  const ofDesk = (archive: string): Own[] => [
    ...store.transfers(archive).map(({ id, form, stage }) => ({
      place: `transfers/${id}`,
      title: form.name || id,
      note: form.identifier,
      state: stage,
      text: [form.description, form.organization, form.person, form.email].join(' '),
    })),
    ...book
      .all(archive)
      .filter(({ kind }) => kind !== 'archive')
      .map(({ id, kind, name, content }) => ({
        place: `orders/${id}`,
        title: name || id,
        note: content,
        state: kind,
        text: '',
      })),
  ]
  const ownGroup = (archive: string, terms: QueryTerm[]): FoundAnswer['groups'] => {
    const wanted = terms.filter(({ isExcluded }) => !isExcluded)
    if (wanted.length === 0) return []
    const isIn = (text: string, term: QueryTerm) =>
      markTerms(text, [{ ...term, isExcluded: false }]).some(({ isMatch }) => isMatch)
    const matching = ofDesk(archive).filter(({ title, note, text }) =>
      terms.every((term) => isIn(`${title} ${note} ${text}`, term) !== term.isExcluded),
    )
    const hits = matching.slice(0, mostOwn).map(({ place, title, note, state }): Found => ({
      id: place,
      group: 'own',
      title: markTerms(title, terms),
      note: markTerms(note, terms),
      excerpt: [],
      to: null,
      place,
      generation: null,
      state,
    }))
    return hits.length === 0 ? [] : [{ group: 'own', total: matching.length, isMore: false, hits }]
  }

  return {
    ask: async ({ id: archive }, which) => {
      const answer = await ask('found', archive, which)
      // What is of this desk has none of the things that filters speak of.
      return which.group !== null || isFiltered(which.filters)
        ? answer
        : { ...answer, groups: [...ownGroup(archive, answer.reading), ...answer.groups] }
    },
    choices: (archive) => ask('filterChoices', archive.id),
  }
}
