import { Parser } from 'htmlparser2'
import { partsOf, type Content } from '../content.ts'
import { Undrawable } from '../kind.ts'

/** An element, or text among elements. */
export interface XmlRow {
  depth: number
  /** Its name with its prefix; empty for text among elements. */
  name: string
  attributes: Record<string, string>
  text: string
}

/** What was found on the way, which is said above the drawing. */
export interface XmlFindings {
  /** It defines entities: nothing is put in their place. */
  hasEntities: boolean
  /** The file ends before its elements do. */
  isBroken: boolean
}

const partBytes = 128 * 1024
const deepest = 200
const mostAttributes = 500
const mostText = 20_000
/** So many bytes without any element are a text that nobody wrote. */
const mostBetween = 64 * 1024 * 1024

const encodingOf = (beginning: Uint8Array) => {
  const [first, second] = beginning
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const text = new TextDecoder('latin1').decode(beginning.subarray(0, 200))
  const named = /^<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(text)?.[1]
  try {
    return new TextDecoder(named).encoding
  } catch {
    return 'utf-8'
  }
}

const handlers = (rows: XmlRow[], findings: XmlFindings) => {
  /** The elements that are open, the innermost last. */
  const open: XmlRow[] = []
  let last: XmlRow | undefined
  return {
    onopentag: (name: string, attributes: Record<string, string>) => {
      if (open.length >= deepest || Object.keys(attributes).length > mostAttributes)
        throw new Undrawable('too complex')
      last = { depth: open.length, name, attributes, text: '' }
      rows.push(last)
      open.push(last)
    },
    ontext: (text: string) => {
      const inner = open.at(-1)
      if (!inner) return
      if (last !== inner && (last?.name !== '' || last.depth !== open.length)) {
        if (text.trim() === '') return
        last = { depth: open.length, name: '', attributes: {}, text: '' }
        rows.push(last)
      }
      if (last.text.length < mostText) last.text += text.slice(0, mostText - last.text.length)
    },
    onclosetag: () => {
      open.pop()
      last = undefined
    },
    onprocessinginstruction: (name: string, data: string) => {
      if (/^!ENTITY/i.test(name) || /<!ENTITY/i.test(data)) findings.hasEntities = true
    },
    isOver: () => open.length === 0,
  }
}

/**
 * An XML document from its beginning on, element after element. What its type declares is not read: the five
 * entities of XML and numbers of signs are all that is put in anything’s place, and nothing else is opened.
 * @throws Undrawable where it is deeper or longer than documents are, Unreachable
 */
export async function* readXmlRows(content: Content, findings: XmlFindings): AsyncGenerator<XmlRow[]> {
  const decoder = new TextDecoder(encodingOf(await content.read(0, 200)))
  const rows: XmlRow[] = []
  const handler = handlers(rows, findings)
  const parser = new Parser(handler, { xmlMode: true })
  let between = 0
  for await (const part of partsOf(content, 0, partBytes)) {
    const before = rows.length
    parser.write(decoder.decode(part, { stream: true }))
    between = rows.length > before ? 0 : between + part.length
    if (between > mostBetween) throw new Undrawable('too complex')
    // The last row may still grow.
    if (rows.length > 1) yield rows.splice(0, rows.length - 1)
  }
  findings.isBroken ||= !handler.isOver()
  parser.end(decoder.decode())
  yield rows
}
