import { endingOf, formatOfEnding, formatOfMime } from '../contract/file-endings.ts'
import type { FileFormat } from '../contract/reader.ts'

/**
 * The short name of a file's format: of what a tool identified, where it is certain, else by its ending.
 * @returns empty where neither says one
 */
export const formatNameOf = (path: string, known: FileFormat | undefined): string => {
  const isCertain = known !== undefined && known.puid !== ''
  const identified = isCertain ? (formatOfMime(known.mime.split(/[;,]/)[0] ?? '') ?? known.name) : ''
  return identified === '' ? formatOfEnding(endingOf(path)) : identified
}
