import { keysOf } from '../../common/records.ts'

const types: Record<string, string> = {
  image: 'tif tiff jpg jpeg jp2 png gif bmp webp svg dng',
  audio: 'wav mp3 flac ogg aif aiff m4a',
  video: 'mp4 mkv mov avi mpg mpeg mxf webm',
  'e-mail': 'eml mbox mbx mmdf msg',
  table: 'csv xls xlsx ods sqlite siard',
}

/**
 * The extension of a file's name in lower case without the dot, and the type that the search calls such
 * files; "document" where it is none of the others.
 */
export const typeOfFile = (filename: string) => {
  const extension = /[^.]\.([^.]{1,16})$/.exec(filename)?.[1]?.toLowerCase() ?? ''
  return {
    extension,
    type:
      Object.entries(types).find(([, extensions]) => extensions.split(' ').includes(extension))?.[0] ??
      'document',
  }
}

const forms = {
  plain: 'txt md csv tsv log json srt',
  xml: 'xml xhtml svg ead mets premis rdf xsd kml gml',
  html: 'html htm',
  pdf: 'pdf',
  letter: 'eml',
  mailbox: 'mbox mbx mmdf',
}

/** How text stands in files with an extension, for those in which there is some. */
export const textForms: Record<string, keyof typeof forms> = Object.fromEntries(
  keysOf(forms).flatMap((form) => forms[form].split(' ').map((extension) => [extension, form] as const)),
)
