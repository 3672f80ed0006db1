import type { HeldFilters, SearchFilters } from './search.ts'

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
} as const
const days = { from: 'from', to: 'to' } as const
export type ListFilter = keyof typeof lists
export const listFilters = Object.keys(lists) as ListFilter[]
type DayFilter = keyof typeof days
export const dayFilters = Object.keys(days) as DayFilter[]

/** Keys of a stored query that this desk reads, or that only say how its answer is shown. */
export const knownKeys: string[] = [
  'q',
  'page',
  'page_size',
  'pager',
  'ordering',
  'start_date_after',
  'end_date_before',
  ...Object.values(lists),
  ...Object.values(days),
]

const words = (value: unknown): string[] =>
  (Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(',') : [])
    .map((it) => it.trim().slice(0, 200))
    .filter(Boolean)
    .slice(0, 50)
const day = (value: unknown): string =>
  typeof value === 'string' ? (/^\d{4}-\d\d-\d\d/.exec(value)?.[0] ?? '') : ''

/** A search as it stands in the address, so that it can be linked and gone back to; the names are those of the interface. */
export const toAddress = (asked: SearchFilters): string =>
  [
    ['q', asked.q],
    ...listFilters.map((own) => [lists[own], asked[own].join(',')]),
    ...dayFilters.map((own) => [days[own], asked[own]]),
    ['page', asked.page > 1 ? String(asked.page) : ''],
  ]
    .filter(([, value]) => value !== '')
    .map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`)
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

/** A search from an address, or from what a stored one holds (its keys are the same, or those of ESSArch's own page). */
export const readAsked = (from: string | Record<string, unknown>): SearchFilters => {
  const given: Record<string, unknown> = typeof from === 'string' ? parts(from) : from
  const get = (name: string): unknown => given[name]
  const page = Number(get('page'))
  const q = get('q')
  return {
    ...nothing,
    q: typeof q === 'string' ? q.slice(0, 2_000) : '',
    ...Object.fromEntries(listFilters.map((own) => [own, words(get(lists[own]))])),
    from: day(get('from') ?? get('start_date_after')),
    to: day(get('to') ?? get('end_date_before')),
    page: Number.isInteger(page) && page >= 1 ? page : 1,
  }
}

/** What a stored search keeps: the names of the interface, lists with commas, as other clients write them. */
export const toStored = ({ q, page: _, ...asked }: SearchFilters): Record<string, unknown> => ({
  q,
  ...Object.fromEntries(
    listFilters
      .filter((own) => asked[own].length > 0)
      .map((own) => [lists[own], own === 'agents' || own === 'archives' ? asked[own] : asked[own].join(',')]),
  ),
  ...Object.fromEntries(dayFilters.filter((own) => asked[own] !== '').map((own) => [days[own], asked[own]])),
})

/** What of a search what is held here can be asked. */
export const heldFilters = ({ q: _, extensions: _too, page: _also, ...held }: SearchFilters): HeldFilters =>
  held
export const hasHeldFilter = (asked: SearchFilters) =>
  asked.from !== '' ||
  asked.to !== '' ||
  listFilters.some((own) => own !== 'extensions' && asked[own].length > 0)
/** What the archive's own index takes. */
export const isForIndex = ({ q, indices, extensions, types, agents, archives }: SearchFilters) =>
  q !== '' || [indices, extensions, types, agents, archives].some((it) => it.length > 0)
