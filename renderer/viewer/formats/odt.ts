import { element } from '../element.ts'
import { Undrawable } from '../kind.ts'

/** What a style says of text, as far as it is drawn. */
interface Style {
  isBold: boolean
  isItalic: boolean
  isUnderlined: boolean
  isOrdered: boolean
}

const mostElements = 200_000
const deepest = 150
/** What stands beside the text, or says how it came to be, and is no part of it. */
const passedOver =
  /^(office:annotation(-end)?|text:tracked-changes|text:sequence-decls|text:note-citation|office:forms)$/
const notDrawn = /^(draw:object(-ole)?|draw:custom-shape|draw:g|math:math|office:chart)$/

/** Styles by their names; those of one file add to those of another. */
const stylesOf = (documents: Document[]) => {
  const found = new Map<string, Element>()
  for (const { documentElement } of documents)
    for (const style of documentElement.querySelectorAll('style, list-style'))
      found.set(style.getAttribute('style:name') ?? '', style)
  const read = (name: string | null, depth = 0): Style => {
    const style = name === null ? undefined : found.get(name)
    if (!style || depth > 20) return { isBold: false, isItalic: false, isUnderlined: false, isOrdered: false }
    const parent = read(style.getAttribute('style:parent-style-name'), depth + 1)
    const text = style.querySelector('text-properties')
    const [weight, slant, line] = ['fo:font-weight', 'fo:font-style', 'style:text-underline-style'].map(
      (key) => text?.getAttribute(key),
    )
    return {
      isBold: weight ? /bold|[6-9]00/.test(weight) : parent.isBold,
      isItalic: slant ? slant !== 'normal' : parent.isItalic,
      isUnderlined: line ? line !== 'none' : parent.isUnderlined,
      isOrdered: style.firstElementChild?.nodeName === 'text:list-level-style-number',
    }
  }
  return (name: string | null) => read(name)
}

export interface OdtDrawn {
  nodes: Node[]
  /** Names of pictures in the document, each with the element that is to show it. */
  pictures: { name: string; image: HTMLImageElement }[]
  /** Whether something was left out: shapes, charts, formulas. */
  isPartial: boolean
}

/** Lays a text document of OpenDocument out: what is said in it, not how its pages look. */
class OdtReader {
  readonly drawn: OdtDrawn = { nodes: [], pictures: [], isPartial: false }
  readonly #styleOf: (name: string | null) => Style
  readonly #notes: HTMLElement[] = []
  #elements = 0
  #depth = 0

  constructor(styleOf: (name: string | null) => Style) {
    this.#styleOf = styleOf
  }

  read(body: Element) {
    this.drawn.nodes = this.#inside(body)
    if (this.#notes.length > 0)
      this.drawn.nodes.push(element('hr'), element('ol', { class: 'notes' }, ...this.#notes))
    return this.drawn
  }

  #inside(parent: Node): Node[] {
    this.#depth += 1
    if (this.#depth > deepest) throw new Undrawable('too complex')
    const nodes = [...parent.childNodes].flatMap((node) => {
      if (node instanceof Text)
        return node.data === '' ? [] : [document.createTextNode(node.data.replace(/\s+/g, ' '))]
      return node instanceof Element ? this.#element(node) : []
    })
    this.#depth -= 1
    return nodes
  }

  #element(node: Element): Node[] {
    this.#elements += 1
    if (this.#elements > mostElements) throw new Undrawable('too complex')
    const name = node.nodeName
    if (passedOver.test(name)) return []
    if (notDrawn.test(name)) {
      this.drawn.isPartial = true
      return []
    }
    if (name === 'text:p') return [element('p', {}, ...this.#styled(node))]
    if (name === 'text:h') return [this.#heading(node)]
    if (name === 'text:span') return this.#styled(node)
    if (name === 'text:list') return [this.#list(node)]
    if (name === 'text:list-item' || name === 'text:list-header')
      return [element('li', {}, ...this.#inside(node))]
    if (name === 'table:table') return [element('table', {}, ...this.#inside(node))]
    if (name === 'table:table-row') return [element('tr', {}, ...this.#inside(node))]
    if (name === 'table:table-cell') return [this.#cell(node)]
    if (name === 'text:s')
      return [' '.repeat(Math.min(200, Number(node.getAttribute('text:c') ?? 1)))].map((spaces) =>
        document.createTextNode(spaces),
      )
    if (name === 'text:tab') return [document.createTextNode('\t')]
    if (name === 'text:line-break') return [element('br')]
    if (name === 'text:a')
      return [element('a', { title: node.getAttribute('xlink:href')?.slice(0, 500) }, ...this.#inside(node))]
    if (name === 'text:note') return [this.#note(node)]
    if (name === 'draw:image') return this.#picture(node)
    return this.#inside(node)
  }

  #styled(node: Element): Node[] {
    const { isBold, isItalic, isUnderlined } = this.#styleOf(node.getAttribute('text:style-name'))
    let nodes = this.#inside(node)
    if (isBold) nodes = [element('b', {}, ...nodes)]
    if (isItalic) nodes = [element('i', {}, ...nodes)]
    if (isUnderlined) nodes = [element('u', {}, ...nodes)]
    return nodes
  }

  #heading(node: Element) {
    const level = Math.min(6, Math.max(1, Number(node.getAttribute('text:outline-level') ?? 1)))
    const made = document.createElement(`h${level}`)
    made.append(...this.#inside(node))
    return made
  }

  #list(node: Element) {
    const { isOrdered } = this.#styleOf(node.getAttribute('text:style-name'))
    return element(isOrdered ? 'ol' : 'ul', {}, ...this.#inside(node))
  }

  #cell(node: Element) {
    const span = (key: string) => {
      const count = Number(node.getAttribute(key) ?? 1)
      return count > 1 ? String(Math.min(1000, count)) : undefined
    }
    const spans = {
      colspan: span('table:number-columns-spanned'),
      rowspan: span('table:number-rows-spanned'),
    }
    return element('td', spans, ...this.#inside(node))
  }

  #note(node: Element) {
    const body = node.querySelector('note-body')
    this.#notes.push(element('li', {}, ...(body ? this.#inside(body) : [])))
    return element('sup', {}, String(this.#notes.length))
  }

  #picture(node: Element) {
    const name = node.getAttribute('xlink:href') ?? ''
    // What lies elsewhere is not fetched.
    if (!/^(\.\/)?Pictures\//.test(name)) return []
    const title = node.parentElement?.querySelector('title, desc')?.textContent ?? ''
    const image = element('img', { alt: title.slice(0, 500) })
    this.drawn.pictures.push({ name: name.replace(/^\.\//, ''), image })
    return [image]
  }
}

const parse = (xml: string) => {
  const parsed = new DOMParser().parseFromString(xml, 'text/xml')
  if (parsed.querySelector('parsererror')) throw new Undrawable('broken')
  return parsed
}

/**
 * @param content content.xml of the document
 * @param styles styles.xml; empty where there is none
 * @throws Undrawable
 */
export const readOdt = (content: string, styles: string): OdtDrawn => {
  const document = parse(content)
  const body = document.getElementsByTagName('office:text')[0]
  if (!body) throw new Undrawable('broken')
  return new OdtReader(stylesOf(styles === '' ? [document] : [parse(styles), document])).read(body)
}
