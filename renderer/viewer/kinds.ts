import type { Content } from './content.ts'
import { isTarHeader } from './formats/tar.ts'
import type { Beginning, Kind } from './kind.ts'

const begins = ({ text }: Beginning, ...signatures: string[]) =>
  signatures.some((signature) => text.startsWith(signature))
const isNamed = ({ extension }: Beginning, ...extensions: string[]) => extensions.includes(extension)

/** Pictures that Chromium decodes itself. */
const isPicture = (beginning: Beginning) =>
  begins(beginning, '\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a', 'BM') ||
  (begins(beginning, 'RIFF') && beginning.text.startsWith('WEBP', 8)) ||
  /^.{4}ftypavi[fs]/s.test(beginning.text)

/** The name of a document’s first element, without its prefix; empty for what is no XML. */
const rootOf = ({ text }: Beginning) => {
  const [, name = ''] =
    /^(?:\xef\xbb\xbf)?\s*(?:<\?[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>\s*)*<([\w:.-]+)/s.exec(
      text,
    ) ?? []
  return name.slice(name.indexOf(':') + 1)
}
const isRoot = (beginning: Beginning, ...names: string[]) => names.includes(rootOf(beginning))

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
  (rootOf(beginning) !== 'rdf' &&
    /^[^]{0,600}<[\w:]+[^>]*purl\.org\/dc\/(elements|terms)/.test(beginning.text))

const isTar = ({ bytes }: Beginning) => isTarHeader(bytes)
const isWebArchive = (beginning: Beginning, { name }: Content) =>
  begins(beginning, 'WARC/') || (begins(beginning, '\x1f\x8b') && /\.warc\.gz$/i.test(name))
const isXml = (beginning: Beginning) =>
  begins(beginning, '<?xml', '\xef\xbb\xbf<?xml', '\xff\xfe<\0', '\xfe\xff\0<') ||
  (isNamed(beginning, 'xml', 'xsd', 'xsl', 'rdf', 'gml', 'kml') && rootOf(beginning) !== '')
const isJson = (beginning: Beginning) =>
  isNamed(beginning, 'json', 'jsonl', 'ndjson', 'geojson', 'jsonld') && /^\s*[[{"\dtfn-]/.test(beginning.text)

const isText = ({ bytes }: Beginning) => !bytes.includes(0)

/**
 * Every kind of file that is drawn; the first that a file matches draws it, and the last one anything. A new
 * kind is one entry, a file in `kinds/`, and its name in the dictionary (`language/viewer.en.ts`).
 */
export const kinds: readonly Kind[] = [
  { name: 'pdf', matches: (file) => begins(file, '%PDF-'), load: () => import('./kinds/pdf.ts') },
  { name: 'picture', matches: isPicture, load: () => import('./kinds/picture.ts') },
  { name: 'drawing', matches: (file) => isNamed(file, 'svg'), load: () => import('./kinds/drawing.ts') },
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
