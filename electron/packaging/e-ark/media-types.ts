import { posix } from 'node:path'
import { entryIn } from '../../common/records.ts'

/** What files are that nobody identified, by their extensions (IANA media types). */
const byExtension: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.doc': 'application/msword',
  '.dtd': 'application/xml-dtd',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.eml': 'message/rfc822',
  '.gif': 'image/gif',
  '.gml': 'application/gml+xml',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.jp2': 'image/jp2',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.odp': 'application/vnd.oasis.opendocument.presentation',
  '.ods': 'application/vnd.oasis.opendocument.spreadsheet',
  '.odt': 'application/vnd.oasis.opendocument.text',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.ppt': 'application/vnd.ms-powerpoint',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.rnc': 'application/relax-ng-compact-syntax',
  '.rng': 'application/xml',
  '.rtf': 'application/rtf',
  '.sch': 'application/xml',
  '.svg': 'image/svg+xml',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.txt': 'text/plain',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': 'application/xml',
  '.xsd': 'application/xml',
  '.zip': 'application/zip',
}

/**
 * The media type of a file, which METS must say (CSIP68).
 * @param identified what a tool called it; empty where none did
 */
export const mediaTypeOf = (name: string, identified: string): string => {
  // FIDO and siegfried may name several.
  const [first = ''] = identified.split(/[,;]/)
  return (
    first.trim() || (entryIn(byExtension, posix.extname(name).toLowerCase()) ?? 'application/octet-stream')
  )
}
