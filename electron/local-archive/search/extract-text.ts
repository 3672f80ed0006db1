import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { Parser } from 'htmlparser2'
import PostalMime, { type Address } from 'postal-mime'
import { extractText, getDocumentProxy } from 'unpdf'
import { textForms } from './file-types.ts'
import { chunksOf } from '../../common/chunks.ts'

/** Of longer texts the beginning is indexed. */
const mostCharacters = 1_000_000
/** Larger ones, of kinds that are read whole, are found by their names alone. */
const mostWholeBytes = 100_000_000

/**
 * Text is UTF-8, unless its first bytes say otherwise or it cannot be: then it is read as Windows-1252, which
 * every byte fits.
 */
const decoderFor = (start: Buffer) => {
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder('utf-16le')
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder('utf-16be')
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true })
    return new TextDecoder('utf-8')
  } catch {
    return new TextDecoder('windows-1252')
  }
}

/** The text of a file piece by piece, until enough was taken. */
const readText = async (file: string, take: (part: string) => boolean) => {
  let decoder: ReturnType<typeof decoderFor> | undefined
  for await (const part of chunksOf(createReadStream(file, { highWaterMark: 256 * 1024 }))) {
    decoder ??= decoderFor(part)
    if (!take(decoder.decode(part, { stream: true }))) return
  }
}

/** Elements of HTML that stand inside a word as well as between two. */
const inline = new Set(
  'a abbr b bdi bdo cite code em font i kbd mark q s small span strong sub sup tt u wbr'.split(' '),
)

/** Elements of HTML that hold no text. */
const hidden = new Set(['script', 'style'])

/** Every other element ends where it begins: what is open is looked through by nobody, however deep it is. */
class FlatParser extends Parser {
  protected override isVoidElement(name: string) {
    return !hidden.has(name)
  }
}
/** In XML none holds anything but text. */
class FlatXmlParser extends Parser {
  protected override isVoidElement() {
    return true
  }
}

/** Reads what stands between the tags. */
const openTags = (xmlMode: boolean) => {
  let text = ''
  let isHidden = false
  const parser = new (xmlMode ? FlatXmlParser : FlatParser)(
    {
      onopentagname: (name) => {
        isHidden ||= !xmlMode && hidden.has(name)
        if (xmlMode || !inline.has(name)) text += ' '
      },
      onclosetag: (name) => {
        if (hidden.has(name)) isHidden = false
      },
      ontext: (part) => {
        if (!isHidden && text.length < mostCharacters) text += part
      },
    },
    // In SVG a style may end where it begins.
    { xmlMode, decodeEntities: true, recognizeSelfClosing: true },
  )
  return {
    /** Whether more is wanted. */
    take: (part: string) => {
      parser.write(part)
      return text.length < mostCharacters
    },
    end: () => {
      parser.end()
      return text
    },
  }
}

const betweenTags = async (file: string, xmlMode: boolean) => {
  const tags = openTags(xmlMode)
  await readText(file, tags.take)
  return tags.end()
}

const namesOf = (addresses: Address[]): string[] =>
  addresses.flatMap(({ name, address, group }) => [name, address ?? '', ...namesOf(group ?? [])])

const deepestParts = 40

/** Who wrote a letter to whom, about what, and its words, without how they were sent (RFC 2045, RFC 2047). */
const ofLetter = async (file: string) => {
  if ((await stat(file)).size > mostWholeBytes) return ''
  const letter = await PostalMime.parse(await readFile(file), { maxNestingDepth: deepestParts })
  const { subject, from, to, cc, bcc, text, html, attachments } = letter
  const people = namesOf([...(from ? [from] : []), ...(to ?? []), ...(cc ?? []), ...(bcc ?? [])])
  const named = attachments.map(({ filename }) => filename ?? '')
  const tags = openTags(false)
  // One of the two may only say that the other is to be read.
  if (html) tags.take(html)
  return [subject, ...people, text, tags.end(), ...named].filter(Boolean).join(' ')
}

const ofPdf = async (file: string) => {
  if ((await stat(file)).size > mostWholeBytes) return ''
  const pdf = await getDocumentProxy(new Uint8Array(await readFile(file)), { verbosity: 0 })
  return (await extractText(pdf, { mergePages: true })).text
}

/**
 * The text of a file for the search index, at most a million characters of it.
 * @param extension in lower case, without the dot
 * @throws where the file is not what its name says; it is then found by its name alone
 */
export const textOfFile = async (file: string, extension: string): Promise<string> => {
  const whole = async () => {
    const form = textForms[extension]
    if (form === 'pdf') return ofPdf(file)
    if (form === 'letter') return ofLetter(file)
    if (form === 'xml' || form === 'html') return betweenTags(file, form === 'xml')
    let text = ''
    await readText(file, (part) => (text += part).length < mostCharacters)
    return text
  }
  return (await whole()).slice(0, mostCharacters).replaceAll('\0', ' ').replace(/\s+/g, ' ').trim()
}
