import { entryIn } from '../../../electron/common/records.ts'
import { element } from '../element.ts'
import { Undrawable } from '../kind.ts'

interface State {
  isBold: boolean
  isItalic: boolean
  isUnderlined: boolean
  isHidden: boolean
  /** What the text of a group is: text of the document, nothing that is shown, a picture in digits, … */
  target: 'text' | 'none' | 'picture' | 'styles' | 'title' | 'author'
  /** Signs that stand after one in Unicode for programs that have none. */
  skipped: number
}

/** Groups with nothing of the text in them. */
const none = new Set(
  (
    'fonttbl colortbl info header headerl headerr headerf footer footerl footerr footerf listtable object ' +
    'listoverridetable revtbl rsidtbl generator themedata colorschememapping datastore latentstyles pgptbl ' +
    'fldinst nonshppict footnote annotation xmlnstbl wgrffmtfilter'
  ).split(' '),
)
const signs: Record<string, string> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: '\u2003',
  enspace: '\u2002',
}
const mostPieces = 500_000
const deepest = 500
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const

export interface RtfDrawn {
  nodes: Node[]
  title: string
  author: string
  pictures: { hex: string; image: HTMLImageElement }[]
}

/** Lays a document in Rich Text Format out: its text, its tables and pictures, not its pages. */
export class RtfReader {
  readonly drawn: RtfDrawn = { nodes: [], title: '', author: '', pictures: [] }
  #states: State[] = []
  #state: State = {
    isBold: false,
    isItalic: false,
    isUnderlined: false,
    isHidden: false,
    target: 'text',
    skipped: 1,
  }
  #decoder = new TextDecoder('windows-1252')
  #bytes: number[] = []
  #skip = 0
  #inside: (Node | string)[] = []
  /** Which styles of paragraphs are headings, and of which level. */
  #headings = new Map<number, number>()
  #style = 0
  #outline: number | undefined
  #cells: HTMLElement[] | undefined
  #cell: (Node | string)[][] = []
  #hex = ''
  #pieces = 0

  /** @param text the bytes of the file, a sign each */
  read(text: string): RtfDrawn {
    const pattern = /\\'([0-9a-f]{2})|\\([a-z]+)(-?\d+)? ?|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+/gi
    for (const [, byte, word, number, symbol, brace, plain] of text.matchAll(pattern)) {
      this.#pieces += 1
      if (this.#pieces > mostPieces) throw new Undrawable('too complex')
      if (byte !== undefined) this.#addByte(Number.parseInt(byte, 16))
      else if (plain !== undefined) this.#addPlain(plain)
      else {
        this.#flush()
        if (brace === '{') this.#open()
        else if (brace === '}') this.#close()
        else if (word !== undefined) this.#word(word, number === undefined ? undefined : Number(number))
        else if (symbol !== undefined) this.#symbol(symbol)
      }
    }
    this.#flush()
    this.#endParagraph()
    this.#endTable()
    return this.drawn
  }

  #open() {
    if (this.#states.length > deepest) throw new Undrawable('too complex')
    const { isBold, isItalic, isUnderlined, isHidden, target, skipped } = this.#state
    this.#states.push(this.#state)
    this.#state = { isBold, isItalic, isUnderlined, isHidden, target, skipped }
  }

  #close() {
    const before = this.#states.pop()
    if (this.#state.target === 'picture' && before?.target !== 'picture') this.#endPicture()
    if (before) this.#state = before
    this.#skip = 0
  }

  #symbol(symbol: string) {
    if (symbol === '*') this.#state.target = 'none'
    else if (symbol === '~') this.#add('\u00a0')
    else if (symbol === '_') this.#add('\u2011')
    else if (/[\\{}]/.test(symbol)) this.#add(symbol)
  }

  #word(word: string, number: number | undefined) {
    const isOn = number !== 0
    if (none.has(word) && this.#state.target === 'text') this.#state.target = 'none'
    else if (word === 'stylesheet') this.#state.target = 'styles'
    else if (word === 'title' || word === 'author') this.#state.target = word
    // Pictures that newer programs are to show stand in a group that others pass over.
    else if (word === 'shppict') this.#state.target = 'text'
    else if (word === 'pict' && this.#state.target === 'text') this.#state.target = 'picture'
    else if (word === 'ansicpg') this.#setCodePage(number ?? 1252)
    else if (word === 'mac') this.#decoder = new TextDecoder('macintosh')
    else if (word === 'uc') this.#state.skipped = number ?? 1
    else if (word === 'u') this.#unicode(number ?? 0)
    else if (word === 'b') this.#state.isBold = isOn
    else if (word === 'i') this.#state.isItalic = isOn
    else if (word === 'ul') this.#state.isUnderlined = isOn
    else if (word === 'ulnone') this.#state.isUnderlined = false
    else if (word === 'v') this.#state.isHidden = isOn
    else if (word === 'plain')
      Object.assign(this.#state, { isBold: false, isItalic: false, isUnderlined: false, isHidden: false })
    else if (this.#state.target === 'text') this.#layOut(word, number)
    else if (word === 's') this.#style = number ?? 0
    else if (word === 'outlinelevel' && number !== undefined) this.#headings.set(this.#style, number)
  }

  /** Words about paragraphs and tables. */
  #layOut(word: string, number: number | undefined) {
    const sign = entryIn(signs, word)
    if (sign !== undefined) this.#add(sign)
    else if (word === 'par' || word === 'sect' || word === 'page') this.#endParagraph()
    else if (word === 'pard') this.#outline = undefined
    else if (word === 'outlinelevel') this.#outline = number
    else if (word === 's') this.#outline = this.#headings.get(number ?? 0)
    else if (word === 'cell') {
      this.#cell.push(this.#inside)
      this.#inside = []
    } else if (word === 'row') this.#endRow()
  }

  #setCodePage(page: number) {
    const name = page === 10000 ? 'macintosh' : page === 932 ? 'shift_jis' : `windows-${page}`
    try {
      this.#decoder = new TextDecoder(name)
    } catch {
      this.#decoder = new TextDecoder('windows-1252')
    }
  }

  #unicode(number: number) {
    this.#add(String.fromCharCode(number < 0 ? number + 65_536 : number))
    this.#skip = this.#state.skipped
  }

  #addByte(byte: number) {
    if (this.#skip > 0) this.#skip -= 1
    else this.#bytes.push(byte)
  }

  #addPlain(plain: string) {
    const skipped = Math.min(this.#skip, plain.length)
    this.#skip -= skipped
    if (this.#state.target === 'picture') this.#hex += plain
    else for (const sign of plain.slice(skipped)) this.#bytes.push(sign.charCodeAt(0))
  }

  /** Signs of more than one byte come in pieces. */
  #flush() {
    if (this.#bytes.length === 0) return
    const text = this.#decoder.decode(new Uint8Array(this.#bytes))
    this.#bytes = []
    this.#add(text)
  }

  #add(text: string) {
    const { target, isBold, isItalic, isUnderlined, isHidden } = this.#state
    if (target === 'title') this.drawn.title += text
    else if (target === 'author') this.drawn.author += text
    else if (target === 'styles') this.#addStyle(text)
    if (target !== 'text' || isHidden) return
    let node: Node | string = text
    if (isBold) node = element('b', {}, node)
    if (isItalic) node = element('i', {}, node)
    if (isUnderlined) node = element('u', {}, node)
    this.#inside.push(node)
  }

  /** By its name, which is English in every language, a style of headings is known. */
  #addStyle(name: string) {
    const level = /^heading ([1-6]);/i.exec(name.trim())?.[1]
    if (level !== undefined) this.#headings.set(this.#style, Number(level) - 1)
  }

  #endParagraph() {
    if (this.#inside.length === 0) return
    // A break within a cell is one of its lines.
    if (this.#cell.length > 0) {
      this.#inside.push(element('br'))
      return
    }
    this.#endTable()
    const name = this.#outline === undefined ? 'p' : (headings[this.#outline] ?? 'p')
    this.drawn.nodes.push(element(name, {}, ...this.#inside))
    this.#inside = []
  }

  #endRow() {
    const row = element('tr', {}, ...this.#cell.map((cell) => element('td', {}, ...cell)))
    this.#cell = []
    this.#cells = [...(this.#cells ?? []), row]
  }

  #endTable() {
    if (this.#cells) this.drawn.nodes.push(element('table', {}, ...this.#cells))
    this.#cells = undefined
  }

  #endPicture() {
    const image = element('img', { alt: '' })
    if (this.#hex.length > 100) {
      this.drawn.pictures.push({ hex: this.#hex, image })
      this.#inside.push(image)
    }
    this.#hex = ''
  }
}
