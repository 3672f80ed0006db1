import { kindOfEnding } from '../../electron/contract/file-endings.ts'
import { separatorOf } from '../../electron/contract/mailbox.ts'
import type { Content } from './content.ts'
import { isTarHeader } from './formats/tar.ts'
import { rootIn } from './formats/xml-prolog.ts'
import type { Beginning, Kind } from './kind.ts'

const begins = ({ text }: Beginning, ...signatures: string[]) =>
  signatures.some((signature) => text.startsWith(signature))
const isNamed = ({ extension }: Beginning, ...extensions: string[]) => extensions.includes(extension)

/** Its two letters begin many a text, too: its first header is one of some lengths. */
const isBitmap = ({ bytes, text }: Beginning) =>
  text.startsWith('BM') && [12, 40, 52, 56, 64, 108, 124].includes(bytes[14] ?? 0) && bytes[15] === 0

/** Pictures that Chromium decodes itself. */
const isPicture = (beginning: Beginning) =>
  begins(beginning, '\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a') ||
  (begins(beginning, 'RIFF') && beginning.text.startsWith('WEBP', 8)) ||
  isBitmap(beginning) ||
  /^.{4}ftyp.{0,40}avi[fs]/s.test(beginning.text)

const isTiff = (beginning: Beginning) => begins(beginning, 'II*\0', 'MM\0*', 'II+\0', 'MM\0+')

const isJpeg2000 = (beginning: Beginning) => begins(beginning, '\0\0\0\x0cjP  \r\n\x87\n', '\xff\x4f\xff\x51')
const isHeic = ({ text }: Beginning) => /^.{4}ftyp(hei[cxms]|hev[cmsx]|mif1|msf1)/s.test(text)

const isSvg = (beginning: Beginning) =>
  isNamed(beginning, 'svg') || rootIn(beginning.text).toLowerCase() === 'svg'
const isDxf = ({ text }: Beginning) => /^(\s*999\r?\n.*\r?\n)*\s*0\r?\nSECTION\r?\n\s*2\r?\n/.test(text)

/** UTF-16 has zeros in it, and nearly always says so first. */
const isText = (beginning: Beginning) =>
  !beginning.bytes.includes(0) || begins(beginning, '\xff\xfe', '\xfe\xff')
/** A mailbox begins with a line of its own, which a letter does not. */
const isMailbox = ({ text }: Beginning) => separatorOf(text) !== undefined
const hasSender = ({ text }: Beginning) =>
  /^(?:[!-9;-~]+:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n)*?from:/i.test(text)
/** A text may begin with whom it is from; of a file that is named as a letter that is enough. */
const isLetter = (beginning: Beginning) =>
  hasSender(beginning) &&
  (isNamed(beginning, 'eml') || /^(date|received|message-id|mime-version):/im.test(beginning.text))
const isCompound = (beginning: Beginning) => begins(beginning, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')
const isSiard = (beginning: Beginning) =>
  begins(beginning, 'PK\x03\x04') &&
  (isNamed(beginning, 'siard') || /^(header|content)\//.test(beginning.text.slice(30, 45)))
const isRoot = (beginning: Beginning, ...names: string[]) => names.includes(rootIn(beginning.text))

const isSound = (beginning: Beginning) =>
  begins(beginning, 'fLaC', 'ID3', 'OggS', '\xff\xfb', '\xff\xf3', '\xff\xf1', '\xff\xf9') ||
  /^(RIFF|RF64|BW64).{4}WAVE/s.test(beginning.text) ||
  /^.{4}ftypM4[AB]/s.test(beginning.text)
/** ISO media files (also QuickTime’s), Matroska and Ogg with a picture. */
const isFilm = (beginning: Beginning) =>
  /^.{4}(ftyp(?!avi|hei|mif|M4[AB]|jp)|moov|mdat|wide|free)/s.test(beginning.text) ||
  begins(beginning, '\x1a\x45\xdf\xa3') ||
  (begins(beginning, 'OggS') && beginning.text.startsWith('\x80theora', 28))

const isWebPage = (beginning: Beginning) =>
  isRoot(beginning, 'html', 'HTML') || (isNamed(beginning, 'html', 'htm', 'xhtml') && isText(beginning))
/** Dublin Core comes in whatever envelope. */
const isRecord = (beginning: Beginning) =>
  isRoot(
    beginning,
    'mods',
    'modsCollection',
    'eac-cpf',
    'eac',
    'dc',
    'dublincore',
    'simpledc',
    'qualifieddc',
  ) ||
  (rootIn(beginning.text) !== 'rdf' &&
    /^[^]{0,600}<[\w:]+[^>]*purl\.org\/dc\/(elements|terms)/.test(beginning.text))

const isTar = ({ bytes }: Beginning) => isTarHeader(bytes)
const isWebArchive = (beginning: Beginning, { name }: Content) =>
  begins(beginning, 'WARC/') || (begins(beginning, '\x1f\x8b') && /\.warc\.gz$/i.test(name))
const isXml = (beginning: Beginning) =>
  begins(beginning, '<?xml', '\xef\xbb\xbf<?xml', '\xff\xfe<\0', '\xfe\xff\0<') ||
  (isNamed(beginning, 'xml', 'xsd', 'xsl', 'rdf', 'gml', 'kml') && rootIn(beginning.text) !== '')
const isJson = (beginning: Beginning) =>
  isNamed(beginning, 'json', 'jsonl', 'ndjson', 'geojson', 'jsonld') && /^\s*[[{"\dtfn-]/.test(beginning.text)

/** The kind that a file is of by its name alone, where that leaves no doubt. */
const kindByName = (extension: string): Kind['name'] | undefined => kindOfEnding(extension)
/** The kind that a file seems to be of before anything of it was read. */
export const expectedKind = (extension: string): Kind | undefined =>
  kinds.find(({ name }) => name === kindByName(extension))
/** Whether a file of this kind has a name that says it is of another one; an empty one is of none. */
export const isMisnamed = ({ extension, bytes }: Beginning, kind: Kind['name']): boolean => {
  const said = kindByName(extension)
  return said !== undefined && said !== kind && bytes.length > 0
}

/**
 * Every kind of file that is drawn; the first that a file matches draws it, and the last one anything. A new
 * kind is one entry, a file in `kinds/`, and its name in the dictionary (`language/viewer.en.ts`).
 */
export const kinds: readonly Kind[] = [
  { name: 'pdf', matches: (file) => begins(file, '%PDF-'), load: () => import('./kinds/pdf.ts') },
  { name: 'picture', matches: isPicture, load: () => import('./kinds/picture.ts') },
  { name: 'tiff', matches: isTiff, load: () => import('./kinds/tiff.ts') },
  { name: 'jpeg2000', matches: isJpeg2000, load: () => import('./kinds/jpeg2000.ts') },
  { name: 'heic', matches: isHeic, load: () => import('./kinds/heic.ts') },
  { name: 'drawing', matches: isSvg, load: () => import('./kinds/drawing.ts') },
  { name: 'dxf', matches: isDxf, load: () => import('./kinds/dxf.ts') },
  {
    name: 'workbook',
    matches: (file) => begins(file, 'PK') && isNamed(file, 'xlsx', 'xlsm', 'ods', 'ots'),
    load: () => import('./kinds/workbook.ts'),
  },
  {
    name: 'docx',
    matches: (file) => begins(file, 'PK') && isNamed(file, 'docx', 'docm', 'dotx'),
    load: () => import('./kinds/docx.ts'),
  },
  {
    name: 'odt',
    matches: (file) => begins(file, 'PK') && isNamed(file, 'odt', 'ott'),
    load: () => import('./kinds/odt.ts'),
  },
  { name: 'rtf', matches: (file) => begins(file, '{\\rtf'), load: () => import('./kinds/rtf.ts') },
  {
    name: 'markdown',
    matches: (file, { bytes }) => isNamed(file, 'md', 'markdown') && isText(file) && bytes < 4 * 1024 * 1024,
    load: () => import('./kinds/markdown.ts'),
  },
  {
    name: 'delimited',
    matches: (file) => isNamed(file, 'csv', 'tsv', 'tab') && !begins(file, 'PK'),
    load: () => import('./kinds/delimited.ts'),
  },
  { name: 'mailbox', matches: isMailbox, load: () => import('./kinds/mailbox.ts') },
  {
    name: 'letter',
    matches: (file) => isLetter(file) || (isNamed(file, 'msg') && isCompound(file)),
    load: () => import('./kinds/letter.ts'),
  },
  {
    name: 'outlook',
    matches: (file) => begins(file, '!BDN'),
    load: () => import('./kinds/outlook.ts'),
  },
  { name: 'siard', matches: isSiard, load: () => import('./kinds/siard.ts') },
  {
    name: 'sqlite',
    matches: (file) => begins(file, 'SQLite format 3\0'),
    load: () => import('./kinds/sqlite.ts'),
  },
  {
    name: 'sound',
    matches: (file) => isSound(file) && !isFilm(file),
    load: () => import('./kinds/sound.ts'),
  },
  { name: 'film', matches: isFilm, load: () => import('./kinds/film.ts') },
  {
    name: 'zip',
    matches: (file) => begins(file, 'PK\x03\x04', 'PK\x05\x06'),
    load: () => import('./kinds/zip.ts'),
  },
  { name: 'webArchive', matches: isWebArchive, load: () => import('./kinds/web-archive.ts') },
  { name: 'gzip', matches: (file) => begins(file, '\x1f\x8b'), load: () => import('./kinds/gzip.ts') },
  { name: 'tar', matches: isTar, load: () => import('./kinds/tar.ts') },
  { name: 'webPage', matches: isWebPage, load: () => import('./kinds/web-page.ts') },
  { name: 'mets', matches: (file) => isRoot(file, 'mets'), load: () => import('./kinds/mets.ts') },
  { name: 'premis', matches: (file) => isRoot(file, 'premis'), load: () => import('./kinds/premis.ts') },
  { name: 'ead', matches: (file) => isRoot(file, 'ead'), load: () => import('./kinds/ead.ts') },
  { name: 'record', matches: isRecord, load: () => import('./kinds/record.ts') },
  { name: 'xml', matches: isXml, load: () => import('./kinds/xml.ts') },
  { name: 'json', matches: isJson, load: () => import('./kinds/json.ts') },
  { name: 'text', matches: isText, load: () => import('./kinds/text.ts') },
  { name: 'other', matches: () => true, load: () => import('./kinds/other.ts') },
]
