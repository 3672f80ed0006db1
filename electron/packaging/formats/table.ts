import type { FormatCount, FormatTable } from '../../contract/transfers.ts'
import { csvLine } from '../csv.ts'
import type { Control } from '../pack/control.ts'
import { filesOf, inWork, lineWriter, payloadName, sourceOf, type Order } from '../pack/plan.ts'
import { bestTool, identify, type Tool } from './identify.ts'

const mostFormats = 200

const namesOf = function* (work: string, { roots }: Order) {
  for (const [root, below] of filesOf(work)) {
    const it = roots[root]
    if (it) yield sourceOf(it, below)
  }
}

/**
 * Identifies every file of a plan and writes the table that goes into the bag: path, PRONOM identifier, format, media type, basis, tool.
 * @returns how many files and bytes there are of each format; undefined when it was stopped
 */
export const makeFormatTable = async (
  work: string,
  order: Order,
  control: Control,
): Promise<FormatTable | undefined> => {
  const tool: Tool = bestTool()
  const counts = new Map<string, FormatCount>()
  const lines = lineWriter(inWork(work).formats)
  try {
    lines.text(csvLine(['path', 'puid', 'format', 'mime', 'basis', 'tool']))
    const found = identify(tool, () => namesOf(work, order), inWork(work).names)
    for (const [root, below, bytes] of filesOf(work)) {
      const next = await found.next()
      const it = order.roots[root]
      if (next.done === true || !it) break
      const { value } = next
      if (!control.gate()) return undefined
      lines.text(csvLine([payloadName(it, below), value.puid, value.name, value.mime, value.basis, tool]))
      const key = value.puid || value.mime || value.name
      const known = counts.get(key) ?? {
        puid: value.puid,
        name: value.name,
        mime: value.mime,
        basis: value.basis,
        files: 0,
        bytes: 0,
      }
      // Endings are free text: a tree of a million odd ones must not fill the memory.
      if (counts.size < 10_000 || counts.has(key))
        counts.set(key, { ...known, files: known.files + 1, bytes: known.bytes + bytes })
    }
  } finally {
    lines.close()
  }
  const formats = [...counts.values()].sort((a, b) => b.files - a.files)
  return { tool, kinds: formats.length, formats: formats.slice(0, mostFormats) }
}
