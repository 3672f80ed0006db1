import { nameIn } from './file-paths.ts'

/** What files are told to be by the endings of their names: nothing is decided by it that their bytes say. */
interface NamedFormat<Kind extends string = string> {
  /** Short, as people say it; where it is left out, the ending in capitals. */
  name?: string
  endings: string
  /** Media types by which tools call it. */
  mimes?: string
  /** What it is drawn as in lists. */
  icon: FileIcon
  /** The kind that draws it (`renderer/viewer/kinds.ts`), where its name leaves no doubt. */
  kind?: Kind
  /** Whether it is shown small in a list. */
  isShownSmall?: boolean
}
/** Names of icons; "file" is that of any other. */
export type FileIcon =
  | 'picture'
  | 'document'
  | 'letter'
  | 'sheet'
  | 'sound'
  | 'film'
  | 'web'
  | 'markup'
  | 'container'
  | 'storage'
  | 'file'

const [picture, document, letter, sound, film] = [
  { icon: 'picture', isShownSmall: true },
  { icon: 'document' },
  { icon: 'letter' },
  { icon: 'sound' },
  { icon: 'film' },
] as const
const [web, markup, container, storage] = [
  { icon: 'web' },
  { icon: 'markup' },
  { icon: 'container' },
  { icon: 'storage' },
] as const

/** Every ending that is known, once: what lists, thumbnails, icons and the viewer take from names is here. */
const formats = [
  { name: 'TIFF', endings: 'tif tiff', mimes: 'image/tiff', kind: 'tiff', ...picture },
  { name: 'JPEG', endings: 'jpg jpeg jpe', mimes: 'image/jpeg', kind: 'picture', ...picture },
  { name: 'PNG', endings: 'png', mimes: 'image/png', kind: 'picture', ...picture },
  { name: 'GIF', endings: 'gif', mimes: 'image/gif', kind: 'picture', ...picture },
  { name: 'WebP', endings: 'webp', mimes: 'image/webp', kind: 'picture', ...picture },
  {
    name: 'JPEG 2000',
    endings: 'jp2 j2k jpx jpf',
    mimes: 'image/jp2 image/jpx image/jpm',
    kind: 'jpeg2000',
    ...picture,
  },
  { name: 'HEIF', endings: 'heic heif', mimes: 'image/heic image/heif', ...picture },
  { name: 'SVG', endings: 'svg', mimes: 'image/svg+xml', ...picture },
  { endings: 'bmp', kind: 'picture', ...picture },
  { endings: 'avif dxf', ...picture },
  { endings: 'dng', icon: 'picture' },
  { name: 'PDF', endings: 'pdf', mimes: 'application/pdf', kind: 'pdf', isShownSmall: true, ...document },
  { name: 'Markdown', endings: 'md markdown', mimes: 'text/markdown', ...document },
  { name: 'Text', endings: 'txt text', mimes: 'text/plain', ...document },
  { endings: 'rtf', kind: 'rtf', ...document },
  { endings: 'doc docx odt log', ...document },
  { name: 'MBOX', endings: 'mbox mbx', mimes: 'application/mbox', ...letter },
  { name: 'EML', endings: 'eml', mimes: 'message/rfc822', ...letter },
  { endings: 'pst', kind: 'outlook', ...letter },
  { endings: 'msg mmdf', ...letter },
  { endings: 'csv tsv tab xls xlsx ods', icon: 'sheet' },
  { name: 'WAVE', endings: 'wav', mimes: 'audio/wav audio/x-wav', kind: 'sound', ...sound },
  { name: 'FLAC', endings: 'flac', mimes: 'audio/flac audio/x-flac', kind: 'sound', ...sound },
  { name: 'MP3', endings: 'mp3', mimes: 'audio/mpeg', ...sound },
  { endings: 'ogg oga m4a aac aif aiff', ...sound },
  { name: 'MPEG-4', endings: 'mp4 m4v', mimes: 'video/mp4', ...film },
  { name: 'WebM', endings: 'webm', mimes: 'video/webm', ...film },
  { endings: 'mov mkv avi mpg mpeg ogv', ...film },
  { name: 'HTML', endings: 'html htm xhtml', mimes: 'text/html application/xhtml+xml', ...web },
  { name: 'WARC', endings: 'warc', mimes: 'application/warc', kind: 'webArchive', ...web },
  { endings: 'arc', ...web },
  { name: 'XML', endings: 'xml', mimes: 'application/xml text/xml', ...markup },
  { endings: 'json xsd xsl', ...markup },
  { name: 'gzip', endings: 'gz tgz', mimes: 'application/gzip', ...container },
  { endings: 'zip tar 7z bz2', ...container },
  { name: 'GeoPackage', endings: 'gpkg', mimes: 'application/geopackage+sqlite3', ...storage },
  {
    name: 'SQLite',
    endings: 'sqlite',
    mimes: 'application/vnd.sqlite3 application/x-sqlite3',
    kind: 'sqlite',
    ...storage,
  },
  { name: 'SQLite', endings: 'sqlite3 db', ...storage },
  { endings: 'siard', kind: 'siard', ...storage },
  { endings: 'mdb accdb', ...storage },
] as const satisfies readonly NamedFormat[]

type KindOfEnding = Extract<(typeof formats)[number], { kind: string }>['kind']

const known: readonly NamedFormat<KindOfEnding>[] = formats
const byWords = (wordsOf: (format: NamedFormat<KindOfEnding>) => string | undefined) =>
  new Map(
    known.flatMap((format) =>
      (wordsOf(format)?.split(' ') ?? []).map((word): [string, NamedFormat<KindOfEnding>] => [word, format]),
    ),
  )
const byEnding = byWords(({ endings }) => endings)
const byMime = byWords(({ mimes }) => mimes)

/** What is longer is no ending, but a name with a dot in it. */
const longestEnding = 12

/** The ending of a name, in lower case and without its dot; empty where it has none. */
export const endingOf = (path: string): string => {
  const name = nameIn(path)
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return ending.length === name.length || ending.length > longestEnding ? '' : ending
}

/** The short name of the format that an ending stands for; empty where there is none. */
export const formatOfEnding = (ending: string): string => byEnding.get(ending)?.name ?? ending.toUpperCase()
/** The short name of the format that a media type stands for. */
export const formatOfMime = (mime: string): string | undefined => byMime.get(mime)?.name
export const iconOfEnding = (ending: string): FileIcon => byEnding.get(ending)?.icon ?? 'file'
/** The kind that draws files with this ending, where that leaves no doubt. */
export const kindOfEnding = (ending: string): KindOfEnding | undefined => byEnding.get(ending)?.kind
export const isShownSmall = (ending: string): boolean => byEnding.get(ending)?.isShownSmall ?? false
