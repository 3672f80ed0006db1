import type { HeldRecord } from '../../dialects/models.ts'

type TreeRow = Pick<HeldRecord, 'id' | 'parent' | 'title' | 'note'> & { place?: string | null }

/**
 * Rows of a tree in the order in which it is read, each followed by what is below it, and what each stands
 * below. What stands
 * below nothing that is here, or below itself, stands at the top.
 */
export const inTreeOrder = (all: TreeRow[]): { id: string; above: string | null }[] => {
  const collator = new Intl.Collator('sv', { numeric: true })
  const byPlace = new Map(all.map(({ id, place }) => [place ?? id, id]))
  const rows = all.map(({ id, parent, title, note }) => ({
    id,
    parent: parent === null ? null : (byPlace.get(parent) ?? parent),
    title,
    note,
  }))
  const known = new Set(rows.map(({ id }) => id))
  const below = Map.groupBy(rows, ({ id, parent }) =>
    parent !== null && parent !== id && known.has(parent) ? parent : '',
  )
  for (const siblings of below.values())
    siblings.sort((a, b) => collator.compare(a.note || a.title, b.note || b.title))
  const ordered: { id: string; above: string | null }[] = []
  const seen = new Set<string>()
  const tops = new Set((below.get('') ?? []).map(({ id }) => id))
  const waiting = [...(below.get('') ?? [])].reverse()
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    if (seen.has(row.id)) continue
    seen.add(row.id)
    ordered.push({ id: row.id, above: tops.has(row.id) ? null : row.parent })
    waiting.push(...[...(below.get(row.id) ?? [])].reverse())
  }
  // Rings have no top: their members are shown there, rather than not at all.
  return [...ordered, ...rows.filter(({ id }) => !seen.has(id)).map(({ id }) => ({ id, above: null }))]
}
