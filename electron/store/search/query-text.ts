import type { QueryTerm } from '../../contract/find.ts'
import { unmarked } from '../../common/fold.ts'

/** What people call the fields, in the languages of the desk. */
const fields = new Map<string, NonNullable<QueryTerm['field']>>([
  ['name', 'name'],
  ['namn', 'name'],
  ['title', 'name'],
  ['titel', 'name'],
  ['code', 'code'],
  ['kod', 'code'],
  ['id', 'code'],
  ['text', 'text'],
])
const hasWord = /[\p{L}\p{N}]/u

/** Words between terms, in the languages of the desk; in capitals, so that "and" can be looked for. */
const operators = new Map<string, 'and' | 'or' | 'not'>([
  ['AND', 'and'],
  ['OCH', 'and'],
  ['OR', 'or'],
  ['ELLER', 'or'],
  ['NOT', 'not'],
  ['INTE', 'not'],
])

/**
 * Reads what was typed: words, each of which may go on; "phrases"; -excluded ones; name:, code: and text:
 * before any of them; and AND, OR and NOT between them, of which OR binds closest ("a b OR c" is a, and one
 * of b and c). A quotation mark that is not closed counts to the end.
 */
export const readQuery = (typed: string): QueryTerm[] => {
  const terms: QueryTerm[] = []
  let before: 'and' | 'or' | 'not' = 'and'
  const plain = typed.replace(/[“”„«»]/g, '"')
  for (const [whole, minus = '', field = '', phrase, word = ''] of plain.matchAll(
    /(-?)(?:(\p{L}+):)?(?:"([^"]*)"?|([^\s"]+))/gu,
  )) {
    const operator = operators.get(whole)
    if (operator) {
      before = operator
      continue
    }
    const known = fields.get(field.toLowerCase())
    // "12:30" or "SE:1" is no field.
    const text = (phrase ?? (known || field === '' ? word : whole.slice(minus.length)))
      .replace(/\*+$/, '')
      .trim()
    if (!hasWord.test(text)) continue
    const isExcluded = minus !== '' || before === 'not'
    terms.push({
      text,
      isPhrase: phrase !== undefined,
      isExcluded,
      isAlternative: before === 'or' && !isExcluded && terms.at(-1)?.isExcluded === false,
      field: known ?? null,
    })
    before = 'and'
  }
  return terms
}

/** A phrase for FTS5, which reads no further than a NUL. */
export const quoted = (text: string) => `"${text.replaceAll('"', ' ').replaceAll('\0', ' ')}"`
const column = { name: 'name : ', code: 'code : ', text: '' }
/**
 * Longer beginnings are not in the index as such: they are asked for as whole words first, which costs
 * nothing.
 */
const longestBeginning = 8
const isLong = (text: string) => (text.split(/[^\p{L}\p{N}]+/u).at(-1)?.length ?? 0) > longestBeginning

/** What is asked of the two indexes, of which either is enough; undefined where nothing is asked of one. */
export interface Clause {
  /** Of names and codes. */
  names: string | undefined
  /** Of all words. */
  words: string | undefined
}

/** What is asked of both indexes (SQLite documentation, "Full-text Query Syntax"). */
export interface Matching {
  /** Every one of them is to match. */
  wanted: Clause[]
  /** None of them is to match. */
  excluded: Clause[]
}

/** How terms are asked for. */
interface Asking {
  /** Long words as they stand, and not others that begin so. */
  isWhole?: boolean
  /** Everything of names and codes alone. */
  isOfNames?: boolean
  /** Words of which one is a part, but for those that begin with it: none of them is in what is excluded. */
  around?: ((text: string) => string[]) | undefined
  /** What is wanted may be a part of them too. */
  isInside?: boolean
}

/** A term as FTS5 asks. */
const asked = (term: QueryTerm, { isWhole, around, isInside }: Asking): string => {
  const { text, isPhrase, isExcluded, field } = term
  const isBeginning = !isPhrase && !(isWhole === true && isLong(text))
  const forms = [
    `${quoted(text)}${isBeginning ? '*' : ''}`,
    ...(isPhrase || !around || !(isExcluded || isInside) ? [] : around(text).map(quoted)),
  ]
  const among = field === null ? '' : column[field]
  return `${among}(${forms.join(' OR ')})`
}

/** Terms of which one is enough stand in one list. */
export const alternatives = (terms: QueryTerm[]): QueryTerm[][] => {
  const groups: QueryTerm[][] = []
  for (const term of terms) {
    const last = groups.at(-1)
    if (term.isAlternative && last) last.push(term)
    else groups.push([term])
  }
  return groups
}

/** The terms as FTS5 asks; each index is asked once for all that is wanted of it alone. */
export const toMatch = (terms: QueryTerm[], asking: Asking = {}): Matching => {
  const clauseOf = (group: QueryTerm[], how: Asking): Clause => {
    const isOfNames = ({ field }: QueryTerm) => how.isOfNames === true || field === 'name' || field === 'code'
    const join = (some: QueryTerm[]) =>
      some.length === 0 ? undefined : `(${some.map((term) => asked(term, how)).join(' OR ')})`
    return { names: join(group.filter(isOfNames)), words: join(group.filter((term) => !isOfNames(term))) }
  }
  const clauses = alternatives(terms.filter(({ isExcluded }) => !isExcluded)).map((group) =>
    clauseOf(group, asking),
  )
  const joined = (some: (string | undefined)[]) =>
    some.filter((text) => text !== undefined).join(' AND ') || undefined
  const ofNames = joined(clauses.map(({ names, words }) => (words === undefined ? names : undefined)))
  const ofWords = joined(clauses.map(({ names, words }) => (names === undefined ? words : undefined)))
  return {
    wanted: [
      { names: ofNames, words: undefined },
      { names: undefined, words: ofWords },
      ...clauses.filter(({ names, words }) => names !== undefined && words !== undefined),
    ].filter(({ names, words }) => names !== undefined || words !== undefined),
    // However little of what is wanted is asked for, what is excluded is so wherever it stands.
    excluded: terms
      .filter(({ isExcluded }) => isExcluded)
      .map((term) => clauseOf([term], { around: asking.around })),
  }
}

export const longWords = (terms: QueryTerm[]) =>
  terms.filter(({ text, isPhrase, isExcluded }) => !isPhrase && !isExcluded && isLong(text))

const wordsIn = (text: string) =>
  [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    word: unmarked(word),
    index,
    length: word.length,
  }))

/** From so many letters on a part of a word is found inside of it. */
export const shortestPart = 4

interface Span {
  from: number
  to: number
}

/** Where a term stands from this word on: its words, of which the last may go on, or a part of one word. */
const matchAt = (
  words: ReturnType<typeof wordsIn>,
  index: number,
  { wanted, isPhrase }: { wanted: string[]; isPhrase: boolean },
): Span | undefined => {
  const first = words[index]
  const last = words[index + wanted.length - 1]
  const part = wanted.at(-1)
  if (!first || !last || part === undefined) return undefined
  if (!wanted.slice(0, -1).every((word, offset) => words[index + offset]?.word === word)) return undefined
  const isInside = !isPhrase && wanted.length === 1 && part.length >= shortestPart
  const at = last.word === part ? 0 : isPhrase ? -1 : last.word.indexOf(part)
  if (at < 0 || (at > 0 && !isInside)) return undefined
  // Letters with marks of their own are longer in the text than in the index.
  const isAlike = last.word.length === last.length
  return isAlike
    ? { from: at > 0 ? last.index + at : first.index, to: last.index + at + part.length }
    : { from: first.index, to: last.index + last.length }
}

/** A text with what matched told apart. */
export const markTerms = (text: string, terms: QueryTerm[]): { text: string; isMatch: boolean }[] => {
  const words = wordsIn(text)
  const wanted = terms
    .filter(({ isExcluded }) => !isExcluded)
    .map(({ text: term, isPhrase }) => ({ wanted: wordsIn(term).map(({ word }) => word), isPhrase }))
  const spans = words.flatMap((_, index) => wanted.flatMap((term) => matchAt(words, index, term) ?? []))
  const parts: { text: string; isMatch: boolean }[] = []
  let end = 0
  for (const { from, to } of spans.sort((a, b) => a.from - b.from || b.to - a.to)) {
    if (from < end) continue
    if (from > end) parts.push({ text: text.slice(end, from), isMatch: false })
    parts.push({ text: text.slice(from, to), isMatch: true })
    end = to
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false })
  return parts
}
