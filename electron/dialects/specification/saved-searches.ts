import { isRecord } from '../../common/records.ts'
import { readAsked, toAddress } from '../../contract/search-filters.ts'

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
    const ours = otherNames[name]
    return ours === undefined ? [] : [[ours, value] as const]
  })
  const others = entries.filter(([name]) => !(name in otherNames))
  return Object.fromEntries([...renamed, ...others])
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A stored query, an object or the same as text, as an address of the search; undefined where it is none. */
export const addressOfQuery = (query: unknown): string | undefined => {
  const read = typeof query === 'string' ? parsed(query) : query
  return isRecord(read) ? toAddress(readAsked(readQuery(read))) : undefined
}
