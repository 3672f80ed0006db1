import { extname } from 'node:path'

/** So many bytes from its beginning are enough to see whether a file is what its extension says. */
export const signatureBytes = 1_024

interface Signature {
  name: string
  extensions: readonly string[]
  /** Whether bytes at the beginning of a file, in Latin-1, are those of the format. */
  begins: (head: string) => boolean
}

const startsWith =
  (...beginnings: string[]) =>
  (head: string) =>
    beginnings.some((beginning) => head.startsWith(beginning))
const isRiff = (kind: string) => (head: string) => /^(RIFF|RF64)/.test(head) && head.slice(8, 12) === kind

/**
 * Formats whose every file begins alike (PRONOM's signatures), so that another beginning is another format.
 * Formats without a beginning of their own, as text, say nothing here.
 */
const signatures: readonly Signature[] = [
  { name: 'TIFF', extensions: ['tif', 'tiff'], begins: startsWith('II*\0', 'MM\0*', 'II+\0', 'MM\0+') },
  { name: 'JPEG', extensions: ['jpg', 'jpeg'], begins: startsWith('\xff\xd8\xff') },
  { name: 'PNG', extensions: ['png'], begins: startsWith('\x89PNG\r\n\x1a\n') },
  { name: 'GIF', extensions: ['gif'], begins: startsWith('GIF87a', 'GIF89a') },
  { name: 'JPEG 2000', extensions: ['jp2'], begins: startsWith('\0\0\0\x0cjP  ') },
  { name: 'PDF', extensions: ['pdf'], begins: (head) => head.includes('%PDF-') },
  {
    name: 'ZIP',
    extensions: ['zip', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub', 'siard'],
    begins: startsWith('PK\x03\x04', 'PK\x05\x06'),
  },
  { name: 'OLE2', extensions: ['msg'], begins: startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') },
  { name: 'WAVE', extensions: ['wav'], begins: isRiff('WAVE') },
  { name: 'AVI', extensions: ['avi'], begins: isRiff('AVI ') },
  { name: 'FLAC', extensions: ['flac'], begins: startsWith('fLaC') },
  { name: 'SQLite', extensions: ['sqlite', 'sqlite3'], begins: startsWith('SQLite format 3\0') },
  { name: 'RTF', extensions: ['rtf'], begins: startsWith('{\\rtf') },
]

const saidBy = (file: string) => {
  const extension = extname(file).slice(1).toLowerCase()
  return signatures.find(({ extensions }) => extensions.includes(extension))
}

/** Whether the extension of a file says how it begins. */
export const saysHowItBegins = (file: string): boolean => saidBy(file) !== undefined

/**
 * What a file is whose beginning is not what its extension says.
 * @param head its first bytes, as many as `signatureBytes` where it has so many
 * @returns the name of the format that begins so, empty where none of these does; undefined for a file that
 * is what it says, says nothing, or is empty
 */
export const misnamedAs = (file: string, head: Buffer): string | undefined => {
  const said = saidBy(file)
  const text = head.toString('latin1')
  if (!said || text === '' || said.begins(text)) return undefined
  return signatures.find(({ begins }) => begins(text))?.name ?? ''
}
