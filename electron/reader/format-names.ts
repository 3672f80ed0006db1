import type { FileFormat } from '../contract/reader.ts'

/** What is longer is no ending, but a name with a dot in it. */
const longestEnding = 12

/** The ending of a name, in lower case and without its dot; empty where it has none. */
const endingOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return ending.length === name.length || ending.length > longestEnding ? '' : ending
}

/** Formats that have several endings, or whose short name is not their ending, with their media types. */
const formats: readonly (readonly [name: string, endings: string, mimes: string])[] = [
  ['TIFF', 'tif tiff', 'image/tiff'],
  ['JPEG', 'jpg jpeg jpe', 'image/jpeg'],
  ['PNG', 'png', 'image/png'],
  ['GIF', 'gif', 'image/gif'],
  ['WebP', 'webp', 'image/webp'],
  ['JPEG 2000', 'jp2 j2k jpx jpf', 'image/jp2 image/jpx image/jpm'],
  ['HEIF', 'heic heif', 'image/heic image/heif'],
  ['SVG', 'svg', 'image/svg+xml'],
  ['PDF', 'pdf', 'application/pdf'],
  ['GeoPackage', 'gpkg', 'application/geopackage+sqlite3'],
  ['SQLite', 'sqlite sqlite3 db', 'application/vnd.sqlite3 application/x-sqlite3'],
  ['MBOX', 'mbox mbx', 'application/mbox'],
  ['EML', 'eml', 'message/rfc822'],
  ['WAVE', 'wav', 'audio/wav audio/x-wav'],
  ['MP3', 'mp3', 'audio/mpeg'],
  ['FLAC', 'flac', 'audio/flac audio/x-flac'],
  ['MPEG-4', 'mp4 m4v', 'video/mp4'],
  ['WebM', 'webm', 'video/webm'],
  ['HTML', 'html htm xhtml', 'text/html application/xhtml+xml'],
  ['WARC', 'warc', 'application/warc'],
  ['XML', 'xml', 'application/xml text/xml'],
  ['Markdown', 'md markdown', 'text/markdown'],
  ['Text', 'txt text', 'text/plain'],
  ['gzip', 'gz tgz', 'application/gzip'],
]
const byWord = (wordsOf: (format: (typeof formats)[number]) => string) =>
  new Map(
    formats.flatMap((format) =>
      wordsOf(format)
        .split(' ')
        .map((word) => [word, format[0]] as const),
    ),
  )
const byEnding = byWord(([, endings]) => endings)
const byMime = byWord(([, , mimes]) => mimes)

/**
 * The short name of a file's format: of what a tool identified, where it is certain, else by its ending.
 * @returns empty where neither says one
 */
export const formatNameOf = (path: string, known: FileFormat | undefined): string => {
  const isCertain = known !== undefined && known.puid !== ''
  const identified = isCertain ? (byMime.get(known.mime.split(/[;,]/)[0] ?? '') ?? known.name) : ''
  if (identified !== '') return identified
  const ending = endingOf(path)
  return byEnding.get(ending) ?? ending.toUpperCase()
}
