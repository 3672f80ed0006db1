import { TooLarge, type Content } from '../content.ts'
import { Undrawable } from '../kind.ts'
import { decodePercent } from './percent.ts'
import { readXmlRows, type XmlFindings } from './xml-rows.ts'

/** An element of a document that is held whole; text among elements has no name. */
export interface XmlElement {
  /** Without its prefix. */
  name: string
  attributes: Record<string, string>
  /** What stands before its first element. */
  text: string
  inside: XmlElement[]
}

const mostBytes = 64 * 1024 * 1024
const mostElements = 400_000

const localName = (name: string) => name.slice(name.indexOf(':') + 1)
const localNames = (attributes: Record<string, string>) =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [localName(name), value]))

/**
 * A document as a tree.
 * @throws TooLarge where it is longer than descriptions are, Undrawable where it is none, Unreachable
 */
export const readXmlTree = async (content: Content, signal: AbortSignal, findings: XmlFindings) => {
  if (content.bytes > mostBytes) throw new TooLarge(content.name)
  const open: XmlElement[] = []
  let root: XmlElement | undefined
  let count = 0
  for await (const rows of readXmlRows(content, findings)) {
    signal.throwIfAborted()
    for (const { depth, name, attributes, text } of rows) {
      const made = {
        name: localName(name),
        attributes: localNames(attributes),
        text: text.trim(),
        inside: [],
      }
      open.length = depth
      open.at(-1)?.inside.push(made)
      open.push(made)
      root ??= made
    }
    count += rows.length
    if (count > mostElements) throw new TooLarge(content.name)
    await new Promise((go) => setTimeout(go))
  }
  if (!root) throw new Undrawable('broken')
  return root
}

/** All text in an element. */
export const textIn = ({ text, inside }: XmlElement): string =>
  [text, ...inside.map(textIn)]
    .filter((part) => part !== '')
    .join(' ')
    .replace(/ ([,.;:)])/g, '$1')

/** The first element with one of some names, itself or below. */
export const firstIn = (element: XmlElement, ...names: string[]): XmlElement | undefined => {
  if (names.includes(element.name)) return element
  for (const inner of element.inside) {
    const found = firstIn(inner, ...names)
    if (found) return found
  }
  return undefined
}

/** The text of the first element with one of some names; empty where there is none. */
export const textAt = (element: XmlElement, ...names: string[]) => {
  const found = firstIn(element, ...names)
  return found ? textIn(found) : ''
}

/** All elements of a name, however deep they lie. */
export const allIn = (tree: XmlElement, name: string): XmlElement[] =>
  tree.inside.flatMap((inner) => [...(inner.name === name ? [inner] : []), ...allIn(inner, name)])

/** A path as an address writes it (RFC 3986); empty for what lies on the web, which nobody fetches. */
export const pathIn = (href: string): string => {
  const local = href.replace(/^file:\/*/i, '')
  if (/^[a-z][\w+.-]+:/i.test(local)) return ''
  return decodePercent(local)
}
