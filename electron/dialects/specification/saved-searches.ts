import { entryIn, isRecord, keysOf } from '../../common/records.ts'
import type { ReferredList, SearchWords } from '../../contract/description.ts'
import { knownKeys, readAsked, toAddress, type ListFilter } from '../../contract/search-filters.ts'
import type { TitleOf } from '../dialect.ts'

/** What says nothing of what is looked for: how the answer is shown, and the name that it was kept under. */
const ofPages = ['page_size', 'pager', 'ordering', 'id']
/** What other clients, and ESSArch's own page, call otherwise than this desk. */
const otherNames: Record<string, string> = { since: 'from', start_date_after: 'from', end_date_before: 'to' }

/** The query that a stored search (specification 2.14) carries. */
export const queryIn = (record: unknown): unknown =>
  typeof record === 'object' && record !== null && 'query' in record ? record.query : undefined

/** A stored query by our names; those of the desk stand before those of ESSArch's page. */
export const readQuery = (query: Record<string, unknown>): Record<string, unknown> => {
  const entries = Object.entries(query).filter(([name]) => !ofPages.includes(name))
  const renamed = entries.flatMap(([name, value]) => {
    const ours = entryIn(otherNames, name)
    return ours === undefined ? [] : [[ours, value] as const]
  })
  const others = entries.filter(([name]) => !Object.hasOwn(otherNames, name))
  return Object.fromEntries([...renamed, ...others])
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where the records are that a search is narrowed to. */
const recordsIn = {
  agents: 'agents',
  archives: 'tags',
  policies: 'storage-policies',
  media: 'storage-mediums',
} as const satisfies Partial<Record<ListFilter, ReferredList>>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A stored query as an address of the search, with what that does not say; undefined where it is none. */
export const searchOfQuery = (
  query: unknown,
  titleOf: TitleOf,
): { address: string; words: SearchWords } | undefined => {
  const read = typeof query === 'string' ? parsed(query) : query
  if (!isRecord(read)) return undefined
  const ours = readQuery(read)
  const asked = readAsked(ours)
  const names = keysOf(recordsIn).flatMap((filter) =>
    asked[filter].flatMap((id) => {
      const title = titleOf({ list: recordsIn[filter], id })
      return title === undefined || title === '' ? [] : [[id, title] as const]
    }),
  )
  const others = Object.entries(ours)
    .filter(([name]) => !knownKeys.includes(name))
    .map(([name, value]) => ({ name, value: textOf(value) }))
  return { address: toAddress(asked), words: { names: Object.fromEntries(names), others } }
}
