import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extractText, getDocumentProxy } from 'unpdf'
import { utf16ByMark } from '../../common/byte-order-mark.ts'
import { chunksOf } from '../../common/chunks.ts'
import { textForms } from './file-types.ts'
import { lettersIn, textOfLetter } from './letters.ts'
import { openTags } from './tags.ts'

/** Of longer texts the beginning is indexed. */
const mostCharacters = 1_000_000
/** Read into again and again, in a thread that does nothing else meanwhile. */
const block = Buffer.allocUnsafeSlow(256 * 1024)
/** Larger ones, of kinds that are read whole, are found by their names alone. */
const mostWholeBytes = 100_000_000

/**
 * Text is UTF-8, unless its first bytes say otherwise or it cannot be: then it is read as Windows-1252, which
 * every byte fits.
 */
const decoderFor = (start: Buffer) => {
  const utf16 = utf16ByMark(start)
  if (utf16) return new TextDecoder(utf16)
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true })
    return new TextDecoder('utf-8')
  } catch {
    return new TextDecoder('windows-1252')
  }
}

/** The text of a file piece by piece, until enough was taken. */
const readText = (file: string, take: (part: string) => boolean) => {
  const handle = openSync(file, 'r')
  try {
    let decoder: ReturnType<typeof decoderFor> | undefined
    for (let read = readSync(handle, block); read > 0; read = readSync(handle, block)) {
      const part = block.subarray(0, read)
      decoder ??= decoderFor(part)
      if (!take(decoder.decode(part, { stream: true }))) return
    }
  } finally {
    closeSync(handle)
  }
}

const betweenTags = (file: string, xmlMode: boolean) => {
  const tags = openTags(xmlMode, mostCharacters)
  readText(file, tags.take)
  return tags.end()
}

const ofLetter = async (file: string) => {
  if ((await stat(file)).size > mostWholeBytes) return ''
  return textOfLetter(await readFile(file), mostCharacters)
}

/** One letter after the other, until there is enough: one that cannot be read is passed over. */
const ofMailbox = async (file: string) => {
  let text = ''
  for await (const letter of lettersIn(chunksOf(createReadStream(file, { highWaterMark: 256 * 1024 })))) {
    text += ` ${await textOfLetter(letter, mostCharacters).catch(() => '')}`
    if (text.length >= mostCharacters) break
  }
  return text
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
    if (form === 'mailbox') return ofMailbox(file)
    if (form === 'xml' || form === 'html') return betweenTags(file, form === 'xml')
    let text = ''
    readText(file, (part) => (text += part).length < mostCharacters)
    return text
  }
  return (await whole()).slice(0, mostCharacters).replaceAll('\0', ' ').replace(/\s+/g, ' ').trim()
}
