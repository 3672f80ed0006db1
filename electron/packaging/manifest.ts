/** Names in a manifest: only CR, LF and the percent sign are encoded (RFC 8493 2.1.3). */
export const encodeName = (name: string) => name.replace(/[%\r\n]/g, (sign) => (sign === '%' ? '%25' : sign === '\r' ? '%0D' : '%0A'))

export const decodeName = (name: string) => name.replace(/%(25|0d|0a)/gi, (code) => String.fromCharCode(parseInt(code.slice(1), 16)))

/** One line of a manifest (RFC 8493 2.1.3): checksum, two spaces, name. */
export const manifestLine = (checksum: string, name: string) => `${checksum}  ${encodeName(name)}\n`

/** Reads a manifest that we wrote: names with their checksums. */
export const readManifest = (text: string): Map<string, string> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [decodeName(line.slice(66)), line.slice(0, 64)]),
  )

/** The declaration of a bag (RFC 8493 2.1.1). */
export const declaration = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n'

/** bag-info.txt (RFC 8493 2.2.2): one label and value a line; line breaks inside a value are folded, empty values left out. */
export const bagInfo = (tags: [label: string, value: string][]) =>
  tags
    .filter(([, value]) => value.trim() !== '')
    .map(([label, value]) => `${label}: ${value.trim().replace(/\s*[\r\n]+\s*/g, '\n  ')}\n`)
    .join('')
