/** A format that its first bytes alone make certain, with PRONOM's identifier and name for it. */
interface CertainFormat {
  puid: string
  name: string
  /** The beginning of the file, a character a byte. */
  begins: RegExp
}

/**
 * Formats of PRONOM that no other format begins like. Where a version, or a kind of archival copy, is told
 * further on in the file (PDF, PNG, TIFF, ZIP), the beginning is not enough, and they are not among these.
 */
const formats: readonly CertainFormat[] = [
  { puid: 'fmt/3', name: 'Graphics Interchange Format 87a', begins: /^GIF87a/ },
  { puid: 'fmt/4', name: 'Graphics Interchange Format 89a', begins: /^GIF89a/ },
  { puid: 'fmt/42', name: 'JPEG File Interchange Format 1.00', begins: /^\xff\xd8\xff\xe0..JFIF\0\x01\0/s },
  { puid: 'fmt/43', name: 'JPEG File Interchange Format 1.01', begins: /^\xff\xd8\xff\xe0..JFIF\0\x01\x01/s },
  { puid: 'fmt/44', name: 'JPEG File Interchange Format 1.02', begins: /^\xff\xd8\xff\xe0..JFIF\0\x01\x02/s },
  { puid: 'x-fmt/392', name: 'JP2 (JPEG 2000 part 1)', begins: /^\0\0\0\x0cjP {2}\r\n\x87\n.{4}ftypjp2 /s },
  { puid: 'fmt/279', name: 'FLAC (Free Lossless Audio Codec)', begins: /^fLaC\0\0\0"/ },
  { puid: 'x-fmt/266', name: 'GZIP Format', begins: /^\x1f\x8b\x08/ },
  { puid: 'fmt/484', name: '7Zip format', begins: /^7z\xbc\xaf\x27\x1c/ },
  { puid: 'fmt/729', name: 'SQLite Database File Format 3', begins: /^SQLite format 3\0/ },
  { puid: 'fmt/289', name: 'WARC 1.0', begins: /^WARC\/1\.0/ },
]

/** What the beginning of a file makes certain; undefined where it does not. */
export const certainFormatOf = (beginning: Buffer): { puid: string; name: string } | undefined => {
  const text = beginning.subarray(0, 64).toString('latin1')
  const found = formats.find(({ begins }) => begins.test(text))
  return found && { puid: found.puid, name: found.name }
}
