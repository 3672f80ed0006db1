import './marked-ranges.css'
import { foldCase } from './marked-text.ts'

/** Elements that begin on a line of their own: words do not go on over their edges. */
const breaking =
  /^(ADDRESS|ARTICLE|BLOCKQUOTE|BR|DD|DIV|DL|DT|H[1-6]|HR|LI|OL|P|PRE|SECTION|T[DHR]|TABLE|UL)$/
/** More places than anybody looks at are not marked. */
const mostRanges = 20_000

/** The text of a part of the document, and which node each sign of it is of. */
const gather = (root: Node) => {
  const nodes: { node: Text; start: number }[] = []
  let text = ''
  const walk = (node: Node) => {
    if (node instanceof Text) {
      nodes.push({ node, start: text.length })
      text += node.data
    } else if (node instanceof Element) {
      const isBreaking = breaking.test(node.tagName)
      if (isBreaking) text += '\n'
      for (const child of node.childNodes) walk(child)
      if (isBreaking && node.tagName !== 'BR') text += '\n'
    }
  }
  walk(root)
  return { nodes, text }
}

/** Words as they are compared: in whatever case, a line break as good as a space. */
const comparable = (text: string) => foldCase(text).replace(/\s/g, ' ')

/** Where in a text words stand. */
export const placesOf = (text: string, words: string) => {
  const [folded, looked] = [comparable(text), comparable(words)]
  const places: number[] = []
  if (looked.trim() === '') return places
  for (
    let found = folded.indexOf(looked);
    found >= 0;
    found = folded.indexOf(looked, found + looked.length)
  ) {
    places.push(found)
    if (places.length >= mostRanges) break
  }
  return places
}

/** Where words stand in a part of the document, in their order; also over the edges of elements in a line. */
export const rangesOf = (root: Node, words: string): Range[] => {
  const { nodes, text } = gather(root)
  const nodeAt = (place: number, isEnd: boolean) => {
    let [low, high] = [0, nodes.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const start = nodes[middle]?.start ?? 0
      if (isEnd ? start < place : start <= place) low = middle + 1
      else high = middle
    }
    return nodes[low - 1]
  }
  return placesOf(text, words).flatMap((place) => {
    const [from, to] = [nodeAt(place, false), nodeAt(place + words.length, true)]
    if (!from || !to) return []
    const range = new Range()
    range.setStart(from.node, Math.min(from.node.length, place - from.start))
    range.setEnd(to.node, Math.min(to.node.length, place + words.length - to.start))
    return [range]
  })
}

/** Marks ranges, and one of them more than the others; no element is changed by it. */
export const markRanges = (ranges: Iterable<Range>, shown?: Range) => {
  CSS.highlights.set('found', new Highlight(...ranges))
  CSS.highlights.set('shown', new Highlight(...(shown ? [shown] : [])))
}

const scrolls = (element: Element) =>
  (element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth) &&
  /auto|scroll/.test(getComputedStyle(element).overflow)

/**
 * Scrolls so that a range is seen, in the middle of what scrolls. The element that it stands in may be the
 * whole of a long text, whose middle is elsewhere.
 */
export const revealRange = (range: Range) => {
  let scroller = range.startContainer.parentElement
  while (scroller && !scrolls(scroller)) scroller = scroller.parentElement
  const { top, left, width } = range.getBoundingClientRect()
  const whole = scroller?.getBoundingClientRect()
  const seen = scroller ?? document.documentElement
  const across = left - (whole?.left ?? 0)
  const isBeside = across < 0 || across + width > seen.clientWidth
  const by = {
    top: top - (whole?.top ?? 0) - seen.clientHeight / 2,
    left: isBeside ? across - seen.clientWidth / 2 : 0,
  }
  if (scroller) scroller.scrollBy(by)
  else window.scrollBy(by)
}
