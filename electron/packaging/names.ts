import { isUtf8 } from 'node:buffer'

const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i
// eslint-disable-next-line no-control-regex
const refused = /[<>:"|?*\\\u0000-\u001f]|[ .]$/

/** What Windows would not store under this name (Microsoft, "Naming Files, Paths, and Namespaces"). */
export const isRefusedByWindows = (name: string) => reserved.test(name) || refused.test(name)

// eslint-disable-next-line no-control-regex
const changed = /[\u0000-\u001f\u007f]|;\d*$/

/**
 * Whether unzip unpacks a file or folder (which ends with '/') under another name: it leaves out control
 * characters, and at the end of a file's name what VMS had for versions (";1").
 */
export const isChangedByUnzip = (name: string) => changed.test(name)

// eslint-disable-next-line no-control-regex
const lineBreak = /[\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/

/**
 * Whether some programs end a line of a manifest within this name, as bagit-python does: RFC 8493 (2.1.3) has
 * nothing but CR, LF and CRLF end one, and only these are encoded.
 */
export const isBrokenByLines = (name: string) => lineBreak.test(name)

/**
 * Whether a path has a name that nobody can see, or a line break, which a form (RFC 7578) says otherwise.
 */
export const isUnnameable = (path: string) => /(^|\/)\s*(\/|$)|[\r\n]/.test(path)

/**
 * Longer paths fail in programs of Windows that keep to MAX_PATH, drive and folder of the bag not counted.
 */
export const longestPath = 240

/** Names that are one where case or the form of accents does not count (RFC 8493 5.1.2 and 5.1.3). */
export const foldedForm = (name: string) => name.normalize('NFC')
export const foldedCase = (name: string) => foldedForm(name).toLowerCase()

/** File systems take no longer names, in bytes. */
const longestName = 255
const longestExtension = 64

/** A text without its end, as much as fits into so many bytes of UTF-8. */
const cutTo = (text: string, bytes: number): string => {
  let cut = text
  while (Buffer.byteLength(cut) > bytes) cut = Array.from(cut).slice(0, -1).join('')
  return cut
}

/**
 * A name that is not among those that were given before, else with a number; it is among them afterwards.
 * @param taken names without case and forms of accents
 */
export const freeName = (taken: Set<string>, stem: string, extension = ''): string => {
  // So long an extension says nothing, and would leave no room for the rest.
  const isKept = Buffer.byteLength(extension) <= longestExtension
  const [before, after] = isKept ? [stem, extension] : [`${stem}${extension}`, '']
  let name = `${before}${after}`
  for (let number = 2; taken.has(foldedCase(name)); number += 1) {
    const numbered = ` (${number})${after}`
    name = `${cutTo(before, longestName - Buffer.byteLength(numbered))}${numbered}`
  }
  taken.add(foldedCase(name))
  return name
}

/** A name that a package gives itself: without the signs that XML cannot hold, or that unzip leaves out. */
export const plainName = (name: string) =>
  name
    .toWellFormed()
    // eslint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u001f\u007f\ufffe\uffff]/g, '_')
    .replace(/;(?=\d*$)/, '_')

/**
 * Why a name of a manifest or of an archive's entry may not be followed (RFC 8493 5.3), after decoding: it
 * must be relative, lead to something below the bag, and mean the same on every system.
 */
export const escapeOf = (name: string): 'absolute' | 'climbs' | 'home' | 'device' | 'empty' | undefined => {
  if (name === '' || name.endsWith('/')) return 'empty'
  if (name.startsWith('/') || name.startsWith('\\') || /^[A-Za-z]:[\\/]/.test(name)) return 'absolute'
  if (name.startsWith('~')) return 'home'
  if (name.includes('\0')) return 'device'
  for (const part of name.split('/')) {
    if (part === '..' || part === '.' || part === '') return 'climbs'
    if (part.includes('\\') && part.split('\\').includes('..')) return 'climbs'
  }
  return undefined
}

/** A name that may be no UTF-8, as text for people: bytes that are none as \xE5, everything else as it is. */
export const shownName = (bytes: Buffer): string => {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  let shown = ''
  for (let position = 0; position < bytes.length;) {
    const length = [1, 2, 3, 4].find(
      (count) => position + count <= bytes.length && isUtf8(bytes.subarray(position, position + count)),
    )
    shown += length
      ? bytes.toString('utf8', position, position + length)
      : `\\x${bytes.toString('hex', position, position + 1).toUpperCase()}`
    position += length ?? 1
  }
  return shown
}
