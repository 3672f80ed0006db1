import type { SearchFilters } from '../../../electron/contract/search.ts'

export const nothing: SearchFilters = { q: '', indices: [], extensions: [], types: [], agents: [], archives: [], page: 1 }

const lists = { indices: 'indices', extensions: 'extension', types: 'type', agents: 'agents', archives: 'archives' } as const
type ListFilter = keyof typeof lists

const words = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(',') : []).map((it) => it.trim()).filter(Boolean)

/** A search as it stands in the address, so that it can be linked and gone back to; the names are those of the interface. */
export const toAddress = (asked: SearchFilters): string => {
  const text = new URLSearchParams(asked.q === '' ? {} : { q: asked.q })
  for (const [own, name] of Object.entries(lists) as [ListFilter, string][]) if (asked[own].length > 0) text.set(name, asked[own].join(','))
  if (asked.page > 1) text.set('page', String(asked.page))
  return text.toString()
}

/** A search from an address, or from what a stored one holds (its keys are the same). */
export const readAsked = (from: URLSearchParams | Record<string, unknown>): SearchFilters => {
  const get = (name: string): unknown => (from instanceof URLSearchParams ? from.get(name) : from[name])
  const page = Number(get('page'))
  const q = get('q')
  return {
    ...nothing,
    q: typeof q === 'string' ? q : '',
    ...Object.fromEntries((Object.entries(lists) as [ListFilter, string][]).map(([own, name]) => [own, words(get(name))])),
    page: Number.isInteger(page) && page >= 1 ? page : 1,
  }
}

/** What a stored search keeps: the names of the interface, lists with commas, as other clients write them. */
export const toStored = ({ q, extensions, types, agents, archives, indices }: SearchFilters) => ({
  q,
  ...(types.length > 0 ? { type: types.join(',') } : {}),
  ...(extensions.length > 0 ? { extension: extensions.join(',') } : {}),
  ...(indices.length > 0 ? { indices: indices.join(',') } : {}),
  ...(agents.length > 0 ? { agents } : {}),
  ...(archives.length > 0 ? { archives } : {}),
})
