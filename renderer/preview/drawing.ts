/** Above this a drawing is no picture that somebody made, and would keep the computer busy for minutes. */
const mostElements = 200_000

/**
 * How many elements a drawing in SVG amounts to when everything that it uses again is counted again. Ten
 * groups that use each other ten times are ten thousand million elements in a kilobyte.
 * @returns Infinity for what uses itself
 */
export const elementsOf = (drawing: Document): number => {
  const known = new Map<Element, number>()
  const open = new Set<Element>()
  const count = (element: Element): number => {
    const before = known.get(element)
    if (before !== undefined) return before
    if (open.has(element)) return Infinity
    open.add(element)
    let sum = 1
    for (const child of element.children) sum += count(child)
    const address = element.localName === 'use' ? hrefOf(element) : ''
    const used = address.startsWith('#') ? drawing.getElementById(address.slice(1)) : null
    if (used) sum += count(used)
    open.delete(element)
    known.set(element, sum)
    return sum
  }
  return count(drawing.documentElement)
}

const hrefOf = (element: Element) =>
  element.getAttribute('href') ?? element.getAttributeNS('http://www.w3.org/1999/xlink', 'href') ?? ''

/** Whether a drawing is small enough to be drawn; what is no XML is refused where it is drawn. */
export const isDrawable = (text: string) =>
  elementsOf(new DOMParser().parseFromString(text, 'image/svg+xml')) <= mostElements
