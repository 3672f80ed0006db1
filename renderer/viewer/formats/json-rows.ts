import { entryIn } from '../../../electron/common/records.ts'
import { partsOf, type Content } from '../content.ts'
import { Undrawable } from '../kind.ts'

/** A value of a JSON document: one that holds others has no text. */
export interface JsonRow {
  depth: number
  /** Its key, or its number in a list. */
  name: string
  kind: 'object' | 'array' | 'string' | 'other'
  text: string
}

const partBytes = 128 * 1024
const deepest = 200
const mostText = 20_000

interface Open {
  isArray: boolean
  count: number
  key: string
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }
/** A string as it was meant; what is no escape stays as it is. */
const unescape = (text: string) =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_all, code: string | undefined, sign: string | undefined) =>
    code === undefined
      ? (entryIn(escapes, sign ?? '') ?? sign ?? '')
      : String.fromCharCode(parseInt(code, 16)),
  )

/** Takes a JSON document apart (RFC 8259), piece by piece. A file may hold many, one after the other. */
class JsonReader {
  rows: JsonRow[] = []
  readonly #open: Open[] = []
  /** Of a string or a literal that goes on. */
  #pending: 'string' | 'literal' | undefined
  #text = ''
  #isEscaped = false
  #isKey = false

  /** @throws Undrawable for what is no JSON */
  write(part: string) {
    for (let at = 0; at < part.length; at += 1) {
      if (this.#pending === 'string') at = this.#goOnString(part, at)
      else if (this.#pending === 'literal' && /[^\s,:[\]{}"]/.test(part[at] ?? ''))
        this.#append(part[at] ?? '')
      else {
        if (this.#pending === 'literal') this.#endLiteral()
        this.#sign(part[at] ?? '')
      }
    }
  }

  /** @throws Undrawable where the document ends too early */
  end() {
    if (this.#pending === 'literal') this.#endLiteral()
    return this.#open.length === 0 && this.#pending === undefined
  }

  #append(text: string) {
    if (this.#text.length < mostText) this.#text += text.slice(0, mostText - this.#text.length)
  }

  #goOnString(part: string, from: number) {
    let at = from
    for (; at < part.length; at += 1) {
      const sign = part[at]
      if (this.#isEscaped) this.#isEscaped = false
      else if (sign === '\\') this.#isEscaped = true
      else if (sign === '"') break
    }
    this.#append(part.slice(from, at))
    if (at < part.length) this.#endString()
    return at
  }

  #endString() {
    const text = unescape(this.#text)
    this.#pending = undefined
    const inner = this.#open.at(-1)
    if (this.#isKey && inner) inner.key = text
    else this.#value('string', text)
    this.#isKey = false
  }

  #endLiteral() {
    const text = this.#text
    this.#pending = undefined
    if (!/^(true|false|null|-?\d[\d.eE+-]*|-?Infinity|NaN)$/.test(text)) throw new Undrawable('broken')
    this.#value('other', text)
  }

  #value(kind: JsonRow['kind'], text: string) {
    const inner = this.#open.at(-1)
    const name = inner?.isArray ? String(inner.count) : (inner?.key ?? '')
    if (inner) inner.count += 1
    this.rows.push({ depth: this.#open.length, name, kind, text })
  }

  #sign(sign: string) {
    const inner = this.#open.at(-1)
    if (sign === '{' || sign === '[') {
      if (this.#open.length >= deepest) throw new Undrawable('too complex')
      this.#value(sign === '{' ? 'object' : 'array', '')
      this.#open.push({ isArray: sign === '[', count: 0, key: '' })
      this.#isKey = sign === '{'
    } else if (sign === '}' || sign === ']') {
      if (inner?.isArray !== (sign === ']')) throw new Undrawable('broken')
      this.#open.pop()
      this.#isKey = false
    } else if (sign === ',') this.#isKey = inner?.isArray === false
    else if (sign === '"') {
      this.#pending = 'string'
      this.#text = ''
    } else if (/[^\s:]/.test(sign)) {
      this.#pending = 'literal'
      this.#text = sign
    }
  }
}

/**
 * A JSON document from its beginning on, value after value; also one in each line.
 * @returns whether it was complete
 * @throws Undrawable where it is none, or deeper than documents are; Unreachable
 */
export async function* readJsonRows(content: Content): AsyncGenerator<JsonRow[], boolean> {
  const decoder = new TextDecoder()
  const reader = new JsonReader()
  for await (const part of partsOf(content, 0, partBytes)) {
    try {
      reader.write(decoder.decode(part, { stream: true }))
    } catch (error) {
      const isBroken = error instanceof Undrawable && error.trouble === 'broken'
      if (!isBroken || reader.rows.length === 0) throw error
      yield reader.rows
      return false
    }
    yield reader.rows
    reader.rows = []
  }
  const isComplete = reader.end()
  yield reader.rows
  return isComplete
}
