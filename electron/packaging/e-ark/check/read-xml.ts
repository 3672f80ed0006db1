import { SaxesParser, type SaxesTagNS } from 'saxes'
import { utf16ByMark } from '../../../common/byte-order-mark.ts'
import type { FindingCode } from '../../../contract/findings.ts'

/** Characters that a tag, or the text before it, may have; longer ones are held in memory by nobody. */
const longestPiece = 4 * 1024 * 1024
const deepest = 200
/** Longer texts would lie among what lives long, and be collected late. */
const pieceBytes = 32 * 1024
const mostAttributes = 10_000

/** An element as its first tag has it. */
export interface XmlElement {
  namespace: string
  name: string
  /** Where its tag begins, from 1 on. */
  line: number
  attributes: SaxesTagNS['attributes']
  /** Namespaces that it declares. */
  declared: string[]
}

/** The value of an attribute, or undefined. */
export const attributeOf = ({ attributes }: XmlElement, name: string, namespace = ''): string | undefined => {
  if (namespace === '') return attributes[name]?.value
  for (const key in attributes) {
    const attribute = attributes[key]
    if (attribute?.local === name && attribute.uri === namespace) return attribute.value
  }
  return undefined
}

export interface XmlReader {
  open: (element: XmlElement) => void
  text: (text: string) => void
  close: (name: string) => void
}

/** A text that is no XML, or more than is read of one: what is wrong, and in which line. */
export class XmlTrouble extends Error {
  readonly code: FindingCode
  readonly line: number | null
  constructor(code: FindingCode, detail: string, line: number | null) {
    super(detail)
    this.code = code
    this.line = line
  }
}

/** The encoding of an XML text by its first bytes and what its declaration says (XML 1.0, appendix F). */
const encodingOf = (head: Buffer): string => {
  const utf16 = utf16ByMark(head)
  if (utf16) return utf16
  const declaration = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']/
  return declaration.exec(head.toString('latin1', 0, 256))?.[1] ?? 'utf-8'
}

const decoderFor = (encoding: string) => {
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch {
    throw new XmlTrouble('xml', encoding, 1)
  }
}

/** A parser that is strict, resolves nothing, and stops at a document type declaration. */
const strictParser = (reader: XmlReader, moved: () => void) => {
  const parser = new SaxesParser({ xmlns: true })
  let line = 1
  let depth = 0
  let attributesOfTag = 0
  parser.on('error', (error) => {
    throw new XmlTrouble('xml', error.message.replace(/^\d+:\d+: /, ''), parser.line)
  })
  parser.on('doctype', () => {
    throw new XmlTrouble('xml-doctype', '', parser.line)
  })
  parser.on('opentagstart', () => {
    line = parser.line
    attributesOfTag = 0
  })
  parser.on('attribute', () => {
    attributesOfTag += 1
    if (attributesOfTag > mostAttributes)
      throw new XmlTrouble('xml-bounds', `attributes > ${mostAttributes}`, line)
  })
  parser.on('opentag', ({ uri, local, attributes, ns }) => {
    moved()
    depth += 1
    if (depth > deepest) throw new XmlTrouble('xml-bounds', `depth > ${deepest}`, line)
    reader.open({ namespace: uri, name: local, line, attributes, declared: Object.values(ns) })
  })
  parser.on('text', reader.text)
  parser.on('cdata', reader.text)
  parser.on('closetag', ({ local }) => {
    moved()
    depth -= 1
    reader.close(local)
  })
  return parser
}

/**
 * Reads an XML text strictly (XML 1.0, Namespaces in XML 1.0), part after part. Nothing is resolved or
 * fetched: a document type declaration is refused, so there are no entities but the five of XML.
 * @param gate closed, the rest is not read
 * @returns whether it was read to its end
 * @throws XmlTrouble
 */
export const readXml = async (
  parts: Iterable<Buffer> | AsyncIterable<Buffer>,
  reader: XmlReader,
  gate: () => boolean,
): Promise<boolean> => {
  let sinceTag = 0
  const parser = strictParser(reader, () => (sinceTag = 0))
  let decoder: ReturnType<typeof decoderFor> | undefined
  const decode = (part?: Buffer) => {
    try {
      return decoder?.decode(part, { stream: part !== undefined }) ?? ''
    } catch {
      throw new XmlTrouble('xml', decoder?.encoding ?? '', parser.line)
    }
  }
  for await (const part of parts) {
    if (!gate()) return false
    decoder ??= decoderFor(encodingOf(part))
    for (let from = 0; from < part.length; from += pieceBytes) {
      const text = decode(part.subarray(from, from + pieceBytes))
      sinceTag += text.length
      parser.write(text)
      if (sinceTag > longestPiece) throw new XmlTrouble('xml-bounds', `text > ${longestPiece}`, parser.line)
    }
  }
  parser.write(decode())
  parser.close()
  return true
}
