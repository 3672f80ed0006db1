import type { ComparedFile } from '../../../electron/contract/comparisons.ts'
import { mostInTable } from '../../../electron/contract/exports.ts'
import { say } from '../../language/say.svelte.ts'
import type { ComparedField } from './compared-fields.ts'

/** Fields and files that differ, as rows of one table; where there are too many, its last row says so. */
export const comparisonRows = (
  fields: readonly ComparedField[],
  { files, total }: { files: readonly ComparedFile[]; total: number },
) => {
  const words = say.comparison
  const ofFields = fields.map(({ group, name, former, later }) => ({
    kind: group,
    name,
    change: words.differs,
    former,
    later,
    formerDigest: null,
    laterDigest: null,
  }))
  const room = mostInTable - ofFields.length
  // The row that says what is left out takes room as well.
  const listed = total > room || total > files.length ? files.slice(0, room - 1) : files
  const ofFiles = listed.map((file) => ({
    kind: words.file,
    name: file.path,
    change: words.became[file.change],
    former: file.former?.bytes ?? null,
    later: file.later?.bytes ?? null,
    formerDigest: file.former?.digest ?? null,
    laterDigest: file.later?.digest ?? null,
  }))
  const leftOut = {
    kind: words.file,
    name: words.leftOut(total - listed.length),
    change: null,
    former: null,
    later: null,
    formerDigest: null,
    laterDigest: null,
  }
  return [...ofFields, ...ofFiles, ...(listed.length < total ? [leftOut] : [])]
}
