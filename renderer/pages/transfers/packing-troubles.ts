import type { Failure, SourceTrouble } from '../../../electron/contract/failure.ts'
import type { FormatTable } from '../../../electron/contract/format-table.ts'
import type { Source, Transfer } from '../../../electron/contract/transfers.ts'
import type { CountedPaths, PackingObstacles } from '../../../electron/contract/survey.ts'

const ofPaths = (trouble: SourceTrouble, { first }: CountedPaths): Failure[] => {
  const [path, ...others] = first
  return path === undefined
    ? []
    : [{ kind: 'source', trouble, path, others: others.map((other) => ({ trouble, path: other })) }]
}

/** A package that goes over the interface is a tar, whatever form was chosen before that was known. */
const isZip = ({ packing, isOverInterface }: Transfer) => packing.form === 'zip' && !isOverInterface

/** What would stop a source of a draft from being packed, as packing itself would say it. */
export const troublesOfSource = (
  transfer: Transfer,
  { path, failure, unreadable, notInZip }: Source,
  obstacles: PackingObstacles | undefined,
): Failure[] => [
  ...(failure
    ? [failure]
    : obstacles?.away.includes(path)
      ? ofPaths('vanished', { count: 1, first: [path] })
      : []),
  ...(obstacles?.holding.includes(path) ? ofPaths('holds-target', { count: 1, first: [path] }) : []),
  ...ofPaths('unreadable', unreadable),
  ...(isZip(transfer) ? ofPaths('not-in-zip', notInZip) : []),
]

/** Whether anything of its contents would stop a draft from being packed. */
export const isStopped = (transfer: Transfer, obstacles: PackingObstacles | undefined): boolean =>
  transfer.sources.some((source) => troublesOfSource(transfer, source, obstacles).length > 0)

/** What the files of a draft seem to be, by their names alone: none of them was opened yet. */
export const formatsByName = ({ sources }: Pick<Transfer, 'sources'>): FormatTable => {
  const byEnding = new Map<string, { files: number; bytes: number }>()
  for (const { extensions } of sources)
    for (const { extension, files, bytes } of extensions) {
      // A name that ends in a dot has no more of an ending than one without.
      const ending = extension.slice(1).toUpperCase()
      const known = byEnding.get(ending) ?? { files: 0, bytes: 0 }
      byEnding.set(ending, { files: known.files + files, bytes: known.bytes + bytes })
    }
  const formats = [...byEnding]
    .map(([name, { files, bytes }]) => ({
      puid: '',
      name,
      mime: '',
      basis: name === '' ? '' : 'extension',
      files,
      bytes,
    }))
    .sort((a, b) => b.files - a.files)
  return { tool: 'extension', kinds: formats.length, formats }
}
