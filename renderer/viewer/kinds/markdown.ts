import { Lexer, type Token, type Tokens } from 'marked'
import { entryIn } from '../../../electron/common/records.ts'
import { readWhole } from '../content.ts'
import { element } from '../element.ts'
import { guessEncoding } from '../formats/encodings.ts'
import { Undrawable, type Draw } from '../kind.ts'
import { findInFlow } from '../parts/flow.ts'

const mostBytes = 4 * 1024 * 1024
const deepest = 60
/** Such a line stands in more lists or quotations than are drawn; to find how many takes for ever. */
const deeplyIndented = /^[ \t>]{400}/m

/** A word so long takes seconds until it is known where its lines end. */
const endlessWord = /\S{20000}/
/** What may begin a mark in running text. */
const marks = /[!*[_`~<]/g
/**
 * Each mark that never ends is looked for through all the text after it. So many steps of that take two
 * seconds at the worst.
 */
const mostSteps = 4e9

/** Ends where the marks in running text would take too long. @throws Undrawable too complex */
class BoundedLexer extends Lexer {
  #steps = 0
  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    this.#steps += text.length * (text.match(marks)?.length ?? 0)
    if (this.#steps > mostSteps) throw new Undrawable('too complex')
    return super.inlineTokens(text, tokens)
  }
}

const isA = <Type extends Tokens.Generic>(token: Token, ...types: Type['type'][]): token is Type =>
  types.includes(token.type)

/** Elements of what is marked up. HTML in it stays text: nothing of a file is read as HTML. */
const nodesOf = (tokens: readonly Token[], depth = 0): Node[] => {
  if (depth > deepest) throw new Undrawable('too complex')
  return tokens.flatMap((token) => nodeOf(token, depth + 1))
}

const listOf = ({ ordered, start, items }: Tokens.List, depth: number) =>
  element(
    ordered ? 'ol' : 'ul',
    { start: ordered && start !== '' ? String(start) : undefined },
    ...items.map(({ tokens, task, checked }) =>
      element('li', {}, ...(task ? [checked === true ? '☑ ' : '☐ '] : []), ...nodesOf(tokens, depth)),
    ),
  )

const tableOf = ({ header, rows }: Tokens.Table, depth: number) =>
  element(
    'table',
    {},
    element('tr', {}, ...header.map(({ tokens }) => element('th', {}, ...nodesOf(tokens, depth)))),
    ...rows.map((row) =>
      element('tr', {}, ...row.map(({ tokens }) => element('td', {}, ...nodesOf(tokens, depth)))),
    ),
  )

/** Marks that enclose others, and the elements that they become. */
const enclosing: Record<string, 'p' | 'b' | 'i' | 's' | 'blockquote'> = {
  paragraph: 'p',
  strong: 'b',
  em: 'i',
  del: 's',
  blockquote: 'blockquote',
}
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const

const nodeOf = (token: Token, depth: number): Node[] => {
  const inside = () => ('tokens' in token && token.tokens ? nodesOf(token.tokens, depth) : [])
  const name = entryIn(enclosing, token.type)
  if (name) return [element(name, {}, ...inside())]
  if (isA<Tokens.Heading>(token, 'heading'))
    return [element(headings[token.depth - 1] ?? 'h6', {}, ...inside())]
  if (isA<Tokens.List>(token, 'list')) return [listOf(token, depth)]
  if (isA<Tokens.Table>(token, 'table')) return [tableOf(token, depth)]
  if (isA<Tokens.Code>(token, 'code')) return [element('pre', {}, element('code', {}, token.text))]
  if (isA<Tokens.Codespan>(token, 'codespan')) return [element('code', {}, token.text)]
  if (isA<Tokens.Link>(token, 'link')) return [element('a', { title: token.href.slice(0, 500) }, ...inside())]
  if (isA<Tokens.Image>(token, 'image'))
    return [element('i', { title: token.href.slice(0, 500) }, `[${token.text}]`)]
  if (token.type === 'hr') return [element('hr')]
  if (token.type === 'br') return [element('br')]
  if (['space', 'def', 'checkbox'].includes(token.type)) return []
  if ('tokens' in token && token.tokens) return inside()
  const text = 'text' in token && typeof token.text === 'string' ? token.text : token.raw
  if (endlessWord.test(text)) throw new Undrawable('too complex')
  return [document.createTextNode(text)]
}

/** Markdown as it is meant to be read. */
export const draw: Draw = async (content, stage) => {
  const bytes = await readWhole(content, mostBytes)
  const text = guessEncoding(bytes).decode(bytes)
  if (deeplyIndented.test(text)) throw new Undrawable('too complex')
  const flow = element('article', { class: 'flow', tabindex: '0' }, ...nodesOf(new BoundedLexer().lex(text)))
  stage.root.append(flow)
  const find = findInFlow(flow, stage, stage.signal)
  return { find, text: () => text }
}
