import { lstatSync } from 'node:fs'
import type { Counts } from '../../contract/counts.ts'
import { entriesOf } from '../entries/entries.ts'
import type { PackSpec } from './plan.ts'

/** Whether a path is one of the roots, or lies below one of them. */
const isInRoots = (roots: ReadonlySet<string>) => (name: string) => {
  for (let end = name.indexOf('/'); end >= 0; end = name.indexOf('/', end + 1))
    if (roots.has(name.slice(0, end))) return true
  return roots.has(name)
}

/**
 * Counts what is in a finished package or copy, from what was written: the payload of a package, everything
 * of a copy.
 * @param isPayload whether a path in a package is of its payload
 */
export const recount = (
  target: string,
  { what, form, top, roots }: PackSpec,
  isPayload: (path: string) => boolean,
): Counts => {
  const stats = lstatSync(target)
  if (what === 'copy' && form === 'folder' && stats.isFile())
    return { files: 1, folders: 0, bytes: stats.size }
  const prefix = form === 'folder' ? '' : `${top}/`
  const isOfRoots = isInRoots(new Set(roots.map(({ name }) => `${prefix}${name}`)))
  const counts: Counts = { files: 0, folders: 0, bytes: 0 }
  for (const { name, kind, bytes } of entriesOf(target, form)) {
    if (!name.startsWith(prefix)) continue
    // What somebody put beside the sources meanwhile counts too.
    const isCounted = isOfRoots(name) || isPayload(name.slice(prefix.length))
    if (what === 'package' && !isCounted) continue
    if (kind === 'folder') counts.folders += 1
    else {
      counts.files += 1
      counts.bytes += bytes
    }
  }
  return counts
}
