import { entryIn } from '../../common/records.ts'

const types: Record<string, string> = {
  avi: 'video/x-msvideo',
  bmp: 'image/bmp',
  css: 'text/css',
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  eml: 'message/rfc822',
  flac: 'audio/flac',
  gif: 'image/gif',
  gml: 'application/gml+xml',
  htm: 'text/html',
  html: 'text/html',
  jp2: 'image/jp2',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  mpeg: 'video/mpeg',
  mpg: 'video/mpeg',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  pdf: 'application/pdf',
  png: 'image/png',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  rtf: 'application/rtf',
  siard: 'application/zip',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  txt: 'text/plain',
  warc: 'application/warc',
  wav: 'audio/wav',
  webp: 'image/webp',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  xsd: 'application/xml',
  zip: 'application/zip',
}

/**
 * The media type of a file by its name. Nothing is said of the encoding of a text: what a package holds may
 * be older than UTF-8.
 */
export const contentTypeOf = (name: string): string => {
  const [, extension = ''] = /\.([^.]+)$/.exec(name) ?? []
  const known = extension.toLowerCase()
  return entryIn(types, known) ?? 'application/octet-stream'
}

/** What a header parameter may hold as it is (RFC 8187 3.2.1). */
const encoded = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)

/** How a file is to be shown or kept, and under which name (RFC 6266). */
export const dispositionOf = (name: string, isDownload: boolean): string => {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = plain === name ? '' : `; filename*=UTF-8''${encoded(name)}`
  return `${isDownload ? 'attachment' : 'inline'}; filename="${plain}"${whole}`
}
