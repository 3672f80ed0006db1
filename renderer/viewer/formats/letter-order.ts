import type { LetterHead } from './letter.ts'

/** A letter in its place in a list. */
export interface Placed {
  /** Its number in the file. */
  index: number
  /** How deep it lies in its conversation. */
  depth: number
}

/** In which order letters are listed; as they lie in the file at first. */
export class LetterOrder {
  #rows: Placed[] | undefined
  #places: number[] = []

  letterIn(row: number): Placed {
    return this.#rows?.[row] ?? { index: row, depth: 0 }
  }
  rowOf(index: number) {
    return this.#rows ? (this.#places[index] ?? index) : index
  }
  set(rows: Placed[] | undefined) {
    this.#rows = rows
    this.#places = []
    for (const [row, { index }] of rows?.entries() ?? []) this.#places[index] = row
  }
}

/** Letters sorted by what a list says of them. Those without a date come first. */
export const sortLetters = (
  heads: readonly LetterHead[],
  by: 'date' | 'from' | 'subject',
  isDescending: boolean,
  language: string,
): Placed[] => {
  const { compare } = new Intl.Collator(language)
  const sign = isDescending ? -1 : 1
  const ordered = [...heads.entries()].sort(([, one], [, other]) =>
    by === 'date' ? sign * ((one.date || 0) - (other.date || 0)) : sign * compare(one[by], other[by]),
  )
  return ordered.map(([index]) => ({ index, depth: 0 }))
}

/** What stands before the subject of an answer, in the languages around us. */
const answering = /^(\s*(re|sv|aw|vs|fw|fwd|vb)\s*(\[\d+\])?:\s*)+/i

/**
 * Puts letters that answer each other one after the other, by what they say that they answer, and where they
 * say nothing by their subject.
 */
export const threadsOf = (heads: readonly LetterHead[]): Placed[] => {
  const byId = new Map(heads.map(({ id }, index) => [id, index]))
  const bySubject = new Map<string, number>()
  const answers = new Map<number, number[]>()
  const first: number[] = []
  for (const [index, head] of heads.entries()) {
    const subject = head.subject.replace(answering, '').trim()
    const isAnswer = answering.test(head.subject)
    const named = head.answers.findLast((id) => byId.has(id))
    const parent = named !== undefined ? byId.get(named) : isAnswer ? bySubject.get(subject) : undefined
    if (subject !== '' && !bySubject.has(subject)) bySubject.set(subject, index)
    // What is answered lies before: no circle can be made.
    if (parent === undefined || parent >= index) first.push(index)
    else if (!answers.get(parent)?.push(index)) answers.set(parent, [index])
  }
  const order: Placed[] = []
  const open = first.reverse().map((index) => ({ index, depth: 0 }))
  for (let next = open.pop(); next; next = open.pop()) {
    order.push(next)
    const { depth } = next
    for (const index of (answers.get(next.index) ?? []).reverse()) open.push({ index, depth: depth + 1 })
  }
  return order
}
