import type { QueryTerm } from '../contract/find.ts'
import { unmarked } from '../common/fold.ts'

/** What people call the fields, in the languages of the desk. */
const fields: Record<string, NonNullable<QueryTerm['field']>> = {
  name: 'name',
  namn: 'name',
  title: 'name',
  titel: 'name',
  code: 'code',
  kod: 'code',
  id: 'code',
  text: 'text',
}
const hasWord = /[\p{L}\p{N}]/u

/**
 * Reads what was typed: words, each of which may go on; "phrases"; -excluded ones; and name:, code: and text:
 * before any of them. A quotation mark that is not closed counts to the end.
 */
export const readQuery = (typed: string): QueryTerm[] =>
  [...typed.matchAll(/(-?)(?:(\p{L}+):)?(?:"([^"]*)"?|([^\s"]+))/gu)]
    .map(([whole, minus = '', field = '', phrase, word = '']): QueryTerm => {
      const known = fields[field.toLowerCase()]
      // "12:30" or "SE:1" is no field.
      const text = phrase ?? (known || field === '' ? word : whole.slice(minus.length))
      return {
        text: text.replace(/\*+$/, '').trim(),
        isPhrase: phrase !== undefined,
        isExcluded: minus !== '',
        field: known ?? null,
      }
    })
    .filter(({ text }) => hasWord.test(text))

const quoted = (text: string) => `"${text.replaceAll('"', ' ')}"`
const column = { name: 'name : ', code: 'code : ', text: '' }
/**
 * Longer beginnings are not in the index as such: they are asked for as whole words first, which costs
 * nothing.
 */
const longestBeginning = 8
const isLong = (text: string) => (text.split(/[^\p{L}\p{N}]+/u).at(-1)?.length ?? 0) > longestBeginning

/**
 * What is asked of the two indexes (SQLite documentation, "Full-text Query Syntax"); undefined where nothing
 * is.
 */
export interface Matching {
  /** Of names and codes. */
  names: string | undefined
  /** Of all words. */
  words: string | undefined
}

/**
 * The terms as FTS5 asks.
 * @param isWhole asks for long words as they stand, and not for others that begin so
 */
export const toMatch = (terms: QueryTerm[], isWhole = false): Matching => {
  const one = ({ text, isPhrase, field }: QueryTerm) =>
    `${field === null ? '' : column[field]}${quoted(text)}${isPhrase || (isWhole && isLong(text)) ? '' : '*'}`
  const join = (isOfNames: boolean) => {
    const asked = terms.filter(({ field }) => (field === 'name' || field === 'code') === isOfNames)
    const wanted = asked.filter(({ isExcluded }) => !isExcluded).map(one)
    const excluded = asked.filter(({ isExcluded }) => isExcluded).map(one)
    return wanted.length === 0 ? undefined : [`(${wanted.join(' AND ')})`, ...excluded].join(' NOT ')
  }
  return { names: join(true), words: join(false) }
}

/** Terms that stand anywhere, as if they were asked of names and codes alone. */
export const byName = (terms: QueryTerm[], isWhole: boolean): Matching => {
  const { names, words } = toMatch(terms, isWhole)
  // Its columns are those of names and codes, so what has no field is asked of both.
  return {
    names: [names, words].filter((query) => query !== undefined).join(' AND ') || undefined,
    words: undefined,
  }
}

export const hasLongWords = (terms: QueryTerm[]) =>
  terms.some(({ text, isPhrase }) => !isPhrase && isLong(text))

const wordsIn = (text: string) =>
  [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    word: unmarked(word),
    index,
    length: word.length,
  }))

const matchAt = (words: ReturnType<typeof wordsIn>, index: number, wanted: string[], isPhrase: boolean) =>
  wanted.every((term, offset) => {
    const word = words[index + offset]?.word
    return word === term || (!isPhrase && offset === wanted.length - 1 && word?.startsWith(term) === true)
  })

/** A text with what matched told apart. */
export const markTerms = (text: string, terms: QueryTerm[]): { text: string; isMatch: boolean }[] => {
  const words = wordsIn(text)
  const wanted = terms
    .filter(({ isExcluded }) => !isExcluded)
    .map(({ text: term, isPhrase }) => ({ words: wordsIn(term).map(({ word }) => word), isPhrase }))
  const spans = words.flatMap((_, index) =>
    wanted
      .filter((term) => term.words.length > 0 && matchAt(words, index, term.words, term.isPhrase))
      .map((term) => ({ from: index, to: index + term.words.length - 1 })),
  )
  const parts: { text: string; isMatch: boolean }[] = []
  let end = 0
  for (const { from, to } of spans.sort((a, b) => a.from - b.from)) {
    const [first, last] = [words[from], words[to]]
    if (!first || !last || first.index < end) continue
    if (first.index > end) parts.push({ text: text.slice(end, first.index), isMatch: false })
    parts.push({ text: text.slice(first.index, last.index + last.length), isMatch: true })
    end = last.index + last.length
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false })
  return parts
}
