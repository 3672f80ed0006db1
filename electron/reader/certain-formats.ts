/** A format that its first bytes alone make certain, with PRONOM's identifier and name for it. */
interface CertainFormat {
  puid: string
  name: string
  /** What stands where in the file: from which byte on, and its bytes, a character each. */
  signs: readonly (readonly [at: number, bytes: string])[]
}

const jfif = (version: string): CertainFormat['signs'] => [
  [0, '\xff\xd8\xff\xe0'],
  [6, `JFIF\0${version}`],
]

/**
 * Formats of PRONOM that no other format begins like. Where a version, or a kind of archival copy, is told
 * further on in the file (PDF, PNG, TIFF, ZIP, SQLite), the beginning is not enough, and they are not among
 * these.
 */
const formats: readonly CertainFormat[] = [
  { puid: 'fmt/3', name: 'Graphics Interchange Format 87a', signs: [[0, 'GIF87a']] },
  { puid: 'fmt/4', name: 'Graphics Interchange Format 89a', signs: [[0, 'GIF89a']] },
  { puid: 'fmt/42', name: 'JPEG File Interchange Format 1.00', signs: jfif('\x01\x00') },
  { puid: 'fmt/43', name: 'JPEG File Interchange Format 1.01', signs: jfif('\x01\x01') },
  { puid: 'fmt/44', name: 'JPEG File Interchange Format 1.02', signs: jfif('\x01\x02') },
  {
    puid: 'x-fmt/392',
    name: 'JP2 (JPEG 2000 part 1)',
    signs: [
      [0, '\0\0\0\x0cjP  \r\n\x87\n'],
      [16, 'ftypjp2 '],
    ],
  },
  { puid: 'fmt/279', name: 'FLAC (Free Lossless Audio Codec)', signs: [[0, 'fLaC\0\0\0"']] },
  { puid: 'x-fmt/266', name: 'GZIP Format', signs: [[0, '\x1f\x8b\x08']] },
  { puid: 'fmt/484', name: '7Zip format', signs: [[0, '7z\xbc\xaf\x27\x1c']] },
  // Its version, and so its number, is told further on.
  {
    puid: '',
    name: 'SIARD',
    signs: [
      [0, 'PK\x03\x04'],
      [30, 'header/'],
    ],
  },
  // Whether it is a letter of Outlook or a document of Word is told further on too.
  { puid: '', name: 'OLE2 Compound Document', signs: [[0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1']] },
  { puid: 'fmt/1355', name: 'WARC 1.0', signs: [[0, 'WARC/1.0\r\n']] },
  { puid: 'fmt/1281', name: 'WARC 1.1', signs: [[0, 'WARC/1.1\r\n']] },
]

/** What the beginning of a file makes certain; undefined where it does not. */
export const certainFormatOf = (beginning: Buffer): { puid: string; name: string } | undefined => {
  const text = beginning.subarray(0, 64).toString('latin1')
  const found = formats.find(({ signs }) => signs.every(([at, bytes]) => text.startsWith(bytes, at)))
  return found && { puid: found.puid, name: found.name }
}
