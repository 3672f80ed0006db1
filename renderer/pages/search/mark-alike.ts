import type { MarkedText } from '../../../electron/contract/search.ts'

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/**
 * What was found, said in other words: of what matched there, what begins a word of these is marked.
 * @param text the other words
 */
export const markAlike = (text: string, found: MarkedText): MarkedText => {
  const matched = [...new Set(found.filter(({ isMatch }) => isMatch).map((part) => part.text))]
  if (matched.length === 0) return [{ text, isMatch: false }]
  const longestFirst = matched.toSorted((a, b) => b.length - a.length).map(escaped)
  return text
    .split(new RegExp(`(?<![\\p{L}\\p{N}])(${longestFirst.join('|')})`, 'u'))
    .map((part, index) => ({ text: part, isMatch: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}
