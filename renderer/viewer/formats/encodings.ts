import { analyse } from 'chardet'
import { entryIn } from '../../../electron/common/records.ts'

/** A way in which text is written as bytes. */
export interface Encoding {
  name: string
  /** Bytes of a sign at least: two in UTF-16. */
  unit: 1 | 2
  isBigEndian: boolean
  /** Bytes that are no text become U+FFFD. A byte order mark at the beginning is left out. */
  decode: (bytes: Uint8Array<ArrayBuffer>) => string
}

/** What the IBM code pages have from 0x80 on; no browser knows these two. */
const upperHalves: Record<string, string> = {
  IBM850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀' +
    'ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  IBM437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀' +
    'αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
}
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
/** The Swedish seven bits of the years before 1990 (SEN 85 02 00 B): letters where ASCII has brackets. */
const swedish: Record<string, string> = { '[': 'Ä', '\\': 'Ö', ']': 'Å', '{': 'ä', '|': 'ö', '}': 'å' }

const tables: Record<string, string[]> = {
  IBM850: [...ascii, ...(upperHalves['IBM850'] ?? '')],
  IBM437: [...ascii, ...(upperHalves['IBM437'] ?? '')],
  'SEN 85 02 00': [
    ...ascii.map((sign) => entryIn(swedish, sign) ?? sign),
    ...Array<string>(128).fill('\ufffd'),
  ],
}

const byTable = (table: string[]) => (bytes: Uint8Array) => {
  const signs = Array<string>(bytes.length)
  for (const [index, byte] of bytes.entries()) signs[index] = table[byte] ?? ''
  return signs.join('')
}

const encodingOf = (name: string): Encoding => {
  const table = entryIn(tables, name)
  return {
    name,
    unit: name.startsWith('UTF-16') ? 2 : 1,
    isBigEndian: name === 'UTF-16BE',
    decode: table ? byTable(table) : (bytes) => new TextDecoder(name).decode(bytes),
  }
}

/** Those that somebody may choose, by the names that they are known by. */
export const encodings: readonly Encoding[] = [
  'UTF-8',
  'UTF-16LE',
  'UTF-16BE',
  'windows-1252',
  'ISO-8859-1',
  'ISO-8859-15',
  'macintosh',
  'IBM850',
  'IBM437',
  'SEN 85 02 00',
  'windows-1250',
  'ISO-8859-2',
  'windows-1251',
  'KOI8-R',
  'ISO-8859-5',
  'windows-1253',
  'windows-1257',
  'Shift_JIS',
  'EUC-JP',
  'ISO-2022-JP',
  'EUC-KR',
  'Big5',
  'GB18030',
].map(encodingOf)

/** @returns UTF-8 for a name that is none of ours */
export const encodingNamed = (name: string): Encoding =>
  encodings.find((encoding) => encoding.name === name) ?? encodingOf('UTF-8')

/** Whether these bytes are UTF-8, but for a sign that is cut at the end. */
const isUtf8 = (bytes: Uint8Array<ArrayBuffer>) => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Every second byte of a western text in UTF-16 is zero. */
const utf16Of = (bytes: Uint8Array) => {
  const zeros = [0, 0]
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (even + odd < bytes.length / 4) return undefined
  return even > odd ? 'UTF-16BE' : 'UTF-16LE'
}

const western = ['windows-1252', 'macintosh', 'IBM850']
const guessedAsWestern = /^(windows-125[0248]|ISO-8859-[129]|ASCII|UTF-8)$/

/**
 * How much like a western text this reads: letters in words count for it; signs in words, capitals in the
 * middle of them, and control codes against it.
 */
const likeness = (text: string) => {
  let score = 0
  for (const { 0: sign, index } of text.matchAll(/\P{ASCII}/gu)) {
    const before = text[index - 1] ?? ' '
    const isInWord = /\p{L}/u.test(before) || /\p{L}/u.test(text[index + 1] ?? ' ')
    if (/[\x80-\x9f\ufffd]/.test(sign)) score -= 4
    else if (/[åäöÅÄÖæøÆØéÉüÜ]/.test(sign)) score += isInWord ? 3 : 1
    else if (/\p{L}/u.test(sign)) score += isInWord ? 1 : 0
    else if (isInWord) score -= 2
    if (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(sign)) score -= 3
  }
  return score
}

/**
 * The encoding that the beginning of a text is in, most likely: by its byte order mark, else UTF-8 or UTF-16
 * if it can be, else as chardet has it; of the western ones, which it hardly tells apart, the one whose
 * letters make words.
 */
export const guessEncoding = (beginning: Uint8Array<ArrayBuffer>): Encoding => {
  const [first, second, third] = beginning
  if (first === 0xef && second === 0xbb && third === 0xbf) return encodingNamed('UTF-8')
  if (first === 0xff && second === 0xfe) return encodingNamed('UTF-16LE')
  if (first === 0xfe && second === 0xff) return encodingNamed('UTF-16BE')
  const wide = utf16Of(beginning)
  if (wide) return encodingNamed(wide)
  if (isUtf8(beginning)) return encodingNamed('UTF-8')
  const guess = analyse(beginning.subarray(0, 16 * 1024))[0]?.name ?? 'windows-1252'
  const known = encodings.find(({ name }) => name.toLowerCase() === guess.toLowerCase())
  if (known && !guessedAsWestern.test(guess)) return known
  const sample = beginning.subarray(0, 64 * 1024)
  const scores = western.map((name) => likeness(encodingNamed(name).decode(sample)))
  return encodingNamed(western[scores.indexOf(Math.max(...scores))] ?? 'windows-1252')
}

/** The bytes of a byte order mark at the beginning. */
export const markBytes = ([first, second, third]: Uint8Array) => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 3
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) ? 2 : 0
}
