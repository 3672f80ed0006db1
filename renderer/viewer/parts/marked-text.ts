import { element } from '../element.ts'

/** A text in pieces, of which those that are the words looked for (in whatever case) are marked. */
export const markedText = (text: string, words: string): (Node | string)[] => {
  if (words === '') return [text]
  const pieces: (Node | string)[] = []
  const [folded, looked] = [foldCase(text), foldCase(words)]
  let end = 0
  for (let found = folded.indexOf(looked); found >= 0; found = folded.indexOf(looked, end)) {
    pieces.push(text.slice(end, found), element('mark', {}, text.slice(found, found + words.length)))
    end = found + words.length
  }
  return [...pieces, text.slice(end)]
}

/** Lower case, sign by sign: every sign keeps its place. */
export const foldCase = (text: string) => {
  const folded = text.toLowerCase()
  return folded.length === text.length ? folded : text.replace(/[A-ZÅÄÖÉÜ]/g, (sign) => sign.toLowerCase())
}
