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

/** How marks look in a page that is nobody’s; the one that is shown is in view from the beginning. */
export const markStyle = `mark { color: #000; background: #fae29b }
mark.shown { outline: 2px solid #8c3b2a; scroll-initial-target: nearest }`

const html = 'http://www.w3.org/1999/xhtml'
const unread = new Set(['style', 'title', 'script', 'noscript', 'textarea', 'select'])
const isRead = (element: Element | null) =>
  element === null || (element.namespaceURI === html && !unread.has(element.localName))

/**
 * Wraps words wherever they stand in a text of a part of a document.
 * @param place the one that is shown, counted from 0
 * @returns how many places there are
 */
export const markIn = (root: Document | DocumentFragment, words: string, place: number): number => {
  if (words === '') return 0
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) {
    const { currentNode } = walker
    if (currentNode instanceof Text && isRead(currentNode.parentElement)) texts.push(currentNode)
  }
  for (const text of texts)
    if (foldCase(text.data).includes(foldCase(words))) text.replaceWith(...markedText(text.data, words))
  const marks = root.querySelectorAll('mark')
  marks[place]?.classList.add('shown')
  return marks.length
}
