/** What says only how the answer of a stored query is shown. */
const ofPages = ['page_size', 'pager', 'ordering']
/** Names of ESSArch's own page for what this desk calls otherwise. */
const otherNames: Record<string, string> = { start_date_after: 'from', end_date_before: 'to' }

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
