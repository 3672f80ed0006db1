/**
 * Where the window is: a place of the rail, and the record that is open there. It is the address after '#',
 * so that it can be linked.
 */
export interface Place {
  name: PlaceName
  id: string
}
export type PlaceName =
  | 'desk'
  | 'packages'
  | 'search'
  | 'transfers'
  | 'orders'
  | 'checks'
  | 'storage'
  | 'description'
  | 'activity'
  | 'settings'

const names: readonly PlaceName[] = [
  'desk',
  'packages',
  'search',
  'transfers',
  'orders',
  'checks',
  'storage',
  'description',
  'activity',
  'settings',
]

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

const read = (hash: string): Place => {
  const [name = '', id = ''] = hash.replace(/^#?\/?/, '').split('/', 2)
  return { name: names.find((known) => known === name) ?? 'desk', id: decodeURIComponent(id) }
}

let now = $state.raw(read(location.hash))
/** An address that is here already brings nothing new: what is asked for a place is asked once. */
const arrive = () => {
  const next = read(location.hash)
  if (next.name !== now.name || next.id !== now.id) now = next
}
addEventListener('hashchange', arrive)

export const place = {
  get name() {
    return now.name
  },
  get id() {
    return now.id
  },
}

export const addressOf = (name: PlaceName, id = '') =>
  `#/${name}${id === '' ? '' : `/${encodeURIComponent(id)}`}`

/** The event of a new address comes late; who acts before it would act where we were. */
const move = (hash: string) => {
  location.hash = hash
  arrive()
}

export const go = (name: PlaceName, id = '') => move(addressOf(name, id))

/**
 * Goes on from the place where a command was begun, and only from there: whoever has gone elsewhere while it
 * was carried out is not called back.
 */
export const onward = () => {
  const begunAt = location.hash
  return (name: PlaceName, id = '') => {
    if (location.hash === begunAt) go(name, id)
  }
}

/** Goes to an address that main gave: "packages/…". */
export const goTo = (address: string) => move(`#/${address}`)
