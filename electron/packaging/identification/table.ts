import type { FormatCount, FormatTable } from '../../contract/format-table.ts'
import type { ThreadControl } from '../pack/control.ts'
import {
  filesOf,
  inWork,
  lineAs,
  lineWriter,
  readLines,
  sourceOf,
  type LinePart,
  type PackSpec,
} from '../pack/plan.ts'
import { identify, ToolFailed, toolsHere, type Asked, type Identified, type Tool } from './identify.ts'

const mostFormats = 200

/** What a file was identified as, as it is written down for each file of a plan. */
export type IdentifiedFormat = Identified

type IdentifiedLine = [puid: string, name: string, mime: string, basis: string, tool: Tool]

/** What the files of a plan, or of a part of it, were identified as, in their order. */
export const identifiedOf = function* (
  work: string,
  { from, length }: Partial<LinePart> = {},
): Generator<IdentifiedFormat, undefined> {
  for (const line of readLines(inWork(work).formats, from, length)) {
    const [puid, name, mime, basis, tool] = lineAs<IdentifiedLine>(line)
    yield { puid, name, mime, basis, tool }
  }
}

const askedOf = function* (work: string, { roots }: PackSpec): Generator<Asked> {
  for (const [root, below, bytes] of filesOf(work)) {
    const found = roots[root]
    if (found) yield { file: sourceOf(found, below), bytes }
  }
}

/**
 * Identifies every file of a plan and writes down what it is: PRONOM identifier, format, media type, basis,
 * tool. Where a tool fails, that is said, and the next one does it all.
 * @returns how many files and bytes there are of each format; undefined when it was stopped
 */
export const makeFormatTable = async (
  work: string,
  spec: PackSpec,
  control: ThreadControl,
): Promise<FormatTable | undefined> => {
  const failed: Tool[] = []
  for (const tool of toolsHere())
    try {
      const table = await tableBy(tool, work, spec, control)
      return table && { ...table, failed }
    } catch (error) {
      if (!(error instanceof ToolFailed)) throw error
      failed.push(tool)
    }
  throw new Error('The library that is always there failed as a tool.')
}

const tableBy = async (
  tool: Tool,
  work: string,
  spec: PackSpec,
  control: ThreadControl,
): Promise<Omit<FormatTable, 'failed'> | undefined> => {
  const counts = new Map<string, FormatCount>()
  const lines = lineWriter(inWork(work).formats)
  const found = identify(tool, () => askedOf(work, spec), inWork(work).names)
  try {
    for (const [, , bytes] of filesOf(work)) {
      const next = await found.next()
      if (next.done === true) break
      const { puid, name, mime, basis, tool: by } = next.value
      if (!control.gate()) return undefined
      lines.line(JSON.stringify([puid, name, mime, basis, by] satisfies IdentifiedLine))
      const key = basis === 'empty' ? basis : puid || mime || name
      const known = counts.get(key) ?? { puid, name, mime, basis, files: 0, bytes: 0 }
      // Endings are free text: a tree of a million odd ones must not fill the memory.
      if (counts.size < 10_000 || counts.has(key))
        counts.set(key, { ...known, files: known.files + 1, bytes: known.bytes + bytes })
    }
    // A tool says at its end whether it failed.
    await found.next()
  } finally {
    await found.return(undefined)
    lines.close()
  }
  const formats = [...counts.values()].sort((a, b) => b.files - a.files)
  return { tool, kinds: formats.length, formats: formats.slice(0, mostFormats) }
}
