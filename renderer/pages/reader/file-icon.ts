import type { IconName } from '../../parts/icons.ts'

/** What files are drawn as in lists, by their endings; nothing is decided by it. */
const endings: [icon: IconName, endings: string][] = [
  ['picture', 'jpg jpeg png gif webp avif bmp svg tif tiff jp2 j2k jpx heic heif dng dxf'],
  ['document', 'pdf doc docx odt rtf txt md log'],
  ['letter', 'eml mbox mbx msg pst'],
  ['sheet', 'csv tsv tab xls xlsx ods'],
  ['sound', 'wav flac mp3 ogg oga m4a aac aif aiff'],
  ['film', 'mp4 m4v webm mov mkv avi mpg mpeg ogv'],
  ['web', 'html htm warc arc'],
  ['markup', 'xml json xsd xsl'],
  ['container', 'zip tar gz tgz 7z bz2'],
  ['storage', 'siard sqlite sqlite3 db gpkg mdb accdb'],
]
const iconsByEnding = new Map(
  endings.flatMap(([icon, all]) => all.split(' ').map((ending): [string, IconName] => [ending, icon])),
)

/** The icon of a file by its name. */
export const iconOfFile = (name: string): IconName =>
  iconsByEnding.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()) ?? 'file'
