/** Names in a manifest: only CR, LF and the percent sign are encoded (RFC 8493 2.1.3). */
export const encodeName = (name: string) =>
  /[%\r\n]/.test(name)
    ? name.replace(/[%\r\n]/g, (sign) => (sign === '%' ? '%25' : sign === '\r' ? '%0D' : '%0A'))
    : name

export const decodeName = (name: string) =>
  name.includes('%')
    ? name.replace(/%(25|0d|0a)/gi, (code) => String.fromCharCode(parseInt(code.slice(1), 16)))
    : name

/** One line of a manifest (RFC 8493 2.1.3): checksum, two spaces, name. */
export const manifestLine = (checksum: string, name: string) => `${checksum}  ${encodeName(name)}\n`

/** A line as it was read: the checksum in lower case, the name as it stands there. */
export interface ManifestLine {
  checksum: string
  written: string
}

/**
 * Reads a line of a manifest: a checksum in hexadecimal digits, white space, a name that may begin with an
 * asterisk, as md5sum writes it (RFC 8493 2.1.3).
 * @returns undefined where it is none
 */
export const readManifestLine = (line: string): ManifestLine | undefined => {
  const [, checksum, written] = /^([0-9a-fA-F]+)[ \t]+\*?(.+)$/s.exec(line) ?? []
  return checksum === undefined || written === undefined
    ? undefined
    : { checksum: checksum.toLowerCase(), written }
}

/** A line of fetch.txt (RFC 8493 2.2.3): address, length in bytes or "-", name. */
export const readFetchLine = (
  line: string,
): { url: string; bytes: number | null; written: string } | undefined => {
  const [, url, length, written] = /^(\S+)[ \t]+(\d+|-)[ \t]+(.+)$/s.exec(line) ?? []
  return url === undefined || written === undefined
    ? undefined
    : { url, bytes: length === '-' ? null : Number(length), written }
}
