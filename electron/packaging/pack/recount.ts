import { lstatSync } from 'node:fs'
import type { Counts } from '../../contract/counts.ts'
import { entriesOf } from '../entries/entries.ts'
import type { PackSpec } from './plan.ts'

/**
 * Counts what is in a finished package or copy, from what was written: the payload of a package, everything
 * of a copy.
 */
export const recount = (target: string, { what, form, top }: PackSpec, payloadFolder: string): Counts => {
  const stats = lstatSync(target)
  if (what === 'copy' && stats.isFile()) return { files: 1, folders: 0, bytes: stats.size }
  const payload = form === 'folder' ? `${payloadFolder}/` : `${top}/${payloadFolder}/`
  const counts: Counts = { files: 0, folders: 0, bytes: 0 }
  for (const { name, kind, bytes } of entriesOf(target, form)) {
    if (what === 'package' && !name.startsWith(payload)) continue
    if (kind === 'folder') counts.folders += 1
    else {
      counts.files += 1
      counts.bytes += bytes
    }
  }
  return counts
}
