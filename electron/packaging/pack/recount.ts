import { lstatSync } from 'node:fs'
import type { Counts } from '../../contract/counts.ts'
import { entriesOf } from '../check/entries.ts'
import type { Order } from './plan.ts'

/** Counts what is in a finished bag or copy, from the bag itself: the payload of a bag, everything of a copy. */
export const recount = (target: string, { what, form, top }: Order): Counts => {
  const it = lstatSync(target)
  if (what === 'copy' && it.isFile()) return { files: 1, folders: 0, bytes: it.size }
  const payload = form === 'folder' ? 'data/' : `${top}/data/`
  const counts: Counts = { files: 0, folders: 0, bytes: 0 }
  for (const { name, kind, bytes } of entriesOf(target, form)) {
    if (what === 'bag' && !name.startsWith(payload)) continue
    if (kind === 'folder') counts.folders += 1
    else {
      counts.files += 1
      counts.bytes += bytes
    }
  }
  return counts
}
