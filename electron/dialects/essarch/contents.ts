import * as v from 'valibot'
import type { ContentsPart } from '../contents.ts'
import type { ContentsOf, NodeInside } from '../models.ts'
import { readAnswer } from '../specification/answers.ts'
import * as wire from '../wire.ts'

const perPage = 500
const mostPages = 200

const Node = v.looseObject({
  _id: wire.id,
  information_package: v.optional(v.fallback(v.nullable(v.looseObject({ id: wire.id })), null), null),
})

const pathOf = (of: ContentsOf): string => {
  const id = encodeURIComponent(of.id)
  if (of.list === 'structure-units') return `structure-units/${id}/nodes/?`
  return `search/${id}/children/?${of.within === null ? '' : `structure=${encodeURIComponent(of.within)}&`}`
}

/**
 * ESSArch names the unit of a node, and its package, nowhere in the list of tags: only what stands in a unit
 * (`structure-units/{id}/nodes/`) or below a node (`search/{id}/children/`) tells of them. Past the last page
 * comes the last one again, so the length of a page and the count say where the end is.
 */
export const readContents: ContentsPart['read'] = async ({ answer }, of) => {
  const found = new Map<string, NodeInside>()
  for (let page = 1; page <= mostPages; page += 1) {
    const { body, count } = await answer(`${pathOf(of)}page=${page}&page_size=${perPage}`)
    const before = found.size
    const rows = readAnswer(v.array(v.unknown()), body, pathOf(of))
    for (const row of rows) {
      const read = v.safeParse(Node, row)
      if (read.success)
        found.set(read.output._id, {
          id: read.output._id,
          package: read.output.information_package?.id ?? null,
        })
    }
    // A server may give fewer rows than were asked for.
    const isEnd = count === null ? rows.length < perPage : found.size >= count
    if (isEnd || found.size === before) break
  }
  return [...found.values()]
}
