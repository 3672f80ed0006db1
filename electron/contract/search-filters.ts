import type { HeldFilters, SearchFilters } from './search.ts'
import { isCalendarDay } from './calendar-day.ts'
import { keysOf } from '../common/records.ts'

export const nothing: SearchFilters = {
  q: '',
  indices: [],
  extensions: [],
  types: [],
  agents: [],
  archives: [],
  states: [],
  policies: [],
  media: [],
  kinds: [],
  creators: [],
  from: '',
  to: '',
  page: 1,
}

const lists = {
  indices: 'indices',
  extensions: 'extension',
  types: 'type',
  agents: 'agents',
  archives: 'archives',
  states: 'state',
  policies: 'policy',
  media: 'medium',
  kinds: 'kind',
  creators: 'creator',
} as const
const days = { from: 'from', to: 'to' } as const
export type ListFilter = keyof typeof lists
export const listFilters = keysOf(lists)
export const dayFilters = keysOf(days)

/** Keys of a stored query that this desk reads. */
export const knownKeys: string[] = ['q', 'page', ...Object.values(lists), ...Object.values(days)]

/** What a stored query may hold as a word, whoever wrote it; nothing else can be made text of. */
const isWord = (value: unknown) => typeof value === 'string' || typeof value === 'number'
const words = (value: unknown): string[] =>
  (Array.isArray(value)
    ? value.filter(isWord).map(String)
    : typeof value === 'string'
      ? value.split(',')
      : []
  )
    .map((word) => word.trim().slice(0, 200))
    .filter(Boolean)
    .slice(0, 50)
const day = (value: unknown): string => {
  const text = typeof value === 'string' ? value.slice(0, '2026-03-29'.length) : ''
  return isCalendarDay(text) ? text : ''
}

/**
 * A search as it stands in the address, so that it can be linked and gone back to; the names are those of the
 * interface.
 */
export const toAddress = (asked: SearchFilters): string =>
  [
    ['q', asked.q],
    ...listFilters.map((filter) => [lists[filter], asked[filter].join(',')]),
    ...dayFilters.map((filter) => [days[filter], asked[filter]]),
    ['page', asked.page > 1 ? String(asked.page) : ''],
  ]
    .filter(([, value]) => value !== '')
    // Half a sign, which may be left where a text was cut, has no place in an address.
    .map(([name = '', value = '']) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')

/** What stands between "&" in an address; a piece that cannot be read is as it stands. */
const parts = (address: string): Record<string, string> =>
  Object.fromEntries(
    address.split('&').map((part) => {
      const [name = '', ...value] = part.split('=')
      const text = value.join('=').replaceAll('+', ' ')
      try {
        return [name, decodeURIComponent(text)]
      } catch {
        return [name, text]
      }
    }),
  )

/** A search from an address, or from what a stored one holds (its keys are the same). */
export const readAsked = (from: string | Record<string, unknown>): SearchFilters => {
  const given: Record<string, unknown> = typeof from === 'string' ? parts(from) : from
  const get = (name: string): unknown => given[name]
  const page = isWord(get('page')) ? Number(get('page')) : 1
  const q = get('q')
  return {
    ...nothing,
    q: typeof q === 'string' ? q.slice(0, 2_000) : '',
    ...Object.fromEntries(listFilters.map((filter) => [filter, words(get(lists[filter]))])),
    from: day(get('from')),
    to: day(get('to')),
    page: Number.isInteger(page) && page >= 1 ? page : 1,
  }
}

/** What a stored search keeps: the names of the interface, lists with commas, as other clients write them. */
export const toStored = ({ q, page: _, ...asked }: SearchFilters): Record<string, unknown> => ({
  q,
  ...Object.fromEntries(
    listFilters
      .filter((filter) => asked[filter].length > 0)
      .map((filter) => [
        lists[filter],
        filter === 'agents' || filter === 'archives' ? asked[filter] : asked[filter].join(','),
      ]),
  ),
  ...Object.fromEntries(
    dayFilters.filter((filter) => asked[filter] !== '').map((filter) => [days[filter], asked[filter]]),
  ),
})

/** What of a search what is held here can be asked. */
export const heldFilters = ({ q: _, extensions: _too, page: _also, ...held }: SearchFilters): HeldFilters =>
  held
/** Types and parts are counted by the archive's own index: of what is held nothing may have them. */
export const hasIndexFilter = ({ types, indices }: HeldFilters) => types.length > 0 || indices.length > 0
export const withoutIndexFilters = (held: HeldFilters): HeldFilters => ({ ...held, types: [], indices: [] })
export const hasHeldFilter = (asked: SearchFilters) =>
  asked.from !== '' ||
  asked.to !== '' ||
  listFilters.some((filter) => filter !== 'extensions' && asked[filter].length > 0)
/** What the archive's own index takes. */
export const isForIndex = ({ q, indices, extensions, types, agents, archives }: SearchFilters) =>
  q !== '' || [indices, extensions, types, agents, archives].some((values) => values.length > 0)
