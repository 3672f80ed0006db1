import { entryIn } from '../common/records.ts'
import { decodePercent } from '../common/percent.ts'

const scheme = 'lectern:'
const places: Record<string, string> = {
  package: 'packages',
  medium: 'storage',
  transfer: 'transfers',
  order: 'orders',
}

/** What a link of ours names: an archive, by its id, or as its address has it; and a place in it. */
export interface Link {
  archive: string
  place: string
}

/**
 * Reads `lectern://<archive>/package/<id>` (or medium, transfer, order). Anybody may have made it, so
 * whatever else it says is nothing.
 */
export const readLink = (text: string): Link | undefined => {
  const url = URL.parse(text)
  if (url?.protocol !== scheme || text.length > 1_000) return undefined
  const [kind = '', id = '', ...rest] = url.pathname.split('/').filter(Boolean)
  const place = entryIn(places, kind)
  const archive = decodePercent(url.host)
  if (!archive || place === undefined || rest.length > 0 || !/^[\w.:-]{1,200}$/.test(id)) return undefined
  return { archive, place: `${place}/${id}` }
}

/** The link in a command line: the last, since Chromium puts switches of its own before what was given. */
export const linkIn = (argv: string[]): string | undefined =>
  argv.findLast((argument) => /^lectern:\/\//i.test(argument))

/** The link to a place; empty for places that need none. */
export const linkTo = ({ archive, place }: Link): string => {
  const [name = '', id = ''] = place.split('/', 2)
  const kind = Object.keys(places).find((key) => entryIn(places, key) === name)
  return kind === undefined || id === '' || archive === '' ? '' : `${scheme}//${archive}/${kind}/${id}`
}
