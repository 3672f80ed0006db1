import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { isChangedByUnzip, shownName } from '../names.ts'
import type { EntryNote } from './container-error.ts'

/**
 * The upper half of code page 437, in which zips of before 2006 have their names (APPNOTE.TXT, appendix D).
 */
const codePage437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
  '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'
const fromCodePage437 = (bytes: Buffer) =>
  Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : codePage437[byte - 128])).join('')

/** A name as text for people, and why it cannot be that of a file; `notes` say what else is wrong with it. */
export interface EntryName {
  name: string
  trouble: 'not-text' | 'too-deep' | undefined
  notes: EntryNote[]
}

const longestPath = 4_096
const longestPart = 255
const isAscii = (bytes: Buffer) => bytes.every((byte) => byte < 128)
const slashes = (name: string) => name.split('/').length

/**
 * A part of a path that is longer than file systems take (Linux, NAME_MAX; Windows and macOS count letters).
 */
const lengthNotes = (name: string, length: number): EntryNote[] => {
  if (length <= longestPart) return []
  const part = name.split('/').find((segment) => Buffer.byteLength(segment) > longestPart)
  if (part === undefined) return []
  return [
    { level: part.length > longestPart ? 'error' : 'warning', code: 'name-long', detail: part.slice(0, 100) },
  ]
}

const named = (name: string, length: number, notes: EntryNote[]): EntryName => ({
  name,
  // No system call takes such a path (Linux, PATH_MAX).
  trouble: length > longestPath ? 'too-deep' : undefined,
  notes: [...notes, ...lengthNotes(name, length)],
})
const notText = (bytes: Buffer): EntryName => ({
  name: shownName(bytes.subarray(0, longestPath)),
  trouble: 'not-text',
  notes: [],
})

/** The name of an entry of a tar, which is bytes: UTF-8, or no text that a manifest could have. */
export const tarName = (bytes: Buffer): EntryName =>
  isUtf8(bytes) ? named(bytes.toString('utf8'), bytes.length, []) : notText(bytes)

/**
 * The name in Info-ZIP's field for one in UTF-8 (APPNOTE.TXT 4.6.9): version, CRC-32 of the other name, the
 * name; undefined where the CRC-32 is not that of the other name, as a program left it behind that renamed
 * the entry.
 */
export const unicodePath = (raw: Buffer, field: Buffer | undefined): Buffer | undefined =>
  field && field.length >= 5 && field.readUInt32LE(1) === crc32(raw) ? field.subarray(5) : undefined

/**
 * The name of an entry of a zip: UTF-8 where the entry is marked so, else as the field 0x7075 has it, else
 * UTF-8 where its bytes are such (as macOS and many others write them), else code page 437.
 */
export const zipName = (raw: Buffer, isMarked: boolean, field: Buffer | undefined): EntryName => {
  const inField = unicodePath(raw, field)
  // Some programs believe the field nonetheless where the entry is marked or the version of the field is none
  // that is known.
  const isIgnored = isMarked || field?.[0] !== 1
  const path = isIgnored ? undefined : inField
  const bytes = path ?? raw
  const isText = isUtf8(bytes)
  if (!isText && (isMarked || path)) return notText(bytes)
  const name = isText ? bytes.toString('utf8') : fromCodePage437(bytes)
  const notes: EntryNote[] = []
  if (isChangedByUnzip(name)) notes.push({ level: 'error', code: 'name-differs', detail: name })
  if (isIgnored && inField && !inField.equals(raw))
    notes.push({ level: 'error', code: 'name-differs', detail: `${name} ≠ ${shownName(inField)}` })
  if (path && (isAscii(raw) ? !raw.equals(path) : slashes(name) !== slashes(fromCodePage437(raw))))
    notes.push({ level: 'error', code: 'name-differs', detail: `${fromCodePage437(raw)} ≠ ${name}` })
  else if (!isMarked && !isAscii(raw)) notes.push({ level: 'warning', code: 'name-unmarked', detail: name })
  return named(name, bytes.length, notes)
}
