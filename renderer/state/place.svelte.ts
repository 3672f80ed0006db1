import { queryOf } from './place-filters.ts'
import type { ListFilters } from '../../electron/contract/filters.ts'

/**
 * Where the window is: a place of the rail, the record that is open there, and what the list beside it is
 * narrowed to. It is the address after '#', so that it can be linked and gone back to.
 */
export interface Place {
  name: PlaceName
  id: string
  /** "text=oxen&state=Failed&state=Preserved"; the empty text where the list is whole. */
  query: string
}
export type PlaceName =
  | 'desk'
  | 'packages'
  | 'reader'
  | 'search'
  | 'transfers'
  | 'orders'
  | 'checks'
  | 'storage'
  | 'description'
  | 'activity'
  | 'settings'
  | 'help'

export const placeNames: readonly PlaceName[] = [
  'desk',
  'packages',
  'reader',
  'search',
  'transfers',
  'orders',
  'checks',
  'storage',
  'description',
  'activity',
  'settings',
  'help',
]

/** The place of the rail that a place belongs to. */
export const railPlaceOf = (name: PlaceName): PlaceName => {
  if (name === 'reader') return 'packages'
  // A check is made among the transfers, and stands behind them.
  return name === 'checks' ? 'transfers' : name
}

/** The places of the rail, each with its key. */
export const railPlaces: { name: PlaceName; key: string }[] = [
  { name: 'desk', key: '1' },
  { name: 'packages', key: '2' },
  { name: 'search', key: '3' },
  { name: 'transfers', key: '4' },
  { name: 'orders', key: '5' },
  { name: 'storage', key: '6' },
  { name: 'description', key: '7' },
  { name: 'activity', key: '8' },
  { name: 'settings', key: ',' },
]

/** What somebody cut short or typed may be no code of a character: it stays as it is. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const read = (hash: string): Place => {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2)
  const [name = '', id = ''] = path.split('/', 2)
  return { name: placeNames.find((known) => known === name) ?? 'desk', id: decoded(id), query }
}

let now = $state.raw(read(location.hash))
/** Where one was before the guide was opened. */
let beforeGuide = '#/desk'
/** The search, or the list of rows, from which the reader was opened; undefined where it was elsewhere. */
let rowsBehind: string | undefined
/** What the list of packages was narrowed to when the reader was opened from it. */
let listBehind = ''
/** How often somebody went elsewhere. */
let moves = 0
/** An address that is here already brings nothing new: what is asked for a place is asked once. */
const arrive = () => {
  const next = read(location.hash)
  if (next.name === now.name && next.id === now.id && next.query === now.query) return
  const from = addressAt(now)
  if (next.name === 'help' && now.name !== 'help') beforeGuide = from
  // Who comes back from the guide reads on.
  const isReadOn = now.name === 'help' && addressAt(next) === beforeGuide
  if (next.name === 'reader' && now.name !== 'reader' && !isReadOn) {
    rowsBehind = now.name === 'search' ? from : undefined
    listBehind = now.name === 'packages' ? now.query : ''
  }
  now = next
  moves += 1
}
addEventListener('hashchange', arrive)

export const place = {
  get name() {
    return now.name
  },
  get id() {
    return now.id
  },
  get query() {
    return now.query
  },
}

const withQuery = (name: PlaceName, id: string, query: string) =>
  `#/${name}${id === '' ? '' : `/${encodeURIComponent(id)}`}${query === '' ? '' : `?${query}`}`

const addressAt = ({ name, id, query }: Place) => withQuery(name, id, query)

/** The address of a record; beside a list that is narrowed, that stays as it is. */
export const addressOf = (name: PlaceName, id = '') => withQuery(name, id, name === now.name ? now.query : '')

/** The address of another list of a place, which what narrows this one says nothing of. */
export const addressOfOtherList = (name: PlaceName, id: string) => withQuery(name, id, '')

/**
 * The address of a place whose list is as it was left.
 * @param list which of its lists, where it has several
 */
export const addressOfList = (name: PlaceName, query: string, list = '') => withQuery(name, list, query)

/** The event of a new address comes late; who acts before it would act where we were. */
const move = (hash: string) => {
  location.hash = hash
  arrive()
}

/** @param query what the list beside it is narrowed to, where that is not to stay as it is */
export const go = (name: PlaceName, id = '', query?: string) =>
  move(query === undefined ? addressOf(name, id) : withQuery(name, id, query))

/** The place where one is has another address from now on: nobody moved. */
const readdress = (hash: string) => {
  history.replaceState(null, '', hash)
  now = read(hash)
}

/**
 * Shows more of the place where one is: back leads to where one was before that. Whoever has gone elsewhere,
 * of which the event has not come yet, stays there.
 */
export const settle = (query: string) => {
  const shown = now
  arrive()
  if (now === shown && now.query !== query) readdress(withQuery(now.name, now.id, query))
}

/**
 * What is open has another identifier from now on: back leads to where one was before it, and not to the one
 * before. Whoever has gone elsewhere stays there.
 */
export const renameOpen = (name: PlaceName, { from, to }: { from: string; to: string }) => {
  arrive()
  if (now.name === name && now.id === from) readdress(withQuery(name, to, now.query))
}

/**
 * Narrows the list of this place.
 * @param isTyping while a word is typed: one goes back to before it, not through each letter
 */
export const narrow = (filters: ListFilters, isTyping = false) => {
  if (isTyping) return settle(queryOf(filters))
  move(withQuery(now.name, now.id, queryOf(filters)))
}

/**
 * Goes on from the place where a command was begun, and only from there: whoever has gone elsewhere while it
 * was carried out is not called back. It is called when the command begins, and what it gives when that has
 * ended, with what `go` takes.
 */
export const onward = () => {
  arrive()
  const begunAt = moves
  return (...to: Parameters<typeof go>) => {
    arrive()
    if (moves === begunAt) go(...to)
  }
}

/**
 * Closes what is open and belongs to the archive that is left: the reader has no list of its own, and leads
 * to that of packages. The guide, and a check of what lies on this computer, belong to none.
 */
export const closeOpen = () => {
  if (now.name !== 'help' && now.name !== 'checks') go(now.name === 'reader' ? 'packages' : now.name)
}

/** Closes the guide: back to where one was. */
export const leaveGuide = () => move(beforeGuide)

/** The address of the package that is read, beside its list as that was left. */
export const addressBehindReader = (of: string) => withQuery('packages', of, listBehind)

/** Leaves the reader for the package. */
export const leaveForPackage = (of: string) => move(addressBehindReader(of))

/** Reads a package from its row in a list: whoever closes the reader is back at the row. */
export const readFromRow = (of: string) => {
  const list = addressAt(now)
  go('reader', of, '')
  rowsBehind = list
}

/**
 * Closes the reader: back to the rows of which one was read, else to the package.
 * @returns whether it is the package
 */
export const leaveReader = (of: string): boolean => {
  if (rowsBehind === undefined) leaveForPackage(of)
  else move(rowsBehind)
  return rowsBehind === undefined
}

/** Goes to an address that main gave: "packages/…". */
export const goTo = (address: string) => move(`#/${address}`)
