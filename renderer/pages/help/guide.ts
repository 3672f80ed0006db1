import { marked, type MarkedToken, type Token, type Tokens } from 'marked'
import { unmarked } from '../../../electron/common/fold.ts'
import type { MarkedText } from '../../../electron/contract/search.ts'
import type { Language } from '../../language/formatters.ts'
import { termsEn } from '../../language/terms.en.ts'
import { termsSv } from '../../language/terms.sv.ts'
import { addressOfGuide } from './address.ts'

/** A part of a line. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'key'; text: string }
  | { kind: 'strong'; parts: Inline[] }
  | { kind: 'emphasis'; parts: Inline[] }
  | { kind: 'link'; href: string; parts: Inline[] }

/** What stands on a page, one below the other. */
export type Block =
  | { kind: 'heading'; level: number; anchor: string; parts: Inline[] }
  | { kind: 'paragraph'; parts: Inline[] }
  | { kind: 'list'; isOrdered: boolean; items: Inline[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'terms'; terms: { anchor: string; word: string; means: string }[] }

/** A piece of text that is found as one, and the heading that it stands below. */
interface Passage {
  heading: string
  anchor: string
  text: string
}

export interface GuidePage {
  name: string
  title: string
  blocks: Block[]
  passages: Passage[]
}

export interface GuideHit {
  page: string
  address: string
  title: MarkedText
  heading: MarkedText
  sentence: MarkedText
}

/** The pages of the guide in the order of their list. Each is a file of its name in every language. */
export const guidePages = [
  'first-steps',
  'finding',
  'packages',
  'describing',
  'transfers',
  'orders',
  'storage',
  'offline',
  'archives',
  'checking',
  'keys',
  'troubleshooting',
  'words',
] as const

const texts = import.meta.glob<string>('../../../resources/help/*/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const anchorOf = (text: string) =>
  unmarked(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** "orders.md#slips" is the page of orders; "#/orders" is the place in the window, and stays as it is. */
const hrefOf = (href: string) => {
  const [, page, anchor = ''] = /^([\w-]+)\.md(?:#(.+))?$/.exec(href) ?? []
  return page === undefined ? href : addressOfGuide(page, anchor)
}

/** What the guide is written with; marked knows more, and lets others add to that. */
const kinds = new Set(['heading', 'paragraph', 'list', 'table', 'strong', 'em', 'link', 'codespan', 'text'])
const ofGuide = (tokens: Token[]) => tokens.filter((token): token is MarkedToken => kinds.has(token.type))

const inline = (token: MarkedToken): Inline[] => {
  switch (token.type) {
    case 'strong':
      return [{ kind: 'strong', parts: inlineOf(token.tokens) }]
    case 'em':
      return [{ kind: 'emphasis', parts: inlineOf(token.tokens) }]
    case 'link':
      return [{ kind: 'link', href: hrefOf(token.href), parts: inlineOf(token.tokens) }]
    case 'codespan':
      return [{ kind: 'key', text: token.text }]
    case 'text':
      return token.tokens ? inlineOf(token.tokens) : [{ kind: 'text', text: token.text.replace(/\n/g, ' ') }]
    case 'paragraph':
      return inlineOf(token.tokens)
    default:
      return []
  }
}
const inlineOf = (tokens: Token[]): Inline[] => ofGuide(tokens).flatMap(inline)

const cellsOf = (cells: Tokens.TableCell[]) => cells.map(({ tokens }) => inlineOf(tokens))

const block = (token: MarkedToken): Block[] => {
  switch (token.type) {
    case 'heading': {
      const parts = inlineOf(token.tokens)
      return [{ kind: 'heading', level: token.depth, anchor: anchorOf(plainText(parts)), parts }]
    }
    case 'paragraph':
      return [{ kind: 'paragraph', parts: inlineOf(token.tokens) }]
    case 'list':
      return [
        {
          kind: 'list',
          isOrdered: token.ordered,
          items: token.items.map(({ tokens }) => inlineOf(tokens)),
        },
      ]
    case 'table':
      return [{ kind: 'table', head: cellsOf(token.header), rows: token.rows.map(cellsOf) }]
    default:
      return []
  }
}

/** A line without its links and its emphasis. */
export const plainText = (parts: Inline[]): string =>
  parts.map((part) => ('text' in part ? part.text : plainText(part.parts))).join('')

const passagesOf = (blocks: Block[]): Passage[] => {
  let heading = ''
  let anchor = ''
  const below = (text: string): Passage => ({ heading, anchor, text })
  return blocks.flatMap((one): Passage[] => {
    switch (one.kind) {
      case 'heading':
        heading = plainText(one.parts)
        anchor = one.anchor
        return []
      case 'paragraph':
        return [below(plainText(one.parts))]
      case 'list':
        return one.items.map((item) => below(plainText(item)))
      case 'table':
        return one.rows.map((row) => below(row.map(plainText).join(' – ')))
      case 'terms':
        return one.terms.map(({ word, means, anchor: at }) => ({ heading: word, anchor: at, text: means }))
    }
  })
}

/** The words of the field, by the alphabet of the language. */
const termsOf = (language: Language): Block => ({
  kind: 'terms',
  terms: Object.entries(language === 'sv' ? termsSv : termsEn)
    .map(([anchor, { word, means }]) => ({ anchor, word, means }))
    .toSorted((a, b) => a.word.localeCompare(b.word, language)),
})

const read = (language: Language, name: string): GuidePage => {
  const text = texts[`../../../resources/help/${language}/${name}.md`] ?? ''
  const [first, ...rest] = ofGuide(marked.lexer(text)).flatMap(block)
  const blocks = [...rest, ...(name === 'words' ? [termsOf(language)] : [])]
  return {
    name,
    title: first?.kind === 'heading' ? plainText(first.parts) : name,
    blocks,
    passages: passagesOf(blocks),
  }
}

const known = new Map<Language, GuidePage[]>()

/** Every page of the guide in a language, read when it is asked for first. */
export const guideIn = (language: Language): GuidePage[] => {
  const pages = known.get(language) ?? guidePages.map((name) => read(language, name))
  known.set(language, pages)
  return pages
}

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.map(unmarked) ?? []

/** A text with the words marked that begin as one that is looked for. */
const markedIn = (text: string, wanted: string[]): MarkedText =>
  text
    .split(/([\p{L}\p{N}]+)/u)
    .filter(Boolean)
    .map((part) => ({ text: part, isMatch: wanted.some((word) => unmarked(part).startsWith(word)) }))

/** The sentence of a passage in which most of what is looked for stands. */
const bestSentence = (text: string, wanted: string[]) => {
  const matching = (sentence: string) => {
    const words = wordsOf(sentence)
    return wanted.filter((word) => words.some((one) => one.startsWith(word))).length
  }
  const sentences = text.split(/(?<=[.!?])\s+/)
  return sentences.toSorted((a, b) => matching(b) - matching(a) || a.length - b.length)[0] ?? text
}

/**
 * Where the guide says what is looked for: words that begin so, all of them below one heading. Pages that are
 * called so come first, then headings, then the rest; each heading once.
 */
export const searchGuide = (language: Language, typed: string): GuideHit[] => {
  const wanted = wordsOf(typed)
  if (wanted.length === 0) return []
  const isIn = (words: string[]) => wanted.every((word) => words.some((one) => one.startsWith(word)))
  const ranked = guideIn(language).flatMap(({ name, title, passages }) => {
    const ofTitle = wordsOf(title)
    const hits = passages.flatMap(({ heading, anchor, text }) => {
      const ofHeading = wordsOf(heading)
      const rank = isIn(ofTitle) ? 0 : isIn(ofHeading) ? 1 : 2
      if (!isIn([...ofTitle, ...ofHeading, ...wordsOf(text)])) return []
      const sentence = bestSentence(text, wanted)
      const hit: GuideHit = {
        page: name,
        address: addressOfGuide(name, rank === 0 ? '' : anchor),
        title: markedIn(title, wanted),
        heading: rank === 0 ? [] : markedIn(heading, wanted),
        sentence: markedIn(sentence, wanted),
      }
      const marks = wanted.filter((word) => wordsOf(sentence).some((one) => one.startsWith(word))).length
      return [{ rank, marks, hit }]
    })
    // A page that is called so is one hit, and of each heading the passage that says most.
    const best = hits.toSorted((a, b) => a.rank - b.rank || b.marks - a.marks)
    return best.filter(({ hit }, index) => best.findIndex((one) => one.hit.address === hit.address) === index)
  })
  return ranked.toSorted((a, b) => a.rank - b.rank || b.marks - a.marks).map(({ hit }) => hit)
}
