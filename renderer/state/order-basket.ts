import type { ArchiveDesk } from '../bridge.svelte.ts'
import { say } from '../language/say.svelte.ts'
import { announcement } from './announce.svelte.ts'
import { go } from './place.svelte.ts'

/**
 * Adds packages to the order that is being put together, or begins one; what another open order asks for is
 * said.
 */
export const addToOrder = async (desk: ArchiveDesk, packages: string[]) => {
  const { id, added, already } = await desk.orders.add({ id: null, packages: packages.slice(0, 1_000) })
  const [first] = already
  announcement.say(
    [say.orders.added(added), ...(first ? [say.orders.already(first.label, first.order)] : [])].join(' '),
    { text: say.orders.open, run: () => go('orders', id) },
  )
}
