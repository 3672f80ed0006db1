import { entryIn } from '../../common/records.ts'
import { utf16ByMark } from '../../common/byte-order-mark.ts'

/** The declaration of a bag that is written (RFC 8493 2.1.1). */
export const declaration = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n'

export type Tag = [label: string, value: string]

/**
 * Whether a label can be written: it has no colon, no line break or other control sign, and no blank at its
 * ends (RFC 8493 2.2.2).
 */
export const isLabel = (label: string) =>
  label !== '' && label.trim() === label && !/[:\p{Cc}]/u.test(label) && label.isWellFormed()

/** Labels that every bag of ours has, with what was found. */
export const writtenLabels = ['Payload-Oxum', 'Bagging-Date', 'Bag-Software-Agent']

const longestLine = 79

/**
 * Breaks a value at spaces, so that no line is longer than it should be (RFC 8493 2.2.2); what goes on is
 * indented. The first word stays with its label, as a line that ends with the colon is none; a word that is
 * too long for any line stays whole, as breaking it would change the value.
 */
const folded = (label: string, value: string) => {
  const [first = '', ...words] = value.split(/[ \t\r\n]+/)
  const lines = [`${label}: ${first}`]
  for (const word of words) {
    const last = lines.at(-1) ?? ''
    if (last.length + 1 + word.length <= longestLine) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`  ${word}`)
  }
  return lines.join('\n')
}

/**
 * bag-info.txt (RFC 8493 2.2.2): one label and value a line; long values and line breaks are folded, empty
 * values left out.
 */
export const bagInfo = (tags: Tag[]) =>
  tags
    .filter(([, value]) => value.trim() !== '')
    .map(([label, value]) => `${folded(label, value.trim())}\n`)
    .join('')

const encodings: Record<string, string> = {
  utf8: 'utf-8',
  utf16: 'utf-16',
  utf16le: 'utf-16le',
  utf16be: 'utf-16be',
  iso88591: 'latin1',
  usascii: 'utf-8',
  ascii: 'utf-8',
}

/**
 * Decodes the parts of a text one after the other; the last one is given without `stream`. Throws where they
 * are none.
 */
type Decode = (bytes: Buffer, stream?: boolean) => string

/** A decoder of the encoding that a bag declares (IANA's name); undefined where nobody here knows it. */
export const decoderOf = (encoding: string): Decode | undefined => {
  const key = encoding.toLowerCase().replace(/[^a-z0-9]/g, '')
  const name = entryIn(encodings, key) ?? encoding
  // Node's decoder of that name is windows-1252, which has letters where ISO-8859-1 has control characters.
  if (name === 'latin1') return (bytes) => bytes.toString('latin1')
  let decoder: InstanceType<typeof TextDecoder> | undefined
  if (name === 'utf-16') {
    // Without a mark UTF-16 is big-endian (RFC 2781 4.3).
    return (bytes, stream = false) => {
      decoder ??= new TextDecoder(utf16ByMark(bytes) ?? 'utf-16be', { fatal: true })
      return decoder.decode(bytes, { stream })
    }
  }
  try {
    decoder = new TextDecoder(name, { fatal: true })
    return (bytes, stream = false) => decoder?.decode(bytes, { stream }) ?? ''
  } catch {
    return undefined
  }
}

/**
 * Text of a tag file, without the byte-order mark that it may begin with; undefined where its bytes are none
 * of that encoding.
 */
const tagText = (bytes: Buffer, encoding: string): string | undefined => {
  try {
    return decoderOf(encoding)?.(bytes)
  } catch {
    return undefined
  }
}

/** Lines of a text, whichever of LF, CR and CRLF ends them (RFC 8493 2.1.3). */
const linesOf = (text: string) => text.split(/\r\n|\n|\r/)

export interface Declaration {
  version: string
  encoding: string
}

const knownVersions = ['0.93', '0.94', '0.95', '0.96', '0.97', '1.0']

/**
 * Reads bagit.txt (RFC 8493 2.1.1): two lines, UTF-8, without a byte-order mark. Drafts before 1.0 let white
 * space differ.
 * @returns what is wrong where it is none
 */
export const readDeclaration = (bytes: Buffer): Declaration | 'mark' | 'lines' | 'version' | 'encoding' => {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'mark'
  const text = tagText(bytes, 'utf-8')
  if (text === undefined) return 'encoding'
  const lines = linesOf(text)
  if (lines.at(-1) === '') lines.pop()
  const [first = '', second = ''] = lines
  if (lines.length !== 2) return 'lines'
  const version = /^BagIt-Version: (\d+\.\d+)$/.exec(first)?.[1]
  if (version === undefined || !knownVersions.includes(version)) return 'version'
  const encoding = /^Tag-File-Character-Encoding: (\S+)$/.exec(second)?.[1]
  if (encoding === undefined || decoderOf(encoding) === undefined) return 'encoding'
  return { version, encoding }
}

/** Characters that are kept of a value; what is longer is cut. */
const longestValue = 65_536

/**
 * Reads bag-info.txt (package-info.txt before 0.96) line by line: labels and values in their order. A line
 * that begins with white space goes on with the one above (RFC 8493 2.2.2).
 * @param isStrict whether white space around the colon is as 1.0 wants it
 * @param found hears of every label with its value, and of every line that is neither
 */
export const infoReader = (isStrict: boolean, found: (read: { tag: Tag } | { badLine: number }) => void) => {
  let label: string | undefined
  let values: string[] = []
  let length = 0
  const add = (value: string) => {
    if (value === '' || length >= longestValue) return
    values.push(value.slice(0, longestValue - length))
    length += value.length + 1
  }
  const end = () => {
    if (label !== undefined) found({ tag: [label, values.join(' ')] })
    label = undefined
    values = []
    length = 0
  }
  return {
    line: (line: string, number: number) => {
      const text = line.trim()
      if (text === '') return
      if (/^[ \t]/.test(line) && label !== undefined) {
        add(text)
        return
      }
      end()
      const colon = line.indexOf(':')
      const name = line.slice(0, Math.max(colon, 0))
      const isTag = isStrict
        ? name !== '' && name.trim() === name && /[ \t]/.test(line.charAt(colon + 1))
        : name.trim() !== ''
      if (!isTag) {
        found({ badLine: number })
        return
      }
      label = name.trim()
      add(line.slice(colon + 1).trim())
    },
    end,
  }
}
